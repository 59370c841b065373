package org.madcast.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Says how a lab is wired, as batches for ip(8) and tc(8). Decides only; {@link Construction} runs
 * them.
 *
 * <p>Host i's {@code eth0} is joined to {@code p}i of the switch namespace, a port of bridge {@code
 * br}K. Bridge j above 0 has its uplink {@code u}j joined to {@code d}j of the bridge above it in
 * the {@link LabTree}. Worked example for the standard tree, 5 hosts on 3 switches: br0 with p0 p1
 * d1 d2, br1 with u1 p2 p3, br2 with u2 p4.
 *
 * <p>Bridge 0 alone is the querier and asks with an address of its own, so that the other bridges
 * see which way it is, send reports there, and forward nothing without a receiver.
 *
 * <p>All bridges are promiscuous, for they then keep a frame for themselves and give each port a
 * copy. Otherwise the last port gets the frame itself, which counts against the sending socket's
 * buffer until that port has sent it: one slow port of a group would hold the sender back, or would
 * not, by where in memory the kernel happened to put it. No cable does that.
 */
record Wiring(LabState lab) {
    static final String HOST_INTERFACE = "eth0";

    /** In hundredths of a second; the least that is not announced as IGMPv1. */
    private static final int RESPONSE_CENTISECONDS = 10;

    /** All cables are of this group of interfaces, so that one command deletes them. */
    static final int CABLE_GROUP = 77;

    private static final int LIMIT_BYTES = 3 * 1024 * 1024;
    private static final int KIND_BRIDGE = 0;
    private static final int KIND_HOST = 1;

    static String port(int host) {
        return "p" + host;
    }

    static String bridge(int number) {
        return "br" + number;
    }

    private static String uplink(int bridge) {
        return "u" + bridge;
    }

    private static String downlink(int bridge) {
        return "d" + bridge;
    }

    /** For the root namespace. */
    String namespaces() {
        return lines(lab.namespaces().stream().map(name -> "netns add " + name).toList());
    }

    /**
     * For the switch namespace: bridges, trunks, and the cables with the hosts' ends. Trunks from
     * the leaves up: the root's first query then finds its way to every switch.
     */
    String switches() {
        List<String> batch = new ArrayList<>();
        batch.add("link set lo up");
        for (int number = 0; number < lab.spec().switches(); number++) {
            addBridge(batch, number);
        }
        batch.add("link set br0 type bridge mcast_querier 1");
        batch.add("addr add " + lab.subnet().gateway().getHostAddress() + "/24 brd + dev br0");
        batch.add("addr add " + lab.subnet().gateway6().getHostAddress() + "/64 dev br0 nodad");
        for (int number = 0; number < lab.spec().switches(); number++) {
            batch.add("link set " + bridge(number) + " promisc on up");
        }
        for (int number = lab.spec().switches() - 1; number > 0; number--) {
            addTrunk(batch, number);
        }
        for (int host = 0; host < lab.spec().hosts(); host++) {
            addCable(batch, host);
        }
        return lines(batch);
    }

    /** For a host's namespace, once its cable is there. */
    String host(int index) {
        Subnet subnet = lab.subnet();
        return lines(
                List.of(
                        "link set lo up",
                        "link set eth0 up" + (lab.spec().superframes() ? "" : " gso_max_segs 1"),
                        "addr add " + subnet.host(index).getHostAddress() + "/24 brd + dev eth0",
                        "addr add " + subnet.host6(index).getHostAddress() + "/64 dev eth0 nodad",
                        "route add 224.0.0.0/4 dev eth0",
                        "route add default via " + subnet.gateway().getHostAddress()));
    }

    /**
     * Who must not be heard where, so that the hosts of an island and all others do not hear each
     * other: hardware addresses of senders by the port of the hearer. Empty when a side is empty.
     */
    Map<String, List<String>> partition(Set<Integer> island) {
        Map<Boolean, List<Integer>> sides =
                IntStream.range(0, lab.spec().hosts())
                        .boxed()
                        .collect(Collectors.partitioningBy(island::contains));
        Map<String, List<String>> forbidden = new TreeMap<>();
        sides.forEach((side, hosts) -> {
            List<String> others =
                    sides.getOrDefault(!side, List.of()).stream()
                            .map(host -> lab.subnet().hardwareAddress(KIND_HOST, host))
                            .toList();
            if (!others.isEmpty()) {
                hosts.forEach(host -> forbidden.put(port(host), others));
            }
        });
        return forbidden;
    }

    /** For tc in the switch namespace: every port and trunk end with a limit; may be empty. */
    String switchRates() {
        List<String> batch = new ArrayList<>();
        LabTree tree = lab.tree();
        for (int i = 1; i < tree.switches(); i++) {
            int number = i;
            tree.trunks()
                    .get(number - 1)
                    .rate()
                    .ifPresent(rate -> {
                        batch.add(shape(uplink(number), rate));
                        batch.add(shape(downlink(number), rate));
                    });
        }
        for (int i = 0; i < tree.cables().size(); i++) {
            int host = i;
            hostRate(host).ifPresent(rate -> batch.add(shape(port(host), rate)));
        }
        return batch.isEmpty() ? "" : lines(batch);
    }

    /** What a host's cable carries each way. */
    Optional<LinkRate> hostRate(int host) {
        return lab.tree().cables().get(host).rate();
    }

    static String shape(String device, LinkRate rate) {
        return "qdisc replace dev %s root tbf rate %dbit burst %d limit %d"
                .formatted(device, rate.bitsPerSecond(), rate.burstBytes(), LIMIT_BYTES);
    }

    /** Replaces a shaper by the queue that a fresh veth has; unlike deleting it, never fails. */
    static String unshape(String device) {
        return "qdisc replace dev " + device + " root noqueue";
    }

    private void addBridge(List<String> batch, int number) {
        batch.add(
                ("link add %s address %s mtu %d type bridge mcast_snooping 1"
                                + " mcast_query_response_interval %d"
                                + " mcast_startup_query_interval 100 mcast_startup_query_count 5"
                                + " mcast_query_use_ifaddr 1")
                        .formatted(
                                bridge(number),
                                lab.subnet().hardwareAddress(KIND_BRIDGE, number),
                                lab.spec().mtuBytes(),
                                RESPONSE_CENTISECONDS));
    }

    private void addTrunk(List<String> batch, int number) {
        batch.add(
                "link add %1$s group %4$d mtu %3$d type veth peer name %2$s mtu %3$d"
                        .formatted(
                                uplink(number),
                                downlink(number),
                                lab.spec().mtuBytes(),
                                CABLE_GROUP));
        int above = lab.tree().trunks().get(number - 1).to();
        batch.add("link set " + uplink(number) + " master " + bridge(number) + " up");
        batch.add("link set " + downlink(number) + " master " + bridge(above) + " up");
    }

    private void addCable(List<String> batch, int host) {
        batch.add(
                "link add %1$s group %5$d mtu %2$d type veth peer name eth0 address %3$s mtu %2$d netns %4$s"
                        .formatted(
                                port(host),
                                lab.spec().mtuBytes(),
                                lab.subnet().hardwareAddress(KIND_HOST, host),
                                lab.hostNamespace(host),
                                CABLE_GROUP));
        batch.add("link set " + port(host) + " master " + bridge(lab.switchOf(host)) + " up");
        batch.add("link set " + port(host) + " type bridge_slave mcast_fast_leave on");
    }

    private static String lines(List<String> batch) {
        return String.join("\n", batch) + "\n";
    }
}
