package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

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
     * receiver returns when its message is complete; the root when its last fragment has left and
     * nobody can need the caller's memory any more.
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

    /** What the ranks agreed on when they joined. */
    CommunicatorInfo info();

    /** This rank's counters so far. */
    CommunicatorStatistics statistics();

    /**
     * Leaves: waits until no rank can still need a repair from this one, at most {@link
     * BroadcastParameters#deathTimeout()}, then frees sockets and, on the last rank, the lease. A
     * second call does nothing.
     */
    @Override
    void close();
}
