package org.madcast.measure.reproduce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.madcast.client.Algorithm;
import org.madcast.client.topology.BinaryTrees;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.SwitchTreeBuilder;
import org.madcast.simulator.CableModel;
import org.madcast.simulator.JobNetwork;
import org.madcast.simulator.JobSettings;
import org.madcast.simulator.SimulatedJob;
import org.madcast.simulator.Ways;
import org.madcast.simulator.model.BroadcastModel;
import org.madcast.simulator.model.MeasuredNetwork;

/** Of seed 001: pipelined broadcasts on Ethernet switched clusters. */
final class PipelineFigures {

    private static final int KIB = 1024;
    private static final int MIB = 1 << 20;
    private static final double MS = 1e6;
    private static final int HEADER_BYTES = 36;
    private static final int RANKS = 16;
    private static final long GBIT = 1_000_000_000;

    /** Table 2: g(m) and L(m) in ms at 100 and at 1000 Mbit/s, for segments of 256 B to 32 KiB. */
    private static final double[][] TABLE_2 = {
        {0.030, 0.110, 0.013, 0.046},
        {0.051, 0.156, 0.017, 0.054},
        {0.089, 0.250, 0.025, 0.068},
        {0.177, 0.318, 0.039, 0.083},
        {0.351, 0.317, 0.069, 0.082},
        {0.695, 0.324, 0.133, 0.078},
        {1.389, 0.325, 0.267, 0.062},
        {2.781, 0.323, 0.541, 0.030}
    };

    /** Table 3, the model's columns for linear trees, 8 KiB to 2 MiB. */
    private static final int[] SEGMENTS_100 = {256, 256, 256, 256, 512, 512, 1024, 1024, 1024};

    private static final int[] SEGMENTS_1000 = {256, 256, 512, 1024, 1024, 2048, 4096, 4096, 4096};

    private PipelineFigures() {}

    static List<Figure> all() {
        return List.of(
                new Figure(
                        "001-5",
                        "heights of contention-free binary trees in random clusters",
                        "random trees of switches with 8 and 16 machines each, up to 1,024 machines",
                        "machines; height, mean of 20 clusters",
                        "The paper's curves are a picture; its text says within twice the complete"
                                + " binary tree.",
                        PipelineFigures::heights),
                new Figure(
                        "001-table-3",
                        "segment sizes that formula 1 says are the best (linear tree, 32 machines)",
                        "the paper's own L and g (its table 2)",
                        "message KiB; bytes of a segment",
                        "The same formula with the parameters as printed, which are rounded: at 64 KiB and 1 Gbit/s"
                                + " they say 512 bytes (4.36 ms) where the paper has 1024 (4.46 ms).",
                        PipelineFigures::segments),
                new Figure(
                        "001-12",
                        "pipelined trees on one switch, 100 Mbit/s",
                        "16 machines, 100 Mbit/s, one switch; simulated here",
                        "message KiB; ms",
                        "Segments here are one frame each, there 512 bytes to 4 KiB. 'Very close to a single message'"
                                + " and 'about twice' are the paper's words.",
                        PipelineFigures::fastEthernet),
                new Figure(
                        "001-18",
                        "pipelined trees on one switch, 1 Gbit/s",
                        "16 machines, 1 Gbit/s, one switch; simulated here with hosts that keep up",
                        "message KiB; ms",
                        "Their processors could not send and receive at 1 Gbit/s at the same time (the"
                                + " paper says so); ours are simulated fast enough, so all is quicker,"
                                + " and the linear tree wins from smaller messages on.",
                        PipelineFigures::gigabit),
                new Figure(
                        "001-15",
                        "trees by the cables against trees by the ranks' numbers",
                        "32 machines on 4 switches, ranks at random, 100 Mbit/s everywhere; the paper's"
                                + " topologies 2 to 5 are only drawn there",
                        "message KiB; ms",
                        "The paper says 'significantly better'. The aim here was 1.5 times for the chain.",
                        PipelineFigures::contention));
    }

