package org.madcast.allocator.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.web.EvictionPolicy.Guest;

class EvictionPolicyTest {

    private final List<Guest<String>> guests = new ArrayList<>();

    @Test
    void whoHasMostGivesWayAndOfThoseTheLongestSilent() {
        open("b", 1, 2);
        open("a", 30, 10, 50, 20, 40);
        open("c", 3);
        assertThat(EvictionPolicy.givingWay(guests, 3)).containsExactly("a10", "a20", "a30");
    }

    @Test
    void amongEqualsTheLongestSilentGivesWay() {
        open("a", 7, 8);
        open("b", 5, 9);
        open("c", 6);
        assertThat(EvictionPolicy.givingWay(guests, 3)).containsExactly("b5", "a7", "c6");
    }

    @Test
    void nobodyHasToLeaveTwice() {
        open("a", 1, 2);
        assertThat(EvictionPolicy.givingWay(guests, 5)).containsExactly("a1", "a2");
        assertThat(EvictionPolicy.givingWay(List.<Guest<String>>of(), 5)).isEmpty();
    }

    private void open(String address, int... heardMs) {
        for (int each : heardMs) {
            guests.add(new Guest<>(address, each, address + each));
        }
    }
}
