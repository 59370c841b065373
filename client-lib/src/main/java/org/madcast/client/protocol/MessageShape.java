package org.madcast.client.protocol;

import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

/**
 * How a message of some length is cut into fragments: all of the same size but the last. An empty
 * message is one fragment without payload, so that it can be noticed, repaired and counted too.
 */
final class MessageShape {

    private final int payloadBytes;

    MessageShape(int datagramBytes) {
        payloadBytes = datagramBytes - DatagramLayout.HEADER_BYTES;
    }

    long fragments(long messageBytes) {
        return Math.max(1, (messageBytes + payloadBytes - 1) / payloadBytes);
    }

    long offset(long fragment) {
        return fragment * payloadBytes;
    }

    int payloadBytes(long messageBytes, long fragment) {
        return (int) Math.min(payloadBytes, messageBytes - offset(fragment));
    }

    /** How many fragments of its message lie behind this one. */
    long stillToCome(Datagram datagram) {
        return fragments(datagram.messageBytes()) - 1 - datagram.fragment();
    }

    /** True when fragment number, message length and the datagram's own length agree. */
    boolean fits(Datagram datagram) {
        long messageBytes = datagram.messageBytes();
        long fragment = datagram.fragment();
        return fragment < fragments(messageBytes)
                && datagram.byteSize()
                        == DatagramLayout.HEADER_BYTES + payloadBytes(messageBytes, fragment);
    }
}
