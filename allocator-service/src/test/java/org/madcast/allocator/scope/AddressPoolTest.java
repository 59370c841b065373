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
                                PoolRange.parse("233.255.0.0-234.1.255.255"),
                                PoolRange.parse("234.127.0.0-234.129.255.255")),
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
                        List.of(PoolRange.parse("239.192.9.0/28")),
                        List.of(
                                PoolRange.parse("239.192.9.0"),
                                PoolRange.parse("239.192.9.4-239.192.9.13")),
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
                "225.0.0.0/8",
                "::1",
                "ff08::8000:0/97",
                "ff1e::8000:0/97",
                "ff18::ff00:0/104"
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
                "ff18::8000:1-ff19::8000:2",
                "ff18::8000:1/97",
                "ff18::/64",
                "ff18::1%eth0",
                "ff18::g"
            })
    void refusesTextThatIsNoRange(String text) {
        assertThatThrownBy(() -> PoolRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofIpv6TheDynamicGroupsThatNobodyKeepsAreGranted() {
        AddressPool pool = pool("ff18::/96");
        assertThat(pool.size()).isEqualTo(0xff00_0000L - 0x8000_0000L);
        assertThat(pool.textAt(0)).isEqualTo("ff18::8000:0");
        assertThat(pool.textAt(pool.size() - 1)).isEqualTo("ff18::feff:ffff");
        assertThat(pool("ff15:0:0:1::8000:1").textAt(0)).isEqualTo("ff15::1:0:0:8000:1");
        assertThatThrownBy(() -> pool("ff18::/96", "239.192.9.0/28"))
                .hasMessageContaining("first 96 bits");
    }

    @Test
    void addressesAreFoundAgainByNumber() {
        AddressPool pool = pool("239.192.9.0/30", "239.192.9.8/30");
        for (long number = 0; number < pool.size(); number++) {
            assertThat(pool.numberFrom(pool.addressAt(number))).isEqualTo(number);
        }
        assertThat(pool.numberFrom(Ipv4.parse("239.192.9.5"))).isEqualTo(4);
        assertThat(pool.numberFrom(Ipv4.parse("239.192.9.12"))).isEqualTo(8);
        assertThat(pool.numberFrom(0)).isZero();
    }

    @Test
    void aBlockIsInARowAlignedAndFree() {
        AddressPool pool = pool("239.192.9.1-239.192.9.9", "239.192.9.12/30");
        long taken = Ipv4.parse("239.192.9.4");
        AddressBlock oddPair = new AddressBlock(pool, 2, 2, 1);
        assertThat(found(oddPair, 0, taken)).isEqualTo("239.192.9.1");
        assertThat(found(oddPair, 1, taken)).isEqualTo("239.192.9.5");
        assertThat(found(new AddressBlock(pool, 4, 4, 0), 0, taken)).isEqualTo("239.192.9.12");
        assertThat(found(new AddressBlock(pool, 5, 1, 0), 0, taken)).isEqualTo("239.192.9.5");
        assertThat(new AddressBlock(pool, 6, 1, 0).find(0, it -> it == taken)).isEmpty();
    }

    private static String found(AddressBlock block, long from, long taken) {
        return block.pool().textAt(block.find(from, it -> it == taken).orElseThrow());
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
                List.of(ranges).stream().map(PoolRange::parse).toList(), List.of(), false);
    }

    private static Set<String> addresses(AddressPool pool) {
        return LongStream.range(0, pool.size())
                .mapToObj(it -> Ipv4.format(pool.addressAt(it)))
                .collect(Collectors.toSet());
    }
}
