package org.madcast.measure.reproduce;

import java.util.List;
import org.madcast.client.Algorithm;
import org.madcast.simulator.Outcome;

/** Of seed 000: Siebert's thesis, measured on CLiC, a cluster with Fast Ethernet and one switch. */
final class ThesisFigures {

    private static final int KIB = 1024;
    private static final int MIB = 1 << 20;
    private static final double MS = 1e6;
    private static final Cluster CLIC = Cluster.FAST_ETHERNET;
    private static final String NETWORK =
            "there: CLiC, 100 Mbit/s, one switch, Open MPI over TCP on Pentium III processors; here:"
                    + " the same cables and switch simulated, with hosts of today";

    private ThesisFigures() {}

    static List<Figure> all() {
        return List.of(
                new Figure(
                        "000-10",
                        "the four basic algorithms without segments (figures 3 to 10)",
                        NETWORK,
                        "ranks; mean ms of a rank, 1 MiB",
                        "All are means over 8 nodes. A message leaves at the cable's full rate here, 1 MiB in 90 ms,"
                                + " and in about 100 ms there, so the factors are what is compared.",
                        ThesisFigures::basic),
                new Figure(
                        "000-18",
                        "broadcasts to up to 342 nodes",
                        NETWORK,
                        "ranks; mean ms of a rank",
                        "Open MPI's messages passed a TCP stack of 2006 at each of nine hops, and it chose larger"
                                + " segments for 64 KiB; the factors count. With two ranks ipmc ends here"
                                + " with stage 1: a rank's call ends when it has the message, there when"
                                + " it has sent it on too. From three ranks on a cable carries both"
                                + " stages.",
                        ThesisFigures::large),
                new Figure(
                        "000-19",
                        "how evenly 342 nodes end, 64 KiB",
                        NETWORK,
                        "algorithm; last and first rank's ms",
                        "Each rank's time until it has the message, the last one's over the first one's. The tree"
                                + " sends whole messages here, in nine rounds. With ipmc the rank behind"
                                + " the root gets stage 2 after stage 1, so its cable is free for stage"
                                + " 1 and it is first; there a rank's time includes what it sends on.",
                        ThesisFigures::skew),
                new Figure(
                        "000-20",
                        "broadcasts to few nodes, 4 KiB",
                        NETWORK,
                        "ranks; mean ms of a rank, 4 KiB",
                        "The thesis compares with LAM/MPI and Open MPI, whose trees send whole messages;"
                                + " so does the binomial tree here.",
                        ThesisFigures::small),
                new Figure(
                        "000-loss",
                        "what lost datagrams cost, 1 MiB to 16 ranks",
                        "here: 100 Mbit/s, one switch, each host loses what arrives at random; simulated",
                        "percent lost; times the time without loss",
                        "A claim of the thesis (section 3.2.2) rather than a figure: with 100 % lost the second"
                                + " stage alone still is a chain in segments. With once a receiver asks for what"
                                + " it misses; with ipmc no rank asks. With chain a rank asks the one before it.",
                        ThesisFigures::lossy));
    }

    private static double meanMs(Outcome outcome) {
        return outcome.meanNs() / MS;
    }

    private static void basic(Finding finding) {
        List<Integer> ranks = List.of(2, 4, 8, 16, 32);
        List<Algorithm> algorithms =
                List.of(Algorithm.LINEAR, Algorithm.CHAIN, Algorithm.BINARY, Algorithm.BINOMIAL);
        double[] atEight = new double[algorithms.size()];
        int done = 0;
        for (int i = 0; i < algorithms.size(); i++) {
            Algorithm algorithm = algorithms.get(i);
            for (int size : ranks) {
                double ms = meanMs(CLIC.unsegmented(algorithm, size, MIB));
                finding.place(algorithm.label(), size, ms);
                atEight[i] = size == 8 ? ms : atEight[i];
                finding.progress((double) ++done / (ranks.size() * algorithms.size() + 1));
            }
        }
        double pipelined = meanMs(CLIC.broadcast(Algorithm.CHAIN, 8, MIB));
        finding.add("chain, 8 ranks", "ms", 440, atEight[1], Expectation.SHOWN);
        finding.add("binary, 8 ranks", "ms", 307, atEight[2], Expectation.SHOWN);
        finding.add("binomial, 8 ranks", "ms", 291, atEight[3], Expectation.SHOWN);
        finding.add("chain in segments, 8 ranks", "ms", 120, pipelined, Expectation.SHOWN);
        finding.add(
                "chain over chain in segments", "", 3.67, atEight[1] / pipelined, Expectation.NEAR);
        finding.add(
                "binary over chain in segments",
                "",
                307 / 120.0,
                atEight[2] / pipelined,
                Expectation.NEAR);
        finding.add(
                "binomial over chain in segments",
                "",
                291 / 120.0,
                atEight[3] / pipelined,
                Expectation.NEAR);
        finding.show("linear, 8 ranks", "ms", atEight[0]);
    }

