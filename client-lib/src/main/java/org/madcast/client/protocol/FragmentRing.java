package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;

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
    private final ByteBuffer slabBytes;

    /** Views of whole slots, made when they are first wanted: most fragments fill one. */
    private final @Nullable MemorySegment[] whole;

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
        this.slabBytes = slab.asByteBuffer();
        this.whole = new MemorySegment[capacity];
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

    /** What the slot holds, or held last. */
    long sequenceAt(int slot) {
        return sequences[slot];
    }

    /** The stored datagram; valid until the slot is reused. */
    MemorySegment get(long sequence) {
        return view(slot(sequence));
    }

    private MemorySegment view(int slot) {
        long at = (long) slot * slotBytes;
        if (lengths[slot] < slotBytes) {
            return slab.asSlice(at, lengths[slot]);
        }
        MemorySegment made = whole[slot];
        if (made == null) {
            made = slab.asSlice(at, slotBytes);
            whole[slot] = made;
        }
        return made;
    }

    /** Writes the checksum of the fragment that was claimed and filled. */
    void seal(long sequence, Checksum checksum) {
        int slot = slot(sequence);
        checksum.seal(slabBytes, slot * slotBytes, view(slot));
    }

    void put(long sequence, Datagram datagram) {
        int slot = take(sequence, datagram.byteSize());
        datagram.copyTo(slab, (long) slot * slotBytes);
    }

    /** Marks the fragment as present and returns its memory for the caller to fill. */
    MemorySegment claim(long sequence, int lengthBytes) {
        return view(take(sequence, lengthBytes));
    }

    private int take(long sequence, int lengthBytes) {
        int slot = slot(sequence);
        sequences[slot] = sequence;
        lengths[slot] = lengthBytes;
        return slot;
    }
}
