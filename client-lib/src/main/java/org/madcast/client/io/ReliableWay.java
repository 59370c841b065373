package org.madcast.client.io;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;

/**
 * A way from rank to rank on which nothing is lost and nothing overtakes, beside the datagrams of a
 * {@link DatagramTransport}. A loop uses it under its lock; how much is under way is bounded in
 * both directions.
 */
public interface ReliableWay extends AutoCloseable {

    /** The way of ranks that have no other than datagrams. */
    ReliableWay NONE =
            new ReliableWay() {
                @Override
                public void open(Runnable whenReady) {
                    // Nothing will ever be ready.
                }

                @Override
                public @Nullable Arrival receive() {
                    return null;
                }

                @Override
                public @Nullable MemorySegment room() {
                    return null;
                }

                @Override
                public void send(int bytes, int rank) {
                    throw new IllegalStateException("there is no room");
                }

                @Override
                public void close() {
                    // Nothing was opened.
                }
            };

    /**
     * Begins to receive.
     *
     * @param whenReady called when something has come, and when there is room again; by any thread,
     *     which may hold other locks than the loop's
     */
    void open(Runnable whenReady);

    /** Takes what came next, valid until the next call; null when there is nothing. */
    @Nullable Arrival receive();

    /** Memory for one more datagram; null while enough is under way. */
    @Nullable MemorySegment room();

    /** Sends what was written into {@link #room}. Does not block. */
    void send(int bytes, int rank);

    /** Sends and receives nothing more; what was sent still goes. */
    @Override
    void close();
}
