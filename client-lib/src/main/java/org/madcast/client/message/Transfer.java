package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A send or a receive that is under way. Its memory belongs to the engine from its start until it
 * is done. Changed under the endpoint's lock only.
 */
public sealed class Transfer {

    /** How a transfer ended. */
    public sealed interface Outcome {

        /**
         * The bytes were sent, or have arrived.
         *
         * @param source the sender's number in the world, for a receive
         * @param tag the message's tag
         * @param bytes the message's length
         */
        record Complete(int source, int tag, long bytes) implements Outcome {}

        /** The receive was cancelled before a message matched it. */
        record Cancelled() implements Outcome {}

        /** The message is longer than the buffer, of which no byte was changed. */
        record TooLong(int source, int tag, long bytes) implements Outcome {}

        /** The message belongs to another collective call than the receive. */
        record Mismatch(int source, long call) implements Outcome {}

        /** The communicator was revoked. */
        record Revoked() implements Outcome {}

        /** The other rank, by its number in the world, is gone. */
        record Lost(int rank, String reason) implements Outcome {

            /** Begins the reason why a rank is lost with which no connection was made. */
            static final String NOT_CONNECTED = "there is no connection to it: ";

            /** Whether it may have closed its communicators, rather than died. */
            public boolean mayHaveLeft() {
                return MessageEndpoint.mayLive(reason) || reason.startsWith(NOT_CONNECTED);
            }
        }
    }

    /**
     * Added to the call of a message that has no data of use, since an operation threw: the message
     * belongs to the call as any other, and is as long.
     */
    public static final long SPOILED = Long.MIN_VALUE;

    private static final System.Logger LOG = System.getLogger(Transfer.class.getName());

    MemorySegment memory;
    final long context;

    /** The collective call that it belongs to; 0 for none. */
    final long call;

    private final Runnable whenDone;
    private @Nullable Outcome outcome;

    private Transfer(MemorySegment memory, long context, long call, Runnable whenDone) {
        this.memory = memory;
        this.context = context;
        this.call = call;
        this.whenDone = whenDone;
    }

    /** The length of its memory. */
    public long byteSize() {
        return memory.byteSize();
    }

    /** The number in the world of the other rank; -1 while any may be it. */
    public int peer() {
        if (this instanceof Send send) {
            return send.destination;
        }
        Receive receive = (Receive) this;
        return receive.matchedSource < 0 ? receive.source : receive.matchedSource;
    }

    /** How it ended; null while it is under way. */
    public @Nullable Outcome outcome() {
        return outcome;
    }

    void end(Outcome how) {
        if (outcome == null) {
            outcome = how;
            whenDone.run();
        }
    }

    /** Of the sender. */
    public static final class Send extends Transfer {
        final int destination;
        final int tag;
        final boolean synchronous;
        long id;
        long receiveId;
        long offset;
        int framesUnderWay;
        boolean revoked;

        /**
         * A message.
         *
         * @param call the collective call that it belongs to; 0 for none
         * @param destination the receiver's number in the world
         * @param synchronous whether it is done only when a receive has matched it (MPI_Ssend)
         * @param whenDone run once, under the endpoint's lock, when {@link #outcome} is there
         */
        public Send(
                long context,
                int destination,
                int tag,
                long call,
                MemorySegment memory,
                boolean synchronous,
                Runnable whenDone) {
            super(memory, context, call, whenDone);
            this.destination = destination;
            this.tag = tag;
            this.synchronous = synchronous;
        }

        long remaining() {
            return memory.byteSize() - offset;
        }
    }

    /** Of the receiver. */
    public static final class Receive extends Transfer {
        final int source;
        final int tag;
        int matchedSource = -1;
        int matchedTag;
        long messageBytes;
        long arrivedBytes;
        private final @Nullable LongFunction<MemorySegment> memoryForBytes;
        private long sendersCall;
        private boolean spoiled;

        /**
         * A receive.
         *
         * @param source the sender's number in the world, or -1 for any
         * @param tag the tag, or -1 for any
         * @param memoryForBytes makes the memory, in place of {@code memory}, when the length of
         *     the message is known, or null; called once, under the endpoint's lock. When the
         *     memory is too short, the message is too long
         * @param whenDone run once, under the endpoint's lock, when {@link #outcome} is there
         */
        public Receive(
                long context,
                int source,
                int tag,
                long call,
                MemorySegment memory,
                @Nullable LongFunction<MemorySegment> memoryForBytes,
                Runnable whenDone) {
            super(memory, context, call, whenDone);
            this.source = source;
            this.tag = tag;
            this.memoryForBytes = memoryForBytes;
        }

        void match(int fromSource, int withTag, long bytes, long itsCall) {
            matchedSource = fromSource;
            matchedTag = withTag;
            messageBytes = bytes;
            sendersCall = itsCall & ~SPOILED;
            spoiled = itsCall < 0;
            if (memoryForBytes != null && sendersCall == call) {
                memory = memoryFor(memoryForBytes, bytes);
            }
        }

        private static MemorySegment memoryFor(LongFunction<MemorySegment> maker, long bytes) {
            try {
                return maker.apply(bytes);
            } catch (OutOfMemoryError | RuntimeException failed) {
                LOG.log(System.Logger.Level.DEBUG, "no memory for " + bytes + " bytes", failed);
                return MemorySegment.NULL;
            }
        }

        /** Whether the message that matched has no data of use. */
        public boolean isSpoiled() {
            return spoiled;
        }

        /** Whether the message that matched is to be stored. */
        boolean isStored() {
            return sendersCall == call && messageBytes <= memory.byteSize();
        }

        void complete() {
            if (sendersCall != call) {
                end(new Outcome.Mismatch(matchedSource, sendersCall));
            } else if (messageBytes > memory.byteSize()) {
                end(new Outcome.TooLong(matchedSource, matchedTag, messageBytes));
            } else {
                end(new Outcome.Complete(matchedSource, matchedTag, messageBytes));
            }
        }
    }
}
