package org.madcast.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Reading what the kernel and its tools write. */
class KernelTablesTest {
    private static final String DEVICES =
            """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
                lo:     100       1    0    0    0     0          0         0      100       1    0
              eth0:    4546      55    0    0    0     0          0         0      434       5    0
            """;
    private static final String PROTOCOLS =
            """
            Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors
            Udp: 12 3 4 15 6 7 8
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors
            UdpLite: 0 0 0 0 0 0
            """;

    @Test
    void readsCounters() {
        HostCounters counters = HostCounters.read(DEVICES, PROTOCOLS, "eth0");
        assertThat(counters).isEqualTo(new HostCounters(434, 5, 4546, 55, 15, 12, 4, 6));
        assertThat(counters.since(counters)).isEqualTo(new HostCounters(0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void missingDeviceIsTold() {
        assertThatThrownBy(() -> HostCounters.read(DEVICES, PROTOCOLS, "eth1"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("eth1");
    }

    @Test
    void readsGroupsOfHostPortsOnly() {
        String table =
                """
                dev br0 port p10 grp 239.1.2.3 temp proto kernel
                dev br0 port p2 grp 239.1.2.3 temp
                dev br0 port p2 grp 232.1.2.3 src 10.77.1.1 temp filter_mode include
                dev br0 port d1 grp 239.1.2.4 temp
                dev br0 port br0 grp ff02::6a temp
                dev br0 port p1 grp ff02::1:ff00:2 temp
                dev br0 port p1 grp ff15::1 temp
                router ports on br1: u1
                """;
        assertThat(GroupTable.read(table))
                .hasSize(3)
                .containsEntry(InetAddress.ofLiteral("239.1.2.3"), new TreeSet<>(Set.of(2, 10)))
                .containsEntry(InetAddress.ofLiteral("232.1.2.3"), new TreeSet<>(Set.of(2)))
                .containsEntry(InetAddress.ofLiteral("ff15::1"), new TreeSet<>(Set.of(1)));
        assertThat(GroupTable.knowsQuerier(table, "br1")).isTrue();
        assertThat(GroupTable.knowsQuerier(table, "br2")).isFalse();
    }
}
