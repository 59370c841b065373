package org.madcast.allocator.tuning;

/**
 * What trials of delays may cost a site: a small share of all the time that its ranks spent in
 * calls, so that a site where no delay helps loses no more, whatever its calls look like.
 *
 * @param allowanceNs what they may still cost all ranks together; negative when they cost too much
 * @param unrest by how much calls without a delay differ from one observation to the next, as a
 *     share of what they take: what differs less tells nothing
 */
public record Account(double allowanceNs, double unrest) {

    /** Of all calls' time. */
    private static final double SHARE = 0.005;

    /** What a site starts with, in the time of the calls of its first observation. */
    private static final double FIRST = 1.3;

    private static final double MOST = 2;
    private static final double FRESH = 0.25;

    static Account opened(double spentNs) {
        return new Account(spentNs * FIRST, 0);
    }

    /** After calls that took so long. */
    Account earning(double spentNs) {
        boolean isFull = allowanceNs >= spentNs * MOST;
        return isFull ? this : new Account(allowanceNs + spentNs * SHARE, unrest);
    }

    Account paying(double ns) {
        return new Account(allowanceNs - ns, unrest);
    }

    /** After an observation without a delay that differed that much. */
    Account differing(double share) {
        double now = unrest == 0 ? share : unrest + (share - unrest) * FRESH;
        return new Account(allowanceNs, now);
    }

    /**
     * Whether a trial is worth its risk: it can be paid if it is in vain, several times when it
     * would lose more than it can win.
     */
    boolean allows(double inVainNs, double sparedNs) {
        double odds = Math.max(1, inVainNs / Math.max(1, sparedNs));
        return inVainNs * odds <= allowanceNs;
    }

    /** How much of what all calls of so many observations lost may not be seen in them. */
    double hiddenNs(double observationNs, int observations) {
        return unrest * observationNs * Math.sqrt(observations);
    }

    /** Whether a difference of means over so many observations is more than unrest. */
    boolean tells(double difference, double ofNs, int observations) {
        return difference > unrest * ofNs / Math.sqrt(observations);
    }
}
