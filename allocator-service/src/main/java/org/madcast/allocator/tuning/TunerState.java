package org.madcast.allocator.tuning;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the tuner knows of a site; a value that can be stored.
 *
 * @param delayNs the delay that is advised
 * @param reason why, for people
 * @param arrivals weight of the receivers by when they called after the root, in nanoseconds of
 *     their bucket's middle
 * @param repairNs what asking costs a receiver that is late, on average; 0 where receivers buffer
 * @param earlyNs what asking costs a receiver that is in time, on average; 0 where nothing is lost
 * @param settling observations to pass over, since they mix two delays
 * @param patience good observations in a row that a delay needs before it is advised
 * @param good good observations in a row so far
 * @param zeroCallNs what a call takes without a delay, as measured last; null when it was not
 * @param halvings how often the delay was halved since it spared nothing; null for never
 */
public record TunerState(
        long delayNs,
        String reason,
        Map<Long, Double> arrivals,
        double repairNs,
        double earlyNs,
        int settling,
        int patience,
        int good,
        @Nullable Double zeroCallNs,
        @Nullable Integer halvings) {

    /** A job that is over after a few reports is left alone. */
    private static final int FIRST_PATIENCE = 3;

    /** A site of which nothing is known: no delay. */
    public static final TunerState INITIAL =
            new TunerState(
                    0, "nothing is known yet", Map.of(), 0, 0, 0, FIRST_PATIENCE, 0, null, null);

    /** Keeps the arrivals as they are. */
    public TunerState {
        arrivals = Map.copyOf(arrivals);
    }

    /** What being late costs a receiver: what it would not have lost in time. */
    double latenessNs() {
        return Math.max(0, repairNs - earlyNs);
    }

    /** What is known now, with the same advice. */
    TunerState knowing(
            Map<Long, Double> called, double late, double early, @Nullable Double zeroNs) {
        return new TunerState(
                delayNs, reason, called, late, early, 0, patience, good, zeroNs, halvings);
    }

    /** The same, but so many observations are to be passed over. */
    TunerState settlingFor(int observations) {
        return new TunerState(
                delayNs,
                reason,
                arrivals,
                repairNs,
                earlyNs,
                observations,
                patience,
                good,
                zeroCallNs,
                halvings);
    }

    /** Another delay, for that reason, in place of one that was halved so often. */
    TunerState advising(long advisedNs, int halved, int newPatience, String why) {
        return new TunerState(
                advisedNs, why, arrivals, repairNs, earlyNs, 0, newPatience, 0, zeroCallNs, halved);
    }

    /** No delay yet, for that reason, after so many good observations in a row. */
    TunerState waiting(int inARow, String why) {
        return new TunerState(
                0, why, arrivals, repairNs, earlyNs, 0, patience, inARow, zeroCallNs, 0);
    }

    /** How often the delay was halved. */
    int timesHalved() {
        return halvings == null ? 0 : halvings;
    }

    /** All that is known, the earliest first. */
    List<Map.Entry<Long, Double>> sorted() {
        return List.copyOf(new TreeMap<>(arrivals).entrySet());
    }
}
