package org.madcast.allocator.tuning;

import java.util.Random;

/**
 * When the ranks of a job call, broadcast by broadcast: the root at 0, the receivers before or
 * after it.
 */
interface Trace {

    int RECEIVERS = 7;
    long MS = 1_000_000;

    /** The receivers' calls in nanoseconds after the root's. */
    long[] arrivals(int broadcast, Random random);

    /** The root is always first: the others come 4 to 5 ms later. */
    static Trace rootFirst() {
        return (broadcast, random) -> uniform(random, 4 * MS, 5 * MS);
    }

    /** The root is always last. */
    static Trace rootLast() {
        return (broadcast, random) -> uniform(random, -6 * MS, -2 * MS);
    }

    /** All come within 10 ms, the root as likely first as last. */
    static Trace uniform() {
        return (broadcast, random) -> uniform(random, -5 * MS, 5 * MS);
    }

    /** The receivers' lateness grows from nothing to 8 ms. */
    static Trace drift(int broadcasts) {
        return (broadcast, random) -> {
            long middle = 8 * MS * broadcast / broadcasts;
            return uniform(random, middle, middle + MS);
        };
    }

    /** After half of its broadcasts the job does something else. */
    static Trace changed(Trace before, Trace after, int broadcasts) {
        return (broadcast, random) ->
                (broadcast < broadcasts / 2 ? before : after).arrivals(broadcast, random);
    }

    /** Two kinds of behaviour take turns, for so many broadcasts each. */
    static Trace takingTurns(Trace one, Trace other, int turn) {
        return (broadcast, random) ->
                (broadcast / turn % 2 == 0 ? one : other).arrivals(broadcast, random);
    }

    private static long[] uniform(Random random, long from, long to) {
        long[] arrivals = new long[RECEIVERS];
        for (int i = 0; i < arrivals.length; i++) {
            arrivals[i] = from + (long) (random.nextDouble() * (to - from));
        }
        return arrivals;
    }
}
