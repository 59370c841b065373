package org.madcast.agent.probe;

import java.nio.ByteBuffer;

/**
 * A datagram of a probe.
 *
 * <table>
 * <caption>Layout, big-endian</caption>
 * <tr><td>0</td><td>4</td><td>"MCPB"</td></tr>
 * <tr><td>4</td><td>8</td><td>the probe, a random number</td></tr>
 * <tr><td>12</td><td>4</td><td>its sender</td></tr>
 * <tr><td>16</td><td>4</td><td>the number of the sender's train</td></tr>
 * <tr><td>20</td><td></td><td>zeros</td></tr>
 * </table>
 *
 * @param sender the point's number
 * @param train the train's number
 */
record ProbeDatagram(int sender, int train) {

    static final int HEADER_BYTES = 20;
    static final int MAX_BYTES = 65_507;
    private static final int MAGIC = 0x4d435042;

    /** So many bytes of it, ready to be sent. */
    ByteBuffer encode(long probe, int bytes) {
        return ByteBuffer.allocateDirect(bytes)
                .putInt(MAGIC)
                .putLong(probe)
                .putInt(sender)
                .putInt(train)
                .rewind();
    }

    /** Whether this is a datagram of that probe. */
    static boolean isOf(long probe, ByteBuffer datagram) {
        int at = datagram.position();
        return datagram.remaining() >= HEADER_BYTES
                && datagram.getInt(at) == MAGIC
                && datagram.getLong(at + 4) == probe;
    }

    /** Reads one of which {@link #isOf} holds. */
    static ProbeDatagram decode(ByteBuffer datagram) {
        int at = datagram.position();
        return new ProbeDatagram(datagram.getInt(at + 12), datagram.getInt(at + 16));
    }
}
