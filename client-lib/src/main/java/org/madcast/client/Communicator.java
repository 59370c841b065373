package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A group of processes, each with a rank from 0 to {@code size() - 1}, that broadcast to each other
 * (MPI's communicator). Every rank calls the same collective operations in the same order.
 *
 * <p><b>Threads.</b> One call at a time: a second thread that calls meanwhile waits. {@link
 * #statistics()} and {@link #info()} may be called from anywhere at any time.
 *
 * <p><b>Failure.</b> No call hangs: when a rank is lost, every call that is pending and every later
 * one ends with {@link RankLostException} within {@link BroadcastParameters#deathTimeout()}.
 */
public interface Communicator extends AutoCloseable {

    /**
     * Joins the communicator that the configuration names and returns when all of its ranks have.
     *
     * @throws JoinFailedException when they did not within the configured time
     * @throws TransportException when no socket could be opened
     */
    static Communicator join(CommunicatorConfig config) {
        return org.madcast.client.internal.Joining.join(config);
    }

    /**
     * Joins the communicator that the launcher of this process says: {@link
     * CommunicatorConfig#fromEnvironment()}.
     *
     * @throws IllegalArgumentException when a variable is missing or invalid
     * @throws JoinFailedException when the ranks did not find each other within the configured time
     * @throws TransportException when no socket could be opened
     */
    static Communicator fromEnvironment() {
        return join(CommunicatorConfig.fromEnvironment());
    }

    /** This process's number, 0 to {@code size() - 1}. */
    int rank();

    /** How many processes take part. */
    int size();

    /**
     * Broadcasts: after the call every rank's buffer holds what the root's held.
     *
     * <p>The buffer belongs to the library until the call returns and to the caller from then on. A
     * receiver returns when its message is complete. The root returns when its last fragment has
     * been handed to the kernel: what others may still ask for again is in the library's own ring,
     * of at most {@link BroadcastParameters#windowBytes()}, and a message that is longer than the
     * ring is sent no faster than the slowest rank takes it. So the root may return before any
     * receiver has its message; {@link #barrier} waits for all.
     *
     * @param buffer the message; of the same size on every rank, 0 bytes being valid. Written on
     *     every rank but the root
     * @param root the rank whose buffer is sent
     * @throws IllegalArgumentException when root is no rank or a receiver's buffer is read-only
     * @throws IllegalStateException when the communicator is closed
     * @throws MismatchException when another rank called with another size, root or algorithm
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
     * in which they are made, {@link #bcast} and {@link #barrier} included, and several are on
     * their way at once.
     *
     * <p>The buffer belongs to the library until the future has ended.
     *
     * @return ends when a {@link #bcast(MemorySegment, int)} would have returned, or with the
     *     {@link MadcastException} that it would have thrown. What depends on it runs on a thread
     *     of its own
     * @throws IllegalArgumentException when root is no rank or a receiver's buffer is read-only
     * @throws IllegalStateException when the communicator is closed
     */
    CompletableFuture<Void> ibcast(MemorySegment buffer, int root);

    /** As {@link #ibcast(MemorySegment, int)} with this algorithm instead of the configured one. */
    CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm);

    /**
     * Returns when every rank has called it.
     *
     * @throws IllegalStateException when the communicator is closed
     * @throws MismatchException when another rank broadcasts where this one is at a barrier
     * @throws RankLostException when a rank died
     */
    void barrier();

    /**
     * Divides the ranks: those with the same colour make a new communicator, ordered by key, then
     * by rank (MPI_Comm_split). A collective call. The new communicator has a group, sockets and a
     * thread of its own, may be used together with this one, and is closed by its user.
     *
     * @param color 0 or more, or negative for a rank that wants no new communicator
     * @return the new communicator; empty for a negative colour
     * @throws JoinFailedException when not all ranks could make it
     */
    Optional<Communicator> split(int color, int key);

    /**
     * A new communicator of the same ranks (MPI_Comm_dup), for a library that must not be disturbed
     * by its user's calls. A collective call; see {@link #split}.
     *
     * @throws JoinFailedException when not all ranks could make it
     */
    Communicator dup();

    /**
     * Which algorithm serves a message of this size at present when the call names none, and why.
     * What works can change: when multicast dies, a unicast algorithm serves.
     *
     * @param messageBytes 0 or more
     */
    AlgorithmSelection selection(long messageBytes);

    /**
     * Gives a rank up as if it had died: on every rank, this one included, pending and later calls
     * end with a {@link RankLostException} that names it. For a program that does not want to wait
     * for a rank that answers, but not soon enough. Any thread may call it, also while another one
     * is in a collective call.
     *
     * @throws IllegalArgumentException when it is no rank or this one
     */
    void giveUp(int rank);

    /** What the ranks agreed on when they joined. */
    CommunicatorInfo info();

    /** This rank's counters so far. */
    CommunicatorStatistics statistics();

    /**
     * Leaves: waits until no rank can still need a repair from this one, or no rank has come
     * forward for {@link BroadcastParameters#deathTimeout()}, then frees sockets and, on the last
     * rank, the lease. A second call does nothing.
     */
    @Override
    void close();
}
