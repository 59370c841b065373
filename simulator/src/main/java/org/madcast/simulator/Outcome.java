package org.madcast.simulator;

import java.util.Arrays;
import java.util.LongSummaryStatistics;
import org.madcast.client.DurationDistribution;

/**
 * One broadcast, or other collective call. All times count from the moment when rank 0 called.
 *
 * @param firstNs until the first receiver had the message, or the first rank's call ended
 * @param lastNs until the last one had it
 * @param meanNs until a rank's call ended, the mean over all ranks
 * @param skewNs from the first rank's end to the last one's
 * @param rootTxBytes what the root put on its cable, frames included
 * @param repairs fragments that arrived as a repair, over all ranks
 * @param repairTimes from noticing a loss to its repair, of all ranks
 * @param corrupt ranks whose bytes were not those of the root
 * @param complete false when a rank did not get everything, which only the bare network lets happen
 */
public record Outcome(
        long firstNs,
        long lastNs,
        double meanNs,
        long skewNs,
        long rootTxBytes,
        long repairs,
        DurationDistribution repairTimes,
        int corrupt,
        boolean complete) {

    /** No rank: what counts is the end of every rank's call. */
    static final int ALL = -1;

    /**
     * What came of a call that gave every rank what it should.
     *
     * @param startNs when rank 0 called
     * @param doneNs when each rank's call ended
     * @param sender the rank whose end does not count as a receiver's, or {@link #ALL}
     */
    static Outcome of(
            long startNs,
            long[] doneNs,
            int sender,
            long rootTxBytes,
            long repairs,
            DurationDistribution repairTimes,
            int corrupt) {
        long firstNs = Long.MAX_VALUE;
        long lastNs = 0;
        for (int rank = 0; rank < doneNs.length; rank++) {
            if (rank != sender) {
                firstNs = Math.min(firstNs, doneNs[rank] - startNs);
                lastNs = Math.max(lastNs, doneNs[rank] - startNs);
            }
        }
        LongSummaryStatistics ends = Arrays.stream(doneNs).summaryStatistics();
        return new Outcome(
                Math.min(firstNs, lastNs),
                lastNs,
                ends.getAverage() - startNs,
                ends.getMax() - ends.getMin(),
                rootTxBytes,
                repairs,
                repairTimes,
                corrupt,
                true);
    }

    /** When each rank does something after the call that takes so long. */
    Outcome after(long ns) {
        return new Outcome(
                firstNs + ns,
                lastNs + ns,
                meanNs + ns,
                skewNs,
                rootTxBytes,
                repairs,
                repairTimes,
                corrupt,
                complete);
    }
}
