package org.madcast.client.internal;

/** The numbers that tell the messages of communicators apart. */
final class ContextNumbers {

    /** Collective calls must not meet receives from any source with any tag. */
    private static final long COLLECTIVE = 0x9E3779B97F4A7C15L;

    private ContextNumbers() {}

    /** The other half of a communicator's context, which its collective calls have. */
    static long ofCollectiveCalls(long context) {
        return context ^ COLLECTIVE;
    }

    /** The same for the same numbers, and of no other communicator, but by chance. */
    static long derive(long context, long... from) {
        long mixed = context;
        for (long each : from) {
            mixed = mix(mixed + COLLECTIVE + mix(each));
        }
        return mixed;
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
