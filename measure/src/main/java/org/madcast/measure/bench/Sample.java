package org.madcast.measure.bench;

import java.util.List;
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
 * @param rankNs until each rank was done; empty where that is not known
 * @param overlapped one where the call was overlapped with a computation, too; else empty
 */
public record Sample(
        long lastNs,
        double meanNs,
        long skewNs,
        long rootTxBytes,
        long repairs,
        DurationDistribution repairTimes,
        int corrupt,
        boolean complete,
        List<Double> rankNs,
        List<Overlapped> overlapped) {

    /**
     * How long ranks were held up, the mean over all of them.
     *
     * @param aloneNs by the call and the wait for its end, one behind the other
     * @param heldNs by the call and the wait for its end, with a computation between them
     * @param wholeNs until the last rank had ended both call and computation
     */
    public record Overlapped(double aloneNs, double heldNs, double wholeNs) {

        /** The part of the call's time that the computation hid: below 0 when it took longer. */
        double hidden() {
            return 1 - heldNs / aloneNs;
        }
    }
}
