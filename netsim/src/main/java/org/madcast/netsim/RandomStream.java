package org.madcast.netsim;

import java.nio.charset.StandardCharsets;

/**
 * A small seeded generator of pseudo-random numbers (SplitMix64: Steele, Lea, Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014). Each purpose draws from a stream of its
 * own, so that a new use of randomness does not change what the others see. One thread only.
 */
public final class RandomStream {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private long state;

    private RandomStream(long state) {
        this.state = state;
    }

    /** The stream for one purpose under one seed; the same pair gives the same numbers. */
    public static RandomStream of(long seed, String purpose) {
        long hash = FNV_OFFSET;
        for (byte b : purpose.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        return new RandomStream(mix(mix(seed + GOLDEN_GAMMA) ^ hash));
    }

    /** All 64 bits are random. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** Uniform in [0, 1). */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Uniform in [0, bound). */
    public long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        return Math.unsignedMultiplyHigh(nextLong(), bound);
    }

    /** Uniform in [0, bound). */
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** True with the given probability. Draws exactly once, whatever the probability. */
    public boolean chance(double probability) {
        return nextDouble() < probability;
    }

    /** Stafford's variant 13 of the finaliser of MurmurHash3, as SplitMix64 uses it. */
    static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
