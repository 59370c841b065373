package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.madcast.client.MulticastGroup;

final class RandomGroupsTest {

    private final RandomGroups groups = new RandomGroups(new BlumBlumShub(42));

    @Test
    void ipv4StaysOutOfThePoolsAndTheirEthernetAddresses() {
        Set<MulticastGroup> seen = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            MulticastGroup group = groups.drawIpv4();
            byte[] address = group.address().getAddress();
            int second = Byte.toUnsignedInt(address[1]);
            assertThat(Byte.toUnsignedInt(address[0])).isEqualTo(239);
            assertThat(second).isBetween(196, 251);
            int ethernetSecond = second & 0x7f;
            assertThat(ethernetSecond).isNotIn(0x40, 0x41, 0x42, 0x43, 0x7f, 0x00);
            assertThat(group.port()).isBetween(5000, 32_767);
            seen.add(group);
        }
        assertThat(seen).hasSizeGreaterThan(4_990);
    }

    @Test
    void ipv6IsTransientWithADynamicGroupId() {
        for (int i = 0; i < 1_000; i++) {
            byte[] address = groups.drawIpv6().address().getAddress();
            assertThat(address).startsWith(0xff, 0x15).hasSize(16);
            assertThat(Byte.toUnsignedInt(address[12])).isBetween(0xc0, 0xfe);
        }
    }

    @Test
    void twoProcessesDrawDifferently() {
        assertThat(RandomGroups.seeded().drawIpv4()).isNotEqualTo(RandomGroups.seeded().drawIpv4());
    }
}
