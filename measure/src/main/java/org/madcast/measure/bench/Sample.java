package org.madcast.measure.bench;

import org.madcast.client.DurationDistribution;

/**
 * One trial, timed. All times count from the instant on which root and parent had agreed.
 *
 * @param lastNs until the last receiver had the message
 * @param meanNs until a rank was done, the mean over all ranks
 * @param skewNs from the first rank's end to the last one's
 * @param rootTxBytes what the root's link carried away from it, frames included
 * @param repairs fragments that arrived as a repair, over all ranks
 * @param repairTimes from noticing a loss to its repair, of all ranks
 * @param corrupt ranks whose bytes were not those of the root
 * @param complete false when a rank did not get everything, which only happens to the floor
 */
public record Sample(
        long lastNs,
        double meanNs,
        long skewNs,
        long rootTxBytes,
        long repairs,
        DurationDistribution repairTimes,
        int corrupt,
        boolean complete) {}
