package org.madcast.allocator.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScopeTest {

    private static final PortRange PORTS = new PortRange(5000, 5007, 2);

    @Test
    void aSlotIsAnAddressWithAllOfItsPorts() {
        Scope scope = scope(false);
        assertThat(scope.capacity()).isEqualTo(16);
        assertThat(
                        LongStream.range(0, 16)
                                .mapToObj(it -> scope.groupAt(it, 0).address())
                                .collect(Collectors.toSet()))
                .hasSize(16);
    }

    @Test
    void anAddressThatIsUsedAgainGetsAnotherPort() {
        Scope scope = scope(false);
        LeasedGroup first = scope.groupAt(3, 1);
        LeasedGroup second = scope.groupAt(3, 2);
        assertThat(second.address()).isEqualTo(first.address());
        assertThat(second.port()).isNotEqualTo(first.port());
    }

    @Test
    void whereAddressesAreSharedASlotIsOnePort() {
        Scope scope = scope(true);
        assertThat(scope.capacity()).isEqualTo(64);
        assertThat(
                        LongStream.range(0, 64)
                                .mapToObj(it -> scope.groupAt(it, 0))
                                .collect(Collectors.toSet()))
                .hasSize(64);
        assertThat(scope.groupAt(5, 9)).isEqualTo(scope.groupAt(5, 0));
    }

    @Test
    void portsKeepTheirParity() {
        assertThat(LongStream.range(0, 9).map(PORTS::portAt).toArray())
                .containsExactly(5000, 5002, 5004, 5006, 5000, 5002, 5004, 5006, 5000);
    }

    private static Scope scope(boolean shares) {
        List<String> ranges = List.of("239.192.9.0/28");
        AddressPool pool =
                AddressPool.of(ranges.stream().map(PoolRange::parse).toList(), List.of(), false);
        return new Scope(
                "s",
                "",
                ranges,
                pool,
                PORTS,
                1,
                "default",
                shares,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                77,
                ScopePolicy.OPEN);
    }
}
