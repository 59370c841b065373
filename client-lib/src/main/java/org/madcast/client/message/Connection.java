package org.madcast.client.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.madcast.client.message.Carrier.Frame;

/**
 * The frames to and from a rank that has proved that it belongs to the world. Used under the
 * endpoint's lock, where nothing else is said.
 */
interface Connection {

    /** Queues a frame, and hands over what the other side has room for. */
    void send(Frame frame, ByteBuffer shared) throws IOException;

    /** Hands over what the other side has room for, once the socket takes more. */
    void flush(ByteBuffer shared) throws IOException;

    /** Whether frames wait for room. */
    boolean wantsWrite();

    /**
     * Takes what the socket has brought.
     *
     * @return false when the peer has closed the connection
     * @throws IOException when the connection broke, or brings what no rank sends
     */
    boolean read(ByteBuffer shared) throws IOException;

    /** Whether a part of a body has come, and there is nothing to be won by looking at once. */
    boolean isLongBodyArriving();

    /** How long to let bytes of such a body gather before the next read. */
    long gatherNs(long nowNs);

    /** Whether the other side can have everything that was queued, even when this process ends. */
    boolean isIdle();
}
