package org.madcast.client.lease;

/**
 * The generator of Blum, Blum and Shub over 62 bits (seed 000, section 3.4): the state is squared
 * modulo M = 2^62 - 63 = 64129007 x 71912637263, both primes congruent 3 modulo 4, and each step
 * gives one bit, the parity of the new state. It stretches a little true randomness into a group's
 * address and port; it is no source of secrets. One thread at a time.
 *
 * <p><b>Reduction.</b> 2^62 is congruent 63 modulo M, so a product h * 2^62 + l is congruent 63 * h
 * + l ("diminished radix"): two multiplications and no division. With x below 2^62, h is below
 * 2^62; 63 * h can exceed 62 bits by 6, so the same step is done on it once more.
 */
final class BlumBlumShub {

    /** The modulus, 4611686018427387841. */
    static final long MODULUS = (1L << 62) - 63;

    private static final long P = 64_129_007L;
    private static final long Q = 71_912_637_263L;
    private static final long LOW_62_BITS = (1L << 62) - 1;

    private long state;

    /**
     * Starts from any 64 bits: the nearest usable number from there on, squared, so that the state
     * is a quadratic residue. Multiples of the primes are not usable, nor what squares to 1, where
     * the sequence would stand still.
     */
    BlumBlumShub(long seed) {
        long x = Long.remainderUnsigned(seed, MODULUS);
        while (x % P == 0 || x % Q == 0 || square(x) == 1) {
            x = (x + 1) % MODULUS;
        }
        state = square(x);
    }

    /** The state, for tests. */
    long state() {
        return state;
    }

    /** x * x modulo M for 0 <= x < M. */
    static long square(long x) {
        long high = Math.multiplyHigh(x, x);
        long low = x * x;
        long h = (high << 2) | (low >>> 62);
        long l = low & LOW_62_BITS;
        long foldedHigh = Math.multiplyHigh(h, 63);
        long foldedLow = h * 63;
        long h2 = (foldedHigh << 2) | (foldedLow >>> 62);
        long l2 = foldedLow & LOW_62_BITS;
        long sum = reduce(reduce(l) + reduce(l2));
        return reduce(sum + 63 * h2);
    }

    /** The remainder of a number below 2^63. */
    private static long reduce(long value) {
        long reduced = value;
        while (reduced >= MODULUS) {
            reduced -= MODULUS;
        }
        return reduced;
    }

    /** The next bit, 0 or 1. */
    int nextBit() {
        state = square(state);
        return Long.bitCount(state) & 1;
    }

    /** The next bits, the first one highest; {@code count} is 1 to 64. */
    long nextBits(int count) {
        if (count < 1 || count > 64) {
            throw new IllegalArgumentException("count " + count + " is outside 1 to 64");
        }
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = (bits << 1) | nextBit();
        }
        return bits;
    }

    /** A number from min to max, both included, each with the same probability. */
    long nextInRange(long min, long max) {
        long span = max - min;
        if (min > max || span < 0) {
            throw new IllegalArgumentException(
                    "no range of less than 2^63 numbers: " + min + " to " + max);
        }
        if (span == 0) {
            return min;
        }
        int bits = 64 - Long.numberOfLeadingZeros(span);
        long drawn = nextBits(bits);
        while (drawn > span) {
            drawn = nextBits(bits);
        }
        return min + drawn;
    }
}
