package org.madcast.measure.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/**
 * The messages of a bench rank. Every trial has bytes of its own, which every rank can compute, and
 * the buffers rotate, so that neither an old message nor a warm cache passes for a new message.
 */
final class MessageBuffers {

    private static final int BUFFERS = 4;
    private static final int SHIFTS = 4096;
    private static final long SEED = 0x6d616463617374L;

    private final MemorySegment pattern;
    private final MemorySegment[] buffers = new MemorySegment[BUFFERS];

    MessageBuffers(Arena arena, int largestBytes) {
        pattern = arena.allocate(largestBytes + (long) SHIFTS * Long.BYTES, Long.BYTES);
        Random random = new Random(SEED);
        for (long offset = 0; offset + Long.BYTES <= pattern.byteSize(); offset += Long.BYTES) {
            pattern.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, random.nextLong());
        }
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = arena.allocate(Math.max(1, largestBytes), Long.BYTES);
        }
    }

    /** The root's buffer with the trial's message in it. */
    MemorySegment filled(int trial, int sizeBytes) {
        return buffer(trial, sizeBytes).copyFrom(expected(trial, sizeBytes));
    }

    /** A receiver's buffer with nothing in it. */
    MemorySegment emptied(int trial, int sizeBytes) {
        return buffer(trial, sizeBytes).fill((byte) 0);
    }

    /** True when the buffer holds the trial's message. */
    boolean isRight(MemorySegment received, int trial) {
        return received.mismatch(expected(trial, (int) received.byteSize())) == -1;
    }

    private MemorySegment buffer(int trial, int sizeBytes) {
        return buffers[trial % BUFFERS].asSlice(0, sizeBytes);
    }

    private MemorySegment expected(int trial, int sizeBytes) {
        return pattern.asSlice((long) (trial % SHIFTS) * Long.BYTES, sizeBytes);
    }
}
