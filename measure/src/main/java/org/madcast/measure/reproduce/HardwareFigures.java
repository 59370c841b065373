package org.madcast.measure.reproduce;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.madcast.agent.topology.PublishedClusters;
import org.madcast.client.Algorithm;
import org.madcast.simulator.BareNetwork;
import org.madcast.simulator.Outcome;
import org.madcast.simulator.ProcessorCosts;

/** Of seeds 002 (UDP broadcast in LAM/MPI), 003 (Quadrics) and 004 (InfiniBand). */
final class HardwareFigures {

    private static final int KIB = 1024;
    private static final int MIB = 1 << 20;
    private static final double US = 1e3;
    private static final double MS = 1e6;
    private static final Cluster QUADRICS = Cluster.QUADRICS;
    private static final int STREAM = 400;

    /** What a CRC costs a processor of 2003 for each byte, in nanoseconds: a table of 256 words. */
    private static final double CRC_NS_PER_BYTE = 3;

    private static final String QSNET =
            "there: QsNet, about 340 MB/s, whose switches multicast and gather acknowledgements; here: one"
                    + " switch of Ethernet with cables of that rate and hosts that need 1.5 us for a call and"
                    + " 0.8 us for a datagram, simulated";

    private HardwareFigures() {}

    static List<Figure> all() {
        return Stream.of(ofQuadrics(), ofOthers()).flatMap(List::stream).toList();
    }

    private static List<Figure> ofOthers() {
        return List.of(
                new Figure(
                        "002-5",
                        "time of a broadcast against the number of receivers",
                        "there: workstations at 100 Mbit/s, files by LAM/MPI with UDP broadcast; here:"
                                + " the same cables, simulated, 1 MiB",
                        "receivers; ms, 1 MiB",
                        "The paper has curves and the words 'little to no impact' from 16 to 32.",
                        HardwareFigures::receivers),
                new Figure(
                        "004-II.16",
                        "skew of a broadcast of 2 bytes to 116 processes",
                        "there: InfiniBand; here: Fast Ethernet, simulated",
                        "algorithm; first and last rank's us",
                        "By multicast all ranks hear the same datagram; in a simulated network without"
                                + " noise they hear it at the same time.",
                        HardwareFigures::constantTime),
                new Figure(
                        "004-II.4",
                        "effective bisection bandwidth of four clusters",
                        "there: the clusters' own forwarding tables; here: their crossbars with random"
                                + " tables and with the best ones (docs/TOPOLOGY.md)",
                        "cluster; percent",
                        "The forwarding tables are not published; the published numbers lie near those"
                                + " of random tables.",
                        HardwareFigures::bisection));
    }

    private static List<Figure> ofQuadrics() {
        return List.of(
                new Figure(
                        "003-5",
                        "latency against the size of the message, 128 processes",
                        QSNET,
                        "bytes; us a broadcast, in a stream",
                        "The paper's curves are pictures.",
                        HardwareFigures::latency),
                new Figure(
                        "003-6",
                        "latency of 8 bytes against the number of processes",
                        QSNET,
                        "processes; us a broadcast, in a stream",
                        "There four processes share a node's memory, so 256 are 64 receivers; here each"
                                + " has a host.",
                        HardwareFigures::scalability),
                new Figure(
                        "003-7",
                        "the number of channels: broadcasts between two synchronisations",
                        QSNET,
                        "channels; us a broadcast of 8 bytes, 8 processes",
                        "A channel is a place in the window here. A rank reports when a quarter of the"
                                + " window is consumed, not when all is, so that synchronising goes on"
                                + " beside the broadcasts; and a report passes a switch that stores and"
                                + " forwards, not the network's own gathering of acknowledgements.",
                        HardwareFigures::channels),
                new Figure(
                        "003-8",
                        "the cost of reliability",
                        QSNET,
                        "bytes; us a broadcast",
                        "With it is 'once' with a CRC that costs 3 ns a byte, as a table of 256 words"
                                + " did then; the CRC-32C of today's processors is ten times as fast."
                                + " 'No checksum' is the same without it (use_crc_checking off), and"
                                + " 'without' is bare multicast (--floor of madcast bench and simulate):"
                                + " nothing is repaired, so it is for measurements only.",
                        HardwareFigures::reliability));
    }

    private static void receivers(Finding finding) {
        double[] ms = new double[2];
        for (int receivers : List.of(1, 2, 4, 8, 16, 32)) {
            double once =
                    Cluster.FAST_ETHERNET.broadcast(Algorithm.ONCE, receivers + 1, MIB).lastNs()
                            / MS;
            double tree =
                    Cluster.FAST_ETHERNET.broadcast(Algorithm.BINOMIAL, receivers + 1, MIB).lastNs()
                            / MS;
            finding.place("once", receivers, once);
            finding.place("binomial", receivers, tree);
            ms[0] = receivers == 16 ? once : ms[0];
            ms[1] = once;
            finding.progress(receivers / 32.0);
        }
        finding.add("32 receivers over 16", "", 1.0, ms[1] / ms[0], Expectation.NEAR);
    }

