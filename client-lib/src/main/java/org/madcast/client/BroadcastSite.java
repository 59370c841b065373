package org.madcast.client;

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

    /** How many places of a communicator are told apart. */
    int MOST = 64;

    /**
     * Broadcasts: after the call every rank's buffer holds what the root's held.
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
     * Begins a broadcast and returns at once; it goes on by itself. Calls take effect in the order
     * in which they are made, {@link #bcast} and {@link Communicator#barrier} included, and several
     * are on their way at once.
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
}
