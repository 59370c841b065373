package org.madcast.measure.reproduce;

import java.util.Arrays;
import org.madcast.client.Algorithm;
import org.madcast.simulator.CableModel;
import org.madcast.simulator.JobNetwork;
import org.madcast.simulator.JobSettings;
import org.madcast.simulator.Outcome;
import org.madcast.simulator.ProcessorCosts;
import org.madcast.simulator.SimulatedJob;
import org.madcast.simulator.Ways;

/**
 * A cluster of a paper, for the simulator: hosts that are alike, on one switch.
 *
 * @param bitsPerSecond of a cable
 * @param delayNs of a cable
 * @param costs what calls and datagrams cost a host
 */
record Cluster(long bitsPerSecond, long delayNs, ProcessorCosts costs) {

    private static final long QUEUE_BYTES = 512 * 1024;
    private static final long MBIT = 1_000_000;
    private static final int LOSSY_REPETITIONS = 9;

    /** What {@code madcast simulate} takes when nothing else is asked for. */
    static final Cluster FAST_ETHERNET =
            new Cluster(100 * MBIT, 5_000, new ProcessorCosts(20_000, 4_700, 0.5));

    /** The same with cables ten times as fast. */
    static final Cluster GIGABIT =
            new Cluster(1_000 * MBIT, 5_000, new ProcessorCosts(20_000, 4_700, 0.5));

    /** QsNet with Elan3 cards and LA-MPI: 340 MB/s, and short messages in about 5 us. */
    static final Cluster QUADRICS =
            new Cluster(2_720 * MBIT, 800, new ProcessorCosts(1_500, 800, 0.05));

    /** Of so many ranks. */
    JobSettings settings(int ranks, int window) {
        JobNetwork network =
                JobNetwork.uniform(
                        ranks,
                        bitsPerSecond,
                        1,
                        bitsPerSecond,
                        false,
                        new CableModel(delayNs, QUEUE_BYTES, false));
        return new JobSettings(network, 0, 0, costs, window, 1);
    }

    /** One broadcast; without loss all are the same. */
    Outcome broadcast(Algorithm algorithm, int ranks, int bytes) {
        return broadcast(Ways.byRank(), algorithm, ranks, bytes);
    }

    /**
     * The median time until the last rank has the message, where hosts lose datagrams.
     *
     * @param lossPercent what each host loses of what arrives
     */
    double medianNs(Algorithm algorithm, int ranks, int bytes, double lossPercent) {
        JobSettings plain = settings(ranks, 0);
        JobSettings lossy =
                new JobSettings(plain.network(), lossPercent, 0, costs, plain.windowFragments(), 1);
        long[] times = new long[LOSSY_REPETITIONS];
        try (SimulatedJob job = new SimulatedJob(lossy)) {
            Arrays.setAll(times, _ -> job.broadcast(algorithm, bytes).lastNs());
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }

    /** One broadcast of whole messages from rank to rank. */
    Outcome unsegmented(Algorithm algorithm, int ranks, int bytes) {
        return broadcast(Ways.unsegmented(), algorithm, ranks, bytes);
    }

    private Outcome broadcast(Ways ways, Algorithm algorithm, int ranks, int bytes) {
        try (SimulatedJob job = new SimulatedJob(settings(ranks, 0), ways)) {
            return job.broadcast(algorithm, bytes);
        }
    }

    /** The mean time of broadcasts that follow each other at once, in nanoseconds. */
    double stream(Algorithm algorithm, int ranks, int bytes, int window, int count) {
        try (SimulatedJob job = new SimulatedJob(settings(ranks, window))) {
            return job.stream(algorithm, bytes, count);
        }
    }
}
