package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The two sockets of a rank: one bound to the multicast group, one for everything unicast. All
 * calls but {@link #wakeup} and {@link #close} come from one thread at a time.
 */
public interface DatagramTransport extends AutoCloseable {

    /** What {@link #send} did. */
    enum SendResult {
        /** The kernel took the datagram. */
        SENT,
        /** The socket's buffer is full: {@link #await} with {@code wantWrite}, then try again. */
        WOULD_BLOCK,
        /** The datagram is lost here, as if the network had dropped it. */
        DROPPED
    }

    /** The name of the implementation, {@code nio} or {@code native}. */
    String name();

    /** Where this rank's unicast datagrams arrive. */
    InetSocketAddress localAddress();

    /** What the kernel granted the group's socket, in bytes as it counts them. */
    int receiveBufferBytes();

    /** Tells the ranks' endpoints, by rank; before the first send. */
    void peers(List<InetSocketAddress> endpoints, int self);

    /**
     * Takes one datagram off the sockets, the group's first, without waiting.
     *
     * @return its bytes, valid until the next call; null when there is none
     */
    @org.jspecify.annotations.Nullable
    MemorySegment receive() throws IOException;

    /**
     * Sends a datagram.
     *
     * @param destination a rank, or -1 for the group
     */
    SendResult send(MemorySegment datagram, int destination);

    /** Waits for a datagram, for room to send when wanted, for a wake-up, or for the time. */
    void await(long timeoutNs, boolean wantWrite) throws IOException;

    /** Ends a wait that is going on, or the next one. Any thread. */
    void wakeup();

    /** Closes both sockets; a wait that is going on ends. Any thread. */
    @Override
    void close();
}
