package org.madcast.allocator.tuning;

import java.util.Random;

/**
 * A job and its network as they really are, of which the tuner sees reports only. Times are in
 * nanoseconds.
 *
 * @param receivers how many
 * @param arrivals when each calls, after the root called
 * @param losses what each loses
 * @param load what else is done on the computers: calls take so much longer
 */
record World(int receivers, Arrivals arrivals, Losses losses, Load load) {

    static final long MS = 1_000_000;

    /** When a receiver calls after the root's call, which waits that long before it sends. */
    interface Arrivals {
        long afterRootNs(int receiver, int broadcast, long delayNs, Random random);
    }

    /**
     * What asking for what was lost costs a receiver that called after the data came, or before.
     */
    interface Losses {
        long extraNs(int receiver, boolean late, long delayNs, Random random);
    }

    /** How many times as long calls take. */
    interface Load {
        double factor(int broadcast, Random random);
    }

    World with(Load other) {
        return new World(receivers, arrivals, losses, other);
    }

    /**
     * The first so many receivers call late, at about that time, the others well before the root.
     */
    static Arrivals someLate(int late, long aboutNs) {
        return (receiver, broadcast, delayNs, random) ->
                receiver < late ? about(aboutNs, random) : about(-2 * MS, random);
    }

    /** The same, but what is late is late against the data, however long the root waits. */
    static Arrivals someFollow(int late, long aboutNs) {
        Arrivals fixed = someLate(late, aboutNs);
        return (receiver, broadcast, delayNs, random) ->
                fixed.afterRootNs(receiver, broadcast, delayNs, random)
                        + (receiver < late ? delayNs : 0);
    }

    /** Within a tenth of that time. */
    static long about(long aboutNs, Random random) {
        return (long) (aboutNs * (0.95 + 0.1 * random.nextDouble()));
    }

    /** Quiet computers. */
    static Load even() {
        return (broadcast, random) -> 1;
    }

    /** Each observation is of another kind of load. */
    static Load restless(double spread) {
        return (broadcast, random) -> Math.exp(spread * random.nextGaussian());
    }

    /** Load that comes and goes, with that many broadcasts from peak to peak. */
    static Load tides(int broadcasts) {
        return (broadcast, random) -> 1.5 + 0.5 * Math.sin(2 * Math.PI * broadcast / broadcasts);
    }

    /** Calls that take half as long in the end as in the beginning. */
    static Load easing(int broadcasts) {
        return (broadcast, random) -> 1 - 0.5 * Math.min(1, (double) broadcast / broadcasts);
    }
}
