package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Messages between two ranks of a communicator (MPI's point-to-point communication).
 *
 * <p><b>Order.</b> Two messages from one rank to another that fit the same receive are received in
 * the order in which they were sent (MPI's rule that messages do not overtake).
 *
 * <p><b>Buffers.</b> A buffer belongs to the library from the call until it returns, or until the
 * future has ended; a buffer that is sent may be read meanwhile. Segments must be accessible from
 * every thread: heap arrays, or memory of a shared, automatic or global arena.
 *
 * <p><b>Threads.</b> Any number of threads may call at once (MPI_THREAD_MULTIPLE). A transfer that
 * has begun goes on while the program computes.
 *
 * <p><b>Failure.</b> What depends on a rank that is lost ends with {@link RankLostException};
 * messages between the others go on. A receive from {@link #ANY_SOURCE} depends on every rank.
 */
public interface Messages {

    /** Any sender (MPI_ANY_SOURCE). */
    int ANY_SOURCE = -1;

    /** Any tag (MPI_ANY_TAG). */
    int ANY_TAG = -1;

    /**
     * Sends a message and returns when the buffer may be used again (MPI_Send). A short message is
     * on its way then, a long one has been received; a program must not rely on either.
     *
     * @param data the message, 0 bytes and more
     * @param destination the receiver's rank; this rank may send to itself
     * @param tag 0 or more, the receiver's means to tell messages apart
     * @throws IllegalArgumentException when the rank, the tag or the segment is none
     * @throws IllegalStateException when the communicator is closed
     * @throws RankLostException when the receiver is lost
     */
    void send(MemorySegment data, int destination, int tag);

    /** As {@link #send}, and returns only when a receive has matched the message (MPI_Ssend). */
    void ssend(MemorySegment data, int destination, int tag);

    /**
     * Receives a message (MPI_Recv).
     *
     * @param buffer where the message goes, from its beginning on
     * @param source the sender's rank, or {@link #ANY_SOURCE}
     * @param tag the message's tag, or {@link #ANY_TAG}
     * @return who sent it, and its tag and length
     * @throws IllegalArgumentException when the rank, the tag or the segment is none
     * @throws IllegalStateException when the communicator is closed
     * @throws MessageTooLongException when the message is longer than the buffer
     * @throws RankLostException when the sender is lost
     */
    MessageStatus recv(MemorySegment buffer, int source, int tag);

    /** Begins to send (MPI_Isend). */
    CompletableFuture<MessageStatus> isend(MemorySegment data, int destination, int tag);

    /** Begins to send; ends only when a receive has matched the message (MPI_Issend). */
    CompletableFuture<MessageStatus> issend(MemorySegment data, int destination, int tag);

    /**
     * Begins to receive (MPI_Irecv). {@link CompletableFuture#cancel} takes the receive back unless
     * a message has matched it (MPI_Cancel); then its status is {@link MessageStatus#cancelled}.
     */
    CompletableFuture<MessageStatus> irecv(MemorySegment buffer, int source, int tag);

    /**
     * As {@link #irecv(MemorySegment, int, int)}, into memory that is made when a message has
     * matched.
     *
     * @param buffer makes memory for a message of this length; called on any thread, it must not
     *     wait nor call the library. When its memory is shorter, or it throws, the receive ends
     *     with {@link MessageTooLongException}.
     */
    CompletableFuture<MessageStatus> irecv(LongFunction<MemorySegment> buffer, int source, int tag);

    /**
     * Moves the transfers on as far as they go without waiting, for a program that looks whether a
     * future is done.
     */
    void poll();

    /**
     * Moves the transfers on until the condition holds.
     *
     * @param condition looked at after each step and under the library's lock: it must be short,
     *     and not wait
     * @return whether it holds; false after the timeout
     */
    boolean await(BooleanSupplier condition, Duration timeout);

    /**
     * Sends and receives at once, without waiting for each other (MPI_Sendrecv).
     *
     * @throws IllegalArgumentException also when the two buffers overlap
     */
    default MessageStatus sendRecv(
            MemorySegment data,
            int destination,
            int sendTag,
            MemorySegment buffer,
            int source,
            int receiveTag) {
        if (data.asOverlappingSlice(buffer).isPresent()) {
            throw new IllegalArgumentException(
                    "the buffers of a sendRecv overlap; copy the message first");
        }
        CompletableFuture<MessageStatus> received = irecv(buffer, source, receiveTag);
        try {
            send(data, destination, sendTag);
        } catch (RuntimeException notSent) {
            received.cancel(false); // it must not take a message of a later call
            throw notSent;
        }
        return MadcastException.join(received);
    }

    /** Waits for a message that such a receive would get, and leaves it (MPI_Probe). */
    MessageStatus probe(int source, int tag);

    /** The message that such a receive would get now, which stays (MPI_Iprobe). */
    Optional<MessageStatus> iprobe(int source, int tag);

    /** Waits for a message that such a receive would get, and takes it out (MPI_Mprobe). */
    ArrivedMessage mprobe(int source, int tag);

    /** Takes out the message that such a receive would get now (MPI_Improbe). */
    Optional<ArrivedMessage> improbe(int source, int tag);

    /** As {@link #send(MemorySegment, int, int)}, from the buffer's position to its limit. */
    default void send(ByteBuffer data, int destination, int tag) {
        send(MemorySegment.ofBuffer(data), destination, tag);
    }

    /** As {@link #recv(MemorySegment, int, int)}, from the buffer's position to its limit. */
    default MessageStatus recv(ByteBuffer buffer, int source, int tag) {
        return recv(MemorySegment.ofBuffer(buffer), source, tag);
    }
}