    private static void large(Finding finding) {
        List<Integer> ranks = List.of(2, 8, 32, 128, 342);
        double[] last = new double[3];
        List<Algorithm> algorithms = List.of(Algorithm.BINOMIAL, Algorithm.IPMC, Algorithm.ONCE);
        for (int bytes : List.of(8 * KIB, 64 * KIB)) {
            double atTwo = 0;
            for (int i = 0; i < algorithms.size(); i++) {
                Algorithm algorithm = algorithms.get(i);
                for (int size : ranks) {
                    double ms = meanMs(CLIC.broadcast(algorithm, size, bytes));
                    finding.place(algorithm.label() + ", " + bytes / KIB + " KiB", size, ms);
                    last[i] = ms;
                    atTwo = size == 2 ? ms : atTwo;
                }
                finding.progress((bytes == 8 * KIB ? 0 : 0.5) + (i + 1) / 6.0);
                if (bytes == 64 * KIB && algorithm != Algorithm.ONCE) {
                    boolean tree = algorithm == Algorithm.BINOMIAL;
                    finding.add(
                            algorithm.label() + ", 64 KiB: 342 ranks over 2 ranks",
                            "",
                            tree ? 4.985 : 1.015,
                            last[i] / atTwo,
                            tree ? Expectation.SHOWN : Expectation.NEAR);
                }
            }
            boolean small = bytes == 8 * KIB;
            String size = bytes / KIB + " KiB, 342 ranks: ";
            finding.add(size + "binomial", "ms", small ? 10.405 : 33.9, last[0], Expectation.SHOWN);
            finding.add(size + "ipmc", "ms", small ? 2.125 : 13.6, last[1], Expectation.AT_MOST);
            finding.show(size + "once", "ms", last[2]);
            finding.add(
                    size + "binomial over ipmc",
                    "",
                    small ? 4.896 : 2.49,
                    last[0] / last[1],
                    Expectation.AT_LEAST);
            finding.add(
                    size + "binomial over once",
                    "",
                    small ? 4.896 : 2.49,
                    last[0] / last[2],
                    Expectation.AT_LEAST);
        }
    }

    private static void skew(Finding finding) {
        int number = 0;
        for (Algorithm algorithm : List.of(Algorithm.BINOMIAL, Algorithm.IPMC, Algorithm.ONCE)) {
            Outcome outcome =
                    algorithm == Algorithm.BINOMIAL
                            ? CLIC.unsegmented(algorithm, 342, 64 * KIB)
                            : CLIC.broadcast(algorithm, 342, 64 * KIB);
            double ratio = (double) outcome.lastNs() / outcome.firstNs();
            finding.place("first rank", number, outcome.firstNs() / MS);
            finding.place("last rank", number, outcome.lastNs() / MS);
            finding.add(
                    algorithm.label() + ": last over first rank",
                    "",
                    algorithm == Algorithm.BINOMIAL ? 3.18 : 1.17,
                    ratio,
                    algorithm == Algorithm.BINOMIAL ? Expectation.SHOWN : Expectation.AT_MOST);
            finding.progress(++number / 3.0);
        }
    }

    private static void lossy(Finding finding) {
        List<Double> losses = List.of(0.0, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0);
        List<Algorithm> algorithms = List.of(Algorithm.ONCE, Algorithm.IPMC, Algorithm.CHAIN);
        int done = 0;
        for (Algorithm algorithm : algorithms) {
            double without = CLIC.medianNs(algorithm, 16, MIB, 0);
            for (double loss : losses) {
                double times = CLIC.medianNs(algorithm, 16, MIB, loss) / without;
                finding.place(algorithm.label(), loss, times);
                if (loss >= 1) {
                    finding.show("%s, %.0f %% lost".formatted(algorithm.label(), loss), "", times);
                }
                finding.progress((double) ++done / (losses.size() * algorithms.size()));
            }
        }
    }

    private static void small(Finding finding) {
        List<Integer> ranks = List.of(2, 4, 6, 8, 13, 20, 28, 32);
        for (int size : ranks) {
            double tree = meanMs(CLIC.unsegmented(Algorithm.BINOMIAL, size, 4 * KIB));
            double ipmc = meanMs(CLIC.broadcast(Algorithm.IPMC, size, 4 * KIB));
            double once = meanMs(CLIC.broadcast(Algorithm.ONCE, size, 4 * KIB));
            finding.place("binomial", size, tree);
            finding.place("ipmc", size, ipmc);
            finding.place("once", size, once);
            double published = size == 13 ? 1.491 : size == 28 ? 2 : size == 20 ? 1.469 : 0;
            if (published > 0) {
                finding.add(
                        size + " ranks: binomial over ipmc",
                        "",
                        published,
                        tree / ipmc,
                        Expectation.AT_LEAST);
            }
            finding.progress((double) (ranks.indexOf(size) + 1) / ranks.size());
        }
    }
}
