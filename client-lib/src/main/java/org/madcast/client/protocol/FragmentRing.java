package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The slab: the last fragments of the communicator's stream, each as the whole datagram that
 * carried it, so that a repair is the same bytes again. A fragment with sequence {@code s} lies in
 * slot {@code s mod capacity}; it is overwritten by sequence {@code s + capacity}, which no root
 * sends before every rank has consumed {@code s}.
 *
 * <p>Consecutive sequences lie next to each other, which is what a segmenting send wants.
 */
final class FragmentRing {

    /** No sequence, not even one that a hostile datagram makes negative. */
    private static final long EMPTY = Long.MIN_VALUE;

    private final int capacity;
    private final int slotBytes;
    private final MemorySegment slab;
    private final long[] sequences;
    private final int[] lengths;

    /** The capacity in fragments must be a power of two. */
    FragmentRing(int capacity, int slotBytes, Arena arena) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is no power of two");
        }
        this.capacity = capacity;
        this.slotBytes = slotBytes;
        this.slab = arena.allocate((long) capacity * slotBytes, 64);
        this.sequences = new long[capacity];
        this.lengths = new int[capacity];
        Arrays.fill(sequences, EMPTY);
    }

    int capacity() {
        return capacity;
    }

    int slot(long sequence) {
        return (int) (sequence & (capacity - 1));
    }

    boolean has(long sequence) {
        return sequences[slot(sequence)] == sequence;
    }

    /** Whether the sequence was claimed without a fragment. */
    boolean isVoid(long sequence) {
        return has(sequence) && lengths[slot(sequence)] == 0;
    }

    /** The stored datagram; valid until the slot is reused. */
    MemorySegment get(long sequence) {
        int slot = slot(sequence);
        return slab.asSlice((long) slot * slotBytes, lengths[slot]);
    }

    void put(long sequence, MemorySegment datagram) {
        MemorySegment.copy(
                datagram, 0, claim(sequence, (int) datagram.byteSize()), 0, datagram.byteSize());
    }

    /** Marks the fragment as present and returns its memory for the caller to fill. */
    MemorySegment claim(long sequence, int lengthBytes) {
        int slot = slot(sequence);
        sequences[slot] = sequence;
        lengths[slot] = lengthBytes;
        return slab.asSlice((long) slot * slotBytes, lengthBytes);
    }
}
