package org.madcast.allocator.tuning;

import org.jspecify.annotations.Nullable;

/**
 * What trials of delays may cost a site: a small share of all the time that its ranks spent in
 * calls, so that a site where no delay helps loses no more, whatever its calls look like.
 *
 * @param allowanceNs what they may still cost all ranks together; negative when they cost too much
 * @param unrest by how much calls differ from one observation to the next with the same delay, or
 *     none: the mean absolute deviation of their logarithms; what differs less tells nothing
 * @param counted observations; null for many
 */
public record Account(double allowanceNs, double unrest, @Nullable Integer counted) {

    /** Of all calls' time. */
    private static final double SHARE = 0.003;

    /** What a site starts with, in the time of all calls of an observation. */
    private static final double FIRST = 1.7;

    /** It gets that in several parts, since one observation may be an outlier. */
    private static final int OPENING = 3;

    /** How many observations the mean time of calls without a delay is made of. */
    static final int MEMORY = 9;

    private static final double MOST = 2;
    private static final double FRESH = 0.1;

    /** More are not counted. */
    private static final int MANY = 100;

    static Account opened(double spentNs) {
        return new Account(spentNs * FIRST / OPENING, 0, 1);
    }

    /** After calls that took so long. */
    Account earning(double spentNs) {
        double share = seen() < OPENING ? FIRST / OPENING : SHARE;
        boolean isFull = allowanceNs >= spentNs * MOST;
        return isFull ? this : new Account(allowanceNs + spentNs * share, unrest, counted);
    }

    Account paying(double ns) {
        return new Account(allowanceNs - ns, unrest, counted);
    }

    /** After an observation that differed that much from what is usual. */
    Account differing(double share) {
        double fresh = Math.max(FRESH, 1.0 / seen());
        return new Account(
                allowanceNs, unrest + (share - unrest) * fresh, Math.min(MANY, seen() + 1));
    }

    /** The unrest, larger while it is known from few observations. */
    double deviation() {
        return unrest * (1 + 2.0 / seen());
    }

    /** How many observations there were. */
    int seen() {
        return counted == null ? MANY : counted;
    }

    /**
     * Whether a trial is worth its risk: it can be paid if it is in vain, several times when it
     * would lose more than it can win.
     */
    boolean allows(double inVainNs, double sparedNs) {
        double odds = Math.max(1, inVainNs / Math.max(1, sparedNs));
        return inVainNs * odds <= allowanceNs;
    }

    /** How much of the loss of {@code n} observations may not be seen in them. */
    double hiddenNs(double observationNs, int observations) {
        return unrest * observationNs * Math.sqrt(observations);
    }

    /** Whether a difference of means over {@code n} observations is more than noise. */
    boolean tells(double difference, double ofNs, int observations) {
        return difference > unrest * ofNs / Math.sqrt(observations);
    }
}
