package org.madcast.client;

import static java.util.Objects.checkFromIndexSize;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Where a program broadcasts: its {@link Communicator}, or a named place of it ({@link
 * Communicator#site}), which is counted and tuned apart. From the threads that may use the
 * communicator.
 */
public interface BroadcastSite {

    /** How long a place's name may be. */
    int LONGEST_NAME = 63;

    /** How many places of a communicator are distinguished. */
    int MOST = 64;

    /**
     * MPI_Bcast: after the call every rank's buffer holds what the root's held.
     *
     * <p>The buffer belongs to the library until the call returns and to the caller from then on. A
     * receiver returns when its message is complete. The root returns when its last fragment has
     * been handed to the kernel: what others may still ask for again is in the library's own ring,
     * of at most {@link BroadcastParameters#windowBytes()}, and a message that is longer than the
     * ring is sent no faster than the slowest rank takes it. So the root may return before any
     * receiver has its message; {@link Communicator#barrier} waits for all.
     *
     * @param buffer the message; of the same size on every rank, 0 bytes being valid. Written on
     *     every rank but the root
     * @param root the rank whose buffer is sent
     * @throws IllegalArgumentException when root is no rank or a receiver's buffer is read-only
     * @throws IllegalStateException when the communicator is closed
     * @throws MismatchException when another rank called with another size, root or algorithm; of
     *     an earlier call, too, that had returned here before that rank's showed it
     * @throws RankLostException when a rank died
     */
    void bcast(MemorySegment buffer, int root);

    /** As {@link #bcast(MemorySegment, int)} with this algorithm instead of the configured one. */
    void bcast(MemorySegment buffer, int root, Algorithm algorithm);

    /** As {@link #bcast(MemorySegment, int)} for a whole array. */
    default void bcast(byte[] message, int root) {
        bcast(MemorySegment.ofArray(message), root);
    }

    /**
     * As {@link #bcast(MemorySegment, int)} for the bytes from the buffer's position to its limit;
     * neither is moved.
     */
    default void bcast(ByteBuffer message, int root) {
        bcast(MemorySegment.ofBuffer(message), root);
    }

    /**
     * MPI_Bcast of a part of an array: as {@link #bcast(MemorySegment, int)} for {@code length}
     * elements from {@code offset} on. The array belongs to the library until the call returns. The
     * length, in bytes, must be the same on every rank; the offset may differ.
     *
     * @param offset the first element, counted from 0
     * @param length how many elements, 0 being valid
     * @throws IndexOutOfBoundsException when these are not in the array
     */
    default void bcast(double[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Double.BYTES, (long) length * Double.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code int}. */
    default void bcast(int[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Integer.BYTES, (long) length * Integer.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code long}. */
    default void bcast(long[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Long.BYTES, (long) length * Long.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code float}. */
    default void bcast(float[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Float.BYTES, (long) length * Float.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code byte}. */
    default void bcast(byte[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Byte.BYTES, (long) length * Byte.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code short}. */
    default void bcast(short[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Short.BYTES, (long) length * Short.BYTES),
                root);
    }

    /** As {@link #bcast(double[], int, int, int)}, of {@code char}. */
    default void bcast(char[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        bcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Character.BYTES, (long) length * Character.BYTES),
                root);
    }

    /**
     * MPI_Ibcast: begins a broadcast and returns at once; it goes on by itself. Calls take effect
     * in the order in which they are made, {@link #bcast} and {@link Communicator#barrier}
     * included, and several are on their way at once.
     *
     * <p>The buffer belongs to the library until the future has ended.
     *
     * @return ends when a {@link #bcast(MemorySegment, int)} would have returned, or with the
     *     {@link MadcastException} that it would have thrown, a {@link TransportException} when the
     *     communicator is closed first. What depends on it runs on a thread of its own
     * @throws IllegalArgumentException when root is no rank or a receiver's buffer is read-only
     * @throws IllegalStateException when the communicator is closed
     */
    CompletableFuture<Void> ibcast(MemorySegment buffer, int root);

    /** As {@link #ibcast(MemorySegment, int)} with this algorithm instead of the configured one. */
    CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm);

    /**
     * MPI_Ibcast of a part of an array: as {@link #ibcast(MemorySegment, int)} for {@code length}
     * elements from {@code offset} on. The array belongs to the library until the future has ended.
     *
     * @param offset the first element, counted from 0
     * @param length how many elements, 0 being valid
     * @throws IndexOutOfBoundsException when these are not in the array
     */
    default CompletableFuture<Void> ibcast(double[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Double.BYTES, (long) length * Double.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code int}. */
    default CompletableFuture<Void> ibcast(int[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Integer.BYTES, (long) length * Integer.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code long}. */
    default CompletableFuture<Void> ibcast(long[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Long.BYTES, (long) length * Long.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code float}. */
    default CompletableFuture<Void> ibcast(float[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Float.BYTES, (long) length * Float.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code byte}. */
    default CompletableFuture<Void> ibcast(byte[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Byte.BYTES, (long) length * Byte.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code short}. */
    default CompletableFuture<Void> ibcast(short[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Short.BYTES, (long) length * Short.BYTES),
                root);
    }

    /** As {@link #ibcast(double[], int, int, int)}, of {@code char}. */
    default CompletableFuture<Void> ibcast(char[] message, int offset, int length, int root) {
        checkFromIndexSize(offset, length, message.length);
        return ibcast(
                MemorySegment.ofArray(message)
                        .asSlice((long) offset * Character.BYTES, (long) length * Character.BYTES),
                root);
    }
}
