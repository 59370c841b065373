package org.madcast.measure.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.measure.bench.Cell;
import org.madcast.simulator.JobSettings;

/**
 * What is simulated.
 *
 * @param job the network, the ranks and what goes wrong
 * @param network the network in words
 * @param rate what a host's cable carries, as the user wrote it
 * @param kinds in the order of the table
 * @param sizesBytes in the order of the table
 * @param repetitions how often each; 0 for as often as it says something new
 * @param floor whether the bare network is simulated too
 * @param measured what the result is compared with, or null
 */
record SimulateOptions(
        JobSettings job,
        String network,
        String rate,
        List<SimulatedKind> kinds,
        List<Integer> sizesBytes,
        int repetitions,
        boolean floor,
        @Nullable Measured measured) {

    private static final int MANY = 20;

    /** Datagrams to receive, over all ranks, in about twenty seconds. */
    private static final long ENOUGH_DATAGRAMS = 10_000_000;

    private static final int PAYLOAD_BYTES = 1400;

    /** Every size with every algorithm. */
    List<Cell> cells() {
        return sizesBytes.stream()
                .flatMap(bytes -> kinds.stream().map(kind -> new Cell(kind.label(), bytes)))
                .toList();
    }

    /**
     * How often a call of this size is made: where nothing is left to chance one time tells all,
     * else twenty times, or fewer when the job is large.
     */
    int repetitions(int sizeBytes) {
        if (repetitions > 0) {
            return repetitions;
        }
        if (job.lossPercent() == 0 && job.skewNs() == 0) {
            return 1;
        }
        long datagrams = (long) job.ranks() * (1 + sizeBytes / PAYLOAD_BYTES);
        return Math.clamp(ENOUGH_DATAGRAMS / datagrams, 1, MANY);
    }
}
