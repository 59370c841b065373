package org.madcast.allocator.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPoolTest {

    @Test
    void defaultScopeKeepsItsTop24ForScopeRelativeAddresses() {
        AddressPool pool = pool("239.192.0.0/14");
        assertThat(pool.size()).isEqualTo((1 << 18) - 256);
        assertThat(Ipv4.format(pool.addressAt(0))).isEqualTo("239.192.0.0");
        assertThat(Ipv4.format(pool.addressAt(pool.size() - 1))).isEqualTo("239.195.254.255");
    }

    @Test
    void nothingSharesAnEthernetAddressWithTheControlBlocks() {
        AddressPool pool =
                AddressPool.of(
                        List.of(
                                AddressRange.parse("233.255.0.0-234.1.255.255"),
                                AddressRange.parse("234.127.0.0-234.129.255.255")),
                        List.of(),
                        true);
        List<String> aliasing =
                LongStream.range(0, pool.size())
                        .map(pool::addressAt)
                        .filter(it -> Ipv4.ethernetKey(it) < 512)
                        .mapToObj(Ipv4::format)
                        .toList();
        assertThat(aliasing).isEmpty();
        assertThat(addresses(pool))
                .doesNotContain("234.0.0.7", "234.0.1.7", "234.128.0.9", "234.128.1.255")
                .contains("234.0.2.0", "234.128.2.0", "234.127.255.255", "234.1.0.1");
    }

    @Test
    void excludedAddressesAreNumberedAway() {
        AddressPool pool =
                AddressPool.of(
                        List.of(AddressRange.parse("239.192.9.0/28")),
                        List.of(
                                AddressRange.parse("239.192.9.0"),
                                AddressRange.parse("239.192.9.4-239.192.9.13")),
                        false);
        assertThat(addresses(pool))
                .containsExactlyInAnyOrder(
                        "239.192.9.1",
                        "239.192.9.2",
                        "239.192.9.3",
                        "239.192.9.14",
                        "239.192.9.15");
    }

    @Test
    void overlappingRangesCountOnce() {
        AddressPool pool = pool("239.192.9.0/30", "239.192.9.2/31", "239.192.9.4/31");
        assertThat(pool.size()).isEqualTo(6);
        assertThat(addresses(pool)).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/24",
                "224.0.0.0/24",
                "224.2.128.0/24",
                "232.1.0.0/16",
                "225.0.0.0/8"
            })
    void refusesRangesThatAreNotItsToGrant(String range) {
        assertThatThrownBy(() -> pool(range)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "239.1.2",
                "239.1.2.256",
                "239.1.2.3/33",
                "239.1.2.3/24",
                "a.b.c.d",
                "::1"
            })
    void refusesTextThatIsNoRange(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ethernetKeepsTheLow23Bits() {
        long key = Ipv4.ethernetKey(Ipv4.parse("239.192.1.2"));
        assertThat(Ipv4.ethernetKey(Ipv4.parse("239.64.1.2"))).isEqualTo(key);
        assertThat(Ipv4.ethernetKey(Ipv4.parse("225.192.1.2"))).isEqualTo(key);
        assertThat(Ipv4.ethernetKey(Ipv4.parse("239.193.1.2"))).isNotEqualTo(key);
    }

    private static AddressPool pool(String... ranges) {
        return AddressPool.of(
                List.of(ranges).stream().map(AddressRange::parse).toList(), List.of(), false);
    }

    private static Set<String> addresses(AddressPool pool) {
        return LongStream.range(0, pool.size())
                .mapToObj(it -> Ipv4.format(pool.addressAt(it)))
                .collect(Collectors.toSet());
    }
}
