package org.madcast.allocator.madcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.madcap.ResponseCache.Lookup;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;

/** The server's small pure parts. */
class MadcapMachinesTest {

    private static final long KEEP_NS = 60_000_000_000L;
    private static final Octets RESPONSE = Octets.ofHex("0102");

    @Test
    void aRequestIsServedOnceThenItsResponseRepeatedThenForgotten() {
        ResponseCache cache = new ResponseCache(KEEP_NS, 10);
        long start = Long.MAX_VALUE - 5; // the clock may wrap
        assertThat(cache.takeUp(key(1), start)).isEqualTo(new Lookup.New());
        assertThat(cache.takeUp(key(1), start + 1)).isEqualTo(new Lookup.Silent());
        cache.put(key(1), RESPONSE);
        assertThat(cache.takeUp(key(1), start + KEEP_NS - 1)).isEqualTo(new Lookup.Known(RESPONSE));
        assertThat(cache.takeUp(key(2), start + 2)).isEqualTo(new Lookup.New());
        assertThat(cache.takeUp(key(1), start + KEEP_NS)).isEqualTo(new Lookup.New());
    }

    @Test
    void whatCouldNotBeServedMayBeServedAgain() {
        ResponseCache cache = new ResponseCache(KEEP_NS, 10);
        assertThat(cache.takeUp(key(1), 0)).isEqualTo(new Lookup.New());
        cache.forget(key(1));
        assertThat(cache.takeUp(key(1), 1)).isEqualTo(new Lookup.New());
    }

    @Test
    void theOldestResponsesGoWhenThereAreTooMany() {
        ResponseCache cache = new ResponseCache(KEEP_NS, 3);
        for (int xid = 1; xid <= 4; xid++) {
            cache.takeUp(key(xid), xid);
            cache.put(key(xid), RESPONSE);
        }
        assertThat(cache.takeUp(key(3), 5)).isEqualTo(new Lookup.Known(RESPONSE));
        assertThat(cache.takeUp(key(1), 6)).isEqualTo(new Lookup.New());
    }

    @Test
    void aSourceMaySendABurstAndThenItsRate() {
        RequestRate rate = new RequestRate(10, 3);
        InetAddress one = InetAddress.ofLiteral("10.0.0.1");
        InetAddress other = InetAddress.ofLiteral("10.0.0.2");
        assertThat(admitted(rate, one, 0, 5)).containsExactly(true, true, true, false, false);
        assertThat(rate.admits(other, 0)).isTrue();
        assertThat(admitted(rate, one, 100_000_000, 2)).containsExactly(true, false);
        assertThat(admitted(rate, one, 10_000_000_000L, 4))
                .containsExactly(true, true, true, false);
    }

    @Test
    void networksOfBothFamiliesAreToldByTheirPrefix() {
        NetworkList networks =
                NetworkList.parse(List.of("10.77.0.0/20", "192.168.1.9", "fd00::/7", "0.0.0.0/32"));
        assertThat(List.of("10.77.0.1", "10.77.15.255", "192.168.1.9", "fc00::1"))
                .allMatch(it -> networks.contains(InetAddress.ofLiteral(it)));
        assertThat(List.of("10.77.16.0", "192.168.1.8", "fe00::1", "::1", "127.0.0.1"))
                .noneMatch(it -> networks.contains(InetAddress.ofLiteral(it)));
        for (String bad : List.of("10.0.0.0/33", "host", "10.0.0.0/x", "", "::/129")) {
            assertThatThrownBy(() -> NetworkList.parse(List.of(bad)))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad);
        }
    }

    @Test
    void addressesBecomeAsFewRangesAsThereCanBe() {
        List<String> addresses =
                List.of("239.255.0.9", "239.254.255.255", "239.255.0.0", "239.255.0.1");
        List<AddressRange> ranges = AddressRanges.of(addresses);
        assertThat(ranges)
                .containsExactly(
                        new AddressRange(NetAddress.parse("239.254.255.255"), 3),
                        new AddressRange(NetAddress.parse("239.255.0.9"), 1));
        assertThat(AddressRanges.same(ranges, addresses)).isTrue();
        assertThat(AddressRanges.same(ranges, addresses.subList(0, 3))).isFalse();
        assertThat(AddressRanges.same(List.of(ranges.getFirst()), addresses.subList(0, 3)))
                .isFalse();
    }

    @Test
    void rangesAreReadAndTheServersAddressIsSpared() {
        ZoneText net = ZoneText.parse("239.192.0.0/14");
        assertThat(net.last()).isEqualTo(NetAddress.parse("239.195.255.255"));
        assertThat(net.keepsServerAddress()).isTrue();
        ZoneText dashed = ZoneText.parse("239.1.0.0-239.1.0.9");
        assertThat(dashed.last()).isEqualTo(NetAddress.parse("239.1.0.9"));
        assertThat(dashed.keepsServerAddress()).isFalse();
        ZoneText ipv6 = ZoneText.parse("ff18::8000:0/97");
        assertThat(ipv6.last()).isEqualTo(NetAddress.parse("ff18::ffff:ffff"));
        assertThat(ipv6.keepsServerAddress()).isTrue();
        assertThat(ZoneText.parse("ff18::8000:0/112").keepsServerAddress()).isFalse();
    }

    private static List<Boolean> admitted(
            RequestRate rate, InetAddress source, long nowNs, int times) {
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(rate.admits(source, nowNs));
        }
        return answers;
    }

    private static ResponseCache.Key key(int xid) {
        return new ResponseCache.Key(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 4000),
                xid,
                MessageType.REQUEST,
                new LeaseId(Octets.of((byte) 1)));
    }
}
