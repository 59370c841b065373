package org.madcast.allocator.tuning;

/**
 * What a delay that is in force may cost a site, by what was seen of it: a conservative bandit's
 * rule. As long as the evidence does not refute that it is in vain, it is taken to cost itself, and
 * ends before that is more than the account has left.
 *
 * @param zeroNs what a call takes without the delay; 0 when it was not seen
 * @param inVainNs what the delay costs a call if it spares no repair
 * @param calls of an observation
 */
record Probation(Account account, DelayTrial trial, double zeroNs, double inVainNs, long calls) {

    /** Observations; a delay that was good until a moment ago is not to pay for all of its life. */
    private static final int MOST_CHARGED = 8;

    /** Observations until the end of a delay is in force: the next is seen, and one goes on. */
    private static final int UNTIL_ENDED = 2;

    /** All that is known of the delay, what was seen since the last comparison included. */
    Evidence evidence() {
        int before = trial.pooled() == null ? account.seen() : Math.max(1, trial.noneSeen());
        return trial.seenInto(trial.evidence(), zeroNs, Math.min(Account.MEMORY, before));
    }

    /**
     * Whether calls with the delay take no less than they did without, as far as the observations
     * show.
     */
    boolean sparesNothing() {
        if (zeroNs == 0) {
            return false;
        }
        Evidence all = evidence();
        int before = Math.min(Account.MEMORY, account.seen());
        Evidence lately = trial.seenInto(Evidence.NONE, zeroNs, before);
        boolean lengthens = shortens(all) < 0 || shortens(lately) < 0;
        return lengthens || (all.gain() <= 0 && isTooRisky());
    }

    /** Positive when calls are shorter by more than unrest, negative when longer. */
    private double shortens(Evidence by) {
        double deviation = by.deviation(account.deviation());
        return Math.abs(by.gain()) > deviation ? by.gain() : 0;
    }

    /** Whether it may have cost more than can be paid when its end is in force. */
    boolean isTooRisky() {
        return zeroNs > 0
                && trial.seen() > 0
                && costNs(evidence(), trial.seen() + UNTIL_ENDED) > account.allowanceNs();
    }

    /** Whether it may come back after it was compared with none. */
    boolean allowsAgain() {
        return costNs(trial.evidence(), UNTIL_ENDED) <= account.allowanceNs();
    }

    /** What {@code n} observations with the delay cost, by that evidence. */
    double costNs(Evidence by, int observations) {
        if (zeroNs == 0) {
            return 0;
        }
        boolean isInVain = by.costsAtMost(account.deviation()) > Math.log1p(inVainNs / zeroNs);
        double seenNs = Math.max(0, -by.gain() * zeroNs);
        return (isInVain ? Math.max(inVainNs, seenNs) : seenNs) * calls * observations;
    }

    /**
     * What a delay that spared nothing cost. Where calls differ much from one observation to the
     * next, what was measured may hide what was lost: then it cost itself, or, since those who are
     * late may be repaired the later the longer the root waits, that much in each rank's call, as
     * far as the calls' unrest leaves room for it.
     */
    double likelyLostNs(double lostNs) {
        int charged = Math.min(trial.seen(), MOST_CHARGED);
        double hiddenNs = account.hiddenNs(zeroNs * calls, trial.seen());
        double itselfNs = Math.min(inVainNs * calls * charged, lostNs + 2 * hiddenNs);
        double inEachNs = Math.min((double) trial.delayNs() * calls * charged, lostNs + hiddenNs);
        return Math.max(Math.max(0, lostNs), Math.max(itselfNs, inEachNs));
    }
}
