package org.madcast.simulator;

import org.madcast.client.DurationDistribution;

/**
 * One broadcast. All times count from the moment when the root called.
 *
 * @param firstNs until the first receiver had the message
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
        boolean complete) {}
