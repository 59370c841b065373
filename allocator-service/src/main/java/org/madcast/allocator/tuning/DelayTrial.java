package org.madcast.allocator.tuning;

import org.jspecify.annotations.Nullable;

/**
 * A delay that is in force, or was until a moment ago and is compared with none now.
 *
 * @param delayNs how long the root waits
 * @param halvings how often it was halved
 * @param promisedNs what a call should be spared by it
 * @param callNs what a call takes with it, the root's wait included, as measured lately
 * @param lostNs by how much all calls with it took longer than they did before, all together
 * @param seen observations of it since it was compared with none
 * @param lookAfter after how many observations it is compared again
 * @param noneNs what a call takes without, since the comparison began
 * @param noneSeen observations of that, or before it came in force
 * @param shorterTried whether half of it was tried and spared less
 * @param longer twice the delay, which spared something and comes back if this one spares less
 * @param pooled what comparisons have shown of it so far; null when there was none
 */
public record DelayTrial(
        long delayNs,
        int halvings,
        double promisedNs,
        double callNs,
        double lostNs,
        int seen,
        int lookAfter,
        double noneNs,
        int noneSeen,
        boolean shorterTried,
        @Nullable DelayTrial longer,
        @Nullable Evidence pooled) {

    /** A belief that is wrong must not last; one that was right before is looked at less often. */
    private static final int FIRST_LOOK = 4;

    private static final int MOST_BETWEEN_LOOKS = 128;
    private static final int MEAN_OF = 8;
    private static final int MOST_HALVINGS = 2;

    static DelayTrial of(long delayNs, double promisedNs) {
        return new DelayTrial(delayNs, 0, promisedNs, 0, 0, 0, FIRST_LOOK, 0, 0, false, null, null);
    }

    /** What comparisons have shown of it. */
    Evidence evidence() {
        return pooled == null ? Evidence.NONE : pooled;
    }

    /** With what was seen since the last comparison, against {@code n} observations without it. */
    Evidence seenInto(Evidence known, double zeroNs, int before) {
        int with = Math.min(2 * MEAN_OF - 1, seen); // as precise is such a moving mean
        return known.and(Math.log(zeroNs / callNs), with, before);
    }

    /** After one more observation, in which a call took that long, and all that much longer. */
    DelayTrial taking(double latelyNs, double longerNs) {
        double nowNs =
                seen == 0
                        ? latelyNs
                        : callNs * Math.pow(latelyNs / callNs, 1.0 / Math.min(MEAN_OF, seen + 1));
        return with(nowNs, lostNs + longerNs, seen + 1, lookAfter, longer, pooled);
    }

    private DelayTrial with(
            double nowNs,
            double lostNowNs,
            int seenNow,
            int look,
            @Nullable DelayTrial before,
            @Nullable Evidence of) {
        return new DelayTrial(
                delayNs,
                halvings,
                promisedNs,
                nowNs,
                lostNowNs,
                seenNow,
                look,
                noneNs,
                noneSeen,
                shorterTried,
                before,
                of);
    }

    /** After one more observation without it. */
    DelayTrial without(double latelyNs) {
        double nowNs = noneNs + (latelyNs - noneNs) / (noneSeen + 1);
        return new DelayTrial(
                delayNs,
                halvings,
                promisedNs,
                callNs,
                lostNs,
                seen,
                lookAfter,
                nowNs,
                noneSeen + 1,
                shorterTried,
                longer,
                pooled);
    }

    /** The same trial with a delay that suits better. */
    DelayTrial movedTo(long otherNs, double newlyPromisedNs) {
        return new DelayTrial(
                otherNs,
                0,
                newlyPromisedNs,
                callNs,
                lostNs,
                seen,
                lookAfter,
                noneNs,
                noneSeen,
                false,
                null,
                pooled);
    }

    /** Half of it, and whether this one spared something and may come back. */
    DelayTrial halved(boolean mayComeBack) {
        DelayTrial back = mayComeBack ? shortest() : null;
        return new DelayTrial(
                delayNs / 2,
                halvings + 1,
                promisedNs,
                0,
                0,
                0,
                FIRST_LOOK,
                noneNs,
                noneSeen,
                false,
                back,
                null);
    }

    private DelayTrial shortest() {
        return new DelayTrial(
                delayNs,
                halvings,
                promisedNs,
                callNs,
                lostNs,
                seen,
                lookAfter,
                noneNs,
                noneSeen,
                true,
                null,
                pooled);
    }

    /** It spares more than twice the delay did. */
    DelayTrial preferred() {
        return with(callNs, lostNs, seen, lookAfter, null, pooled);
    }

    /** It was compared with none, and spared time. */
    DelayTrial confirmed(Evidence by) {
        return with(callNs, 0, 0, Math.min(MOST_BETWEEN_LOOKS, 2 * lookAfter), longer, by);
    }

    /** It was compared with none, which did not tell enough. */
    DelayTrial undecided(Evidence by) {
        return with(callNs, 0, 0, lookAfter, longer, by);
    }

    /** Without it from now on. */
    DelayTrial paused() {
        return new DelayTrial(
                delayNs,
                halvings,
                promisedNs,
                callNs,
                lostNs,
                seen,
                lookAfter,
                0,
                0,
                shorterTried,
                longer,
                pooled);
    }

    boolean mayBeHalved() {
        return !shorterTried && longer == null && halvings < MOST_HALVINGS;
    }

    boolean isDue() {
        return seen >= lookAfter;
    }
}
