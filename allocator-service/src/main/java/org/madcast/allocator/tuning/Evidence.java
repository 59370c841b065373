package org.madcast.allocator.tuning;

/**
 * How much shorter a delay makes calls, by all comparisons together: the mean log ratio of what
 * calls took without it to what they took with it. Logarithms, since calls on a busy computer take
 * a multiple of what they did; each stretch with the delay against the observations without it
 * before and after, so that load that comes and goes weighs on both.
 *
 * @param gain the mean log ratio; negative when calls take longer with the delay
 * @param weight the variance of one observation, divided by that of the mean
 */
public record Evidence(double gain, double weight) {

    static final Evidence NONE = new Evidence(0, 0);

    /** What is older is forgotten, since programs and networks change. */
    private static final double MOST = 16;

    /** How likely the bound fails at some time; the account limits what that may cost. */
    private static final double CHANCE = 0.5;

    /** The weight about which the bound is tightest. */
    private static final double TIGHTEST = 4;

    /** With a comparison of the means of {@code n} observations with the delay and without. */
    Evidence and(double logRatio, double with, double without) {
        double fresh = 1 / (1 / with + 1 / without);
        double mean = gain + (logRatio - gain) * fresh / (weight + fresh);
        return new Evidence(mean, Math.min(MOST, weight + fresh));
    }

    /** The mean's standard deviation, when an observation has that one. */
    double deviation(double unrest) {
        return unrest / Math.sqrt(weight);
    }

    /**
     * An upper bound of what the delay costs, as a log ratio, when an observation has that standard
     * deviation. It holds at all times at once, so that one may look as often as one likes: the
     * confidence sequence of a normal mixture (Robbins 1970).
     */
    double costsAtMost(double unrest) {
        if (weight == 0) {
            return Double.POSITIVE_INFINITY;
        }
        double all = weight + TIGHTEST;
        double squared = all * (Math.log(all / TIGHTEST) - 2 * Math.log(CHANCE));
        return unrest * Math.sqrt(squared) / weight - gain;
    }
}