    private static void heights(Finding finding) {
        Random random = new Random(1);
        List<Integer> sizes = List.of(32, 64, 128, 256, 512, 1024);
        double worst = 0;
        int done = 0;
        for (int perSwitch : List.of(8, 16)) {
            for (int machines : sizes) {
                double mean = 0;
                for (int i = 0; i < 20; i++) {
                    SwitchTree tree = cluster(machines, machines / perSwitch, random);
                    mean += height(BinaryTrees.of(order(tree), 0), machines) / 20.0;
                }
                double complete = Math.ceil(Math.log(machines + 1) / Math.log(2)) - 1;
                finding.place(perSwitch + " machines a switch", machines, mean);
                if (perSwitch == 8) {
                    finding.place("complete binary tree", machines, complete);
                }
                worst = Math.max(worst, mean / complete);
                finding.progress(++done / 12.0);
            }
        }
        finding.add("height over the complete tree's", "", 2, worst, Expectation.AT_MOST);
    }

    /** Machines on random switches, which random cables join into a tree. */
    private static SwitchTree cluster(int machines, int switches, Random random) {
        SwitchTreeBuilder builder = new SwitchTreeBuilder();
        for (int i = 0; i < switches; i++) {
            builder.addSwitch("s" + i);
        }
        for (int i = 1; i < switches; i++) {
            builder.addCable("s" + i, "s" + random.nextInt(i), GBIT / 10);
        }
        for (int i = 0; i < machines; i++) {
            builder.addHost("n" + i, "s" + random.nextInt(switches), GBIT / 10);
        }
        return builder.build();
    }

    private static RankOrder order(SwitchTree tree) {
        List<Integer> hosts = new ArrayList<>();
        for (int i = 0; i < tree.hosts(); i++) {
            hosts.add(tree.host(i));
        }
        return RankOrder.of(tree, hosts);
    }

    private static int height(BinaryTrees tree, int ranks) {
        int[] depth = new int[ranks];
        int highest = 0;
        List<Integer> waiting = new ArrayList<>(List.of(0));
        while (!waiting.isEmpty()) {
            int rank = waiting.removeLast();
            highest = Math.max(highest, depth[rank]);
            for (int i = 0; i < 2; i++) {
                int child = tree.child(i, rank);
                if (child >= 0) {
                    depth[child] = depth[rank] + 1;
                    waiting.add(child);
                }
            }
        }
        return highest;
    }

    private static void segments(Finding finding) {
        int agree = 0;
        for (int i = 0; i < SEGMENTS_100.length; i++) {
            int kib = 8 << i;
            int bytes = KIB * kib;
            int slow = bestSegment(bytes, 0);
            int fast = bestSegment(bytes, 2);
            finding.place("100 Mbit/s", kib, slow);
            finding.place("1 Gbit/s", kib, fast);
            agree += slow == SEGMENTS_100[i] ? 1 : 0;
            agree += fast == SEGMENTS_1000[i] ? 1 : 0;
        }
        finding.add("sizes that agree, of 18", "", 18, agree, Expectation.AT_LEAST);
    }

    private static int bestSegment(int bytes, int column) {
        int best = 0;
        double bestNs = Double.MAX_VALUE;
        for (int i = 0; i < TABLE_2.length; i++) {
            int segment = 256 << i;
            MeasuredNetwork network =
                    new MeasuredNetwork(
                            TABLE_2[i][column + 1] * MS,
                            0,
                            List.of(new MeasuredNetwork.Line(1, TABLE_2[i][column] * MS, 0)),
                            segment + HEADER_BYTES);
            double ns = new BroadcastModel(network).lastNs(Algorithm.CHAIN, 32, bytes);
            if (segment <= bytes && ns < bestNs) {
                best = segment;
                bestNs = ns;
            }
        }
        return best;
    }

    private static void fastEthernet(Finding finding) {
        trees(finding, Cluster.FAST_ETHERNET);
        double single = Cluster.FAST_ETHERNET.broadcast(Algorithm.CHAIN, 2, 2 * MIB).lastNs();
        double linear = Cluster.FAST_ETHERNET.broadcast(Algorithm.CHAIN, RANKS, 2 * MIB).lastNs();
        double binary = Cluster.FAST_ETHERNET.broadcast(Algorithm.BINARY, RANKS, 2 * MIB).lastNs();
        double lam = Cluster.FAST_ETHERNET.unsegmented(Algorithm.BINOMIAL, RANKS, 2 * MIB).lastNs();
        finding.add(
                "linear over a single message, 2 MiB", "", 1, linear / single, Expectation.NEAR);
        finding.add(
                "binary over a single message, 2 MiB", "", 2, binary / single, Expectation.NEAR);
        finding.show("binomial, whole messages (LAM), over linear, 2 MiB", "", lam / linear);
    }

