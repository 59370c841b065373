package org.madcast.allocator.tuning;

import java.util.Map;
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
 * @param account what trials may cost; null when nothing was seen
 * @param trial the delay that is in force or was until a moment ago; null for none
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
        @Nullable Integer halvings,
        @Nullable Account account,
        @Nullable DelayTrial trial) {

    /** A job that is over after a few reports is left alone. */
    private static final int FIRST_PATIENCE = 3;

    /** A site of which nothing is known: no delay. */
    public static final TunerState INITIAL =
            new TunerState(
                    0,
                    "nothing is known yet",
                    Map.of(),
                    0,
                    0,
                    0,
                    FIRST_PATIENCE,
                    0,
                    null,
                    null,
                    null,
                    null);

    /** Keeps the arrivals as they are. */
    public TunerState {
        arrivals = Map.copyOf(arrivals);
    }

    /** What being late costs a receiver: what it would not have lost in time. */
    double latenessNs() {
        return Math.max(0, repairNs - earlyNs);
    }

    /** How often the delay was halved. */
    int timesHalved() {
        return halvings == null ? 0 : halvings;
    }

    /** What is known now, with the same advice. */
    TunerState knowing(
            Map<Long, Double> called,
            double late,
            double early,
            @Nullable Double zeroNs,
            Account saved) {
        return new TunerState(
                delayNs, reason, called, late, early, 0, patience, good, zeroNs, halvings, saved,
                trial);
    }

    /** The same, but the next {@code n} observations are ignored. */
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
                halvings,
                account,
                trial);
    }

    /** The same after a trial that cost so much. */
    TunerState charged(double ns) {
        return with(account == null ? null : account.paying(ns), trial);
    }

    /** The delay that is in force goes on. */
    TunerState goingOn(DelayTrial of) {
        return with(account, of);
    }

    private TunerState with(@Nullable Account saved, @Nullable DelayTrial of) {
        return new TunerState(
                delayNs,
                reason,
                arrivals,
                repairNs,
                earlyNs,
                settling,
                patience,
                good,
                zeroCallNs,
                halvings,
                saved,
                of);
    }

    /** Another delay, or none, for that reason; the trial says which it is or will be again. */
    TunerState advising(long advisedNs, @Nullable DelayTrial of, int newPatience, String why) {
        return new TunerState(
                advisedNs,
                why,
                arrivals,
                repairNs,
                earlyNs,
                0,
                newPatience,
                0,
                zeroCallNs,
                of == null ? 0 : of.halvings(),
                account,
                of);
    }

    /** No delay yet, for that reason, after {@code n} good observations in a row. */
    TunerState waiting(int inARow, String why) {
        return new TunerState(
                0,
                why,
                arrivals,
                repairNs,
                earlyNs,
                0,
                patience,
                inARow,
                zeroCallNs,
                0,
                account,
                null);
    }
}
