package org.madcast.client.io;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The structures of {@code sendmsg} and {@code recvmmsg}, as 64-bit Linux lays them out: offsets in
 * bytes, and the numbers of what goes with a message.
 */
final class SocketMessages {

    // struct msghdr
    static final int HEADER_BYTES = 56;
    static final int NAME = 0;
    static final int NAME_LENGTH = 8;
    static final int VECTOR = 16;
    static final int VECTOR_LENGTH = 24;
    static final int CONTROL = 32;
    static final int CONTROL_LENGTH = 40;

    // struct mmsghdr: a msghdr, then how many bytes came
    static final int MULTIPLE_HEADER_BYTES = 64;
    static final int CAME_BYTES = 56;

    // struct iovec
    static final int VECTOR_BYTES = 16;

    // struct cmsghdr, after its own length
    static final int CONTROL_LEVEL = 8;
    static final int CONTROL_TYPE = 12;
    static final int CONTROL_DATA = 16;

    static final int SOL_SOCKET = 1;
    static final int SO_TIMESTAMPNS = 35;
    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;
    static final int MSG_DONTWAIT = 0x40;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.nativeOrder());
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.nativeOrder());
    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.nativeOrder());

    private SocketMessages() {}
}
