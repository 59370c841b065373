package org.madcast.allocator.scope;

/**
 * A pseudo-random order of the numbers 0 to size - 1 that needs no memory: the n-th of it is
 * computed in constant time, and each number comes exactly once. Immutable.
 *
 * <p>It is a Feistel network of four rounds on the smallest even number of bits that holds the
 * size. Such a network is a permutation of all numbers of these bits whatever its round function
 * is: each round can be undone. Results outside of the range are fed in again (cycle walking) until
 * one is inside; since that follows a cycle of the larger permutation, it ends, and the result is
 * still a permutation. The larger range is less than four times the size, so fewer than four turns
 * are expected. Worked example for 5 numbers: bits 4, halves of 2 bits, numbers 0 to 15; those of 0
 * to 4 whose image is 5 to 15 go round again.
 */
public final class PoolPermutation {

    private static final int ROUNDS = 4;

    private final long size;
    private final long seed;
    private final int halfBits;
    private final long halfMask;

    /**
     * The order of {@code size} numbers with this seed.
     *
     * @throws IllegalArgumentException unless 1 &lt;= size &lt;= 2^62
     */
    public PoolPermutation(long size, long seed) {
        if (size < 1 || size > 1L << 62) {
            throw new IllegalArgumentException("size " + size + " is outside 1 to 2^62");
        }
        this.size = size;
        this.seed = seed;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(size - 1);
        this.halfBits = Math.max(1, (bits + 1) / 2);
        this.halfMask = (1L << halfBits) - 1;
    }

    /** The number at this place of the order. */
    public long at(long place) {
        if (place < 0 || place >= size) {
            throw new IndexOutOfBoundsException(place + " of " + size);
        }
        long number = place;
        do {
            number = encrypt(number);
        } while (number >= size);
        return number;
    }

    /** The place of a number in the order: what {@link #at} gives for it is the number. */
    public long placeOf(long number) {
        if (number < 0 || number >= size) {
            throw new IndexOutOfBoundsException(number + " of " + size);
        }
        long place = number;
        do {
            place = decrypt(place);
        } while (place >= size);
        return place;
    }

    private long decrypt(long number) {
        long left = number >>> halfBits;
        long right = number & halfMask;
        for (int round = ROUNDS - 1; round >= 0; round--) {
            long before = right ^ (mix(left + seed + round * 0x632be59bd9b4e019L) & halfMask);
            right = left;
            left = before;
        }
        return left << halfBits | right;
    }

    private long encrypt(long number) {
        long left = number >>> halfBits;
        long right = number & halfMask;
        for (int round = 0; round < ROUNDS; round++) {
            long next = left ^ (mix(right + seed + round * 0x632be59bd9b4e019L) & halfMask);
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }

    /** Spreads every bit over all bits: Stafford's variant 13 of the Murmur3 finalizer. */
    private static long mix(long value) {
        long spread = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        spread = (spread ^ spread >>> 27) * 0x94d049bb133111ebL;
        return spread ^ spread >>> 31;
    }
}