    private static void latency(Finding finding) {
        List<Integer> sizes = List.of(4, 64, KIB, 4 * KIB, 16 * KIB, 64 * KIB);
        double[] shortest = new double[2];
        for (int bytes : sizes) {
            int times = bytes > 4 * KIB ? 20 : 100;
            double once = QUADRICS.stream(Algorithm.ONCE, 128, bytes, 256, times) / US;
            double tree = QUADRICS.stream(Algorithm.BINOMIAL, 128, bytes, 256, times) / US;
            finding.place("once", bytes, once);
            finding.place("binomial", bytes, tree);
            shortest[0] = bytes == 4 ? once : shortest[0];
            shortest[1] = bytes == 4 ? tree : shortest[1];
            finding.progress((sizes.indexOf(bytes) + 1.0) / sizes.size());
        }
        finding.show("once, 4 bytes", "us", shortest[0]);
        finding.show("binomial over once, 4 bytes", "", shortest[1] / shortest[0]);
    }

    private static void scalability(Finding finding) {
        double last = 0;
        double first = 0;
        for (int ranks : List.of(2, 8, 32, 64, 256)) {
            double once = QUADRICS.stream(Algorithm.ONCE, ranks, 8, 256, 100) / US;
            finding.place("once", ranks, once);
            finding.place(
                    "binomial",
                    ranks,
                    QUADRICS.stream(Algorithm.BINOMIAL, ranks, 8, 256, 100) / US);
            first = first == 0 ? once : first;
            last = once;
            finding.progress(ranks / 256.0);
        }
        finding.add("once, 256 processes", "us", 8.9, last, Expectation.AT_MOST);
        finding.show("256 processes over 2", "", last / first);
    }

    private static void channels(Finding finding) {
        double[] us = new double[2];
        List<Integer> windows = List.of(2, 4, 8, 16, 32, 64);
        for (int window : windows) {
            double each = QUADRICS.stream(Algorithm.ONCE, 8, 8, window, STREAM) / US;
            finding.place("once", window, each);
            us[0] = window == 2 ? each : us[0];
            us[1] = window == 16 ? each : us[1];
            finding.progress((windows.indexOf(window) + 1.0) / windows.size());
        }
        finding.add("2 channels", "us", 17.1, us[0], Expectation.SHOWN);
        finding.add("16 channels", "us", 4.3, us[1], Expectation.SHOWN);
        finding.add("2 channels less 16 channels", "us", 12.8, us[0] - us[1], Expectation.AT_MOST);
    }

    private static void reliability(Finding finding) {
        ProcessorCosts bare = QUADRICS.costs();
        Cluster checking =
                new Cluster(
                        QUADRICS.bitsPerSecond(),
                        QUADRICS.delayNs(),
                        new ProcessorCosts(
                                bare.overheadNs(),
                                bare.gapNs(),
                                bare.gapNsPerByte() + CRC_NS_PER_BYTE));
        double small = 0;
        double large = 0;
        double checksum = 0;
        List<Integer> sizes = List.of(4, 64, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB);
        for (int bytes : sizes) {
            double without = BareNetwork.send(QUADRICS.settings(8, 0), bytes).lastNs() / US;
            double with = checking.broadcast(Algorithm.ONCE, 8, bytes).lastNs() / US;
            double unchecked = QUADRICS.broadcast(Algorithm.ONCE, 8, bytes).lastNs() / US;
            finding.place("without", bytes, without);
            finding.place("no checksum", bytes, unchecked);
            finding.place("with", bytes, with);
            small = bytes == 256 ? with - without : small;
            large = with / without;
            checksum = with / unchecked;
            finding.progress((sizes.indexOf(bytes) + 1.0) / sizes.size());
        }
        finding.add("what 256 bytes take longer", "us", 1, small, Expectation.SHOWN);
        finding.show("64 KiB: with over without", "", large);
        finding.show("64 KiB: with over no checksum", "", checksum);
    }

    private static void constantTime(Finding finding) {
        int number = 0;
        for (Algorithm algorithm : List.of(Algorithm.BINOMIAL, Algorithm.ONCE)) {
            Outcome outcome = Cluster.FAST_ETHERNET.broadcast(algorithm, 116, 2);
            finding.place("first rank", number, outcome.firstNs() / US);
            finding.place("last rank", number, outcome.lastNs() / US);
            double percent = 100 * (1 - (double) outcome.firstNs() / outcome.lastNs());
            boolean tree = algorithm == Algorithm.BINOMIAL;
            finding.add(
                    algorithm.label() + ": the first rank ends earlier by",
                    "%",
                    tree ? 79.4 : 14,
                    percent,
                    tree ? Expectation.NEAR : Expectation.AT_MOST);
            finding.progress(++number / 2.0);
        }
    }

    private static void bisection(Finding finding) {
        int number = 0;
        for (Map.Entry<String, double[]> cluster : PublishedClusters.bandwidths().entrySet()) {
            double[] percent = cluster.getValue();
            finding.place("published", number, percent[0]);
            finding.place("random tables", number, percent[1]);
            finding.place("best tables", number, percent[2]);
            finding.add(
                    cluster.getKey() + ", random tables",
                    "%",
                    percent[0],
                    percent[1],
                    Expectation.NEAR);
            finding.progress(++number / 4.0);
        }
    }
}