    private static void gigabit(Finding finding) {
        trees(finding, Cluster.GIGABIT);
        finding.add(
                "binary, 128 KiB", "ms", 7.8, ms(Algorithm.BINARY, 128 * KIB), Expectation.AT_MOST);
        finding.add(
                "binary, 512 KiB",
                "ms",
                24.3,
                ms(Algorithm.BINARY, 512 * KIB),
                Expectation.AT_MOST);
        finding.add(
                "scatter_allgather (MPICH) over the best tree, 512 KiB",
                "",
                27.8 / 24.3,
                ms(Algorithm.SCATTER_ALLGATHER, 512 * KIB)
                        / Math.min(ms(Algorithm.BINARY, 512 * KIB), ms(Algorithm.CHAIN, 512 * KIB)),
                Expectation.SHOWN);
    }

    private static double ms(Algorithm algorithm, int bytes) {
        return Cluster.GIGABIT.broadcast(algorithm, RANKS, bytes).lastNs() / MS;
    }

    private static void trees(Finding finding, Cluster cluster) {
        List<Algorithm> algorithms =
                List.of(Algorithm.CHAIN, Algorithm.BINARY, Algorithm.SCATTER_ALLGATHER);
        int done = 0;
        for (Algorithm algorithm : algorithms) {
            try (SimulatedJob job = new SimulatedJob(cluster.settings(RANKS, 0))) {
                for (int bytes = 8 * KIB; bytes <= 2 * MIB; bytes *= 4) {
                    double ms = job.broadcast(algorithm, bytes).lastNs() / MS;
                    finding.place(algorithm.label(), bytes / (double) KIB, ms);
                }
            }
            finding.progress(++done / 5.0);
        }
        for (int bytes = 8 * KIB; bytes <= 2 * MIB; bytes *= 4) {
            double ms = cluster.unsegmented(Algorithm.BINOMIAL, RANKS, bytes).lastNs() / MS;
            finding.place("binomial, whole", bytes / (double) KIB, ms);
        }
    }

    private static void contention(Finding finding) {
        List<Integer> placed = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            placed.add(i);
        }
        Collections.shuffle(placed, new Random(834217));
        SwitchTreeBuilder builder = new SwitchTreeBuilder();
        for (int i = 0; i < 4; i++) {
            builder.addSwitch("s" + i);
        }
        for (int i = 1; i < 4; i++) {
            builder.addCable("s0", "s" + i, GBIT / 10);
        }
        for (int i = 0; i < 32; i++) {
            builder.addHost("n" + i, "s" + placed.get(i) / 8, GBIT / 10);
        }
        SwitchTree tree = builder.build();
        JobNetwork network = JobNetwork.of(tree, 32, false, new CableModel(5_000, 3L << 20, false));
        JobSettings settings = new JobSettings(network, 0, 0, Cluster.FAST_ETHERNET.costs(), 0, 1);
        Ways byCables = Ways.byCables(order(tree));
        int done = 0;
        for (Algorithm algorithm : List.of(Algorithm.CHAIN, Algorithm.BINARY)) {
            double[] ms = new double[2];
            for (int bytes : List.of(64 * KIB, 256 * KIB, MIB)) {
                ms[0] = ms(settings, Ways.byRank(), algorithm, bytes);
                ms[1] = ms(settings, byCables, algorithm, bytes);
                finding.place(algorithm.label() + " by number", bytes / (double) KIB, ms[0]);
                finding.place(algorithm.label() + " by cables", bytes / (double) KIB, ms[1]);
                finding.progress(++done / 6.0);
            }
            finding.show(algorithm.label() + " by number over by cables, 1 MiB", "", ms[0] / ms[1]);
        }
    }

    private static double ms(JobSettings settings, Ways ways, Algorithm algorithm, int bytes) {
        try (SimulatedJob job = new SimulatedJob(settings, ways)) {
            return job.broadcast(algorithm, bytes).lastNs() / MS;
        }
    }
}
