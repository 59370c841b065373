package org.madcast.client.io;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Linux's {@code sockaddr_in} and {@code sockaddr_in6}. Pure functions. */
final class SocketAddressBytes {

    static final int LONGEST = 28;
    static final short AF_INET = 2;
    static final short AF_INET6 = 10;

    private static final int SHORT_BYTES = 16;

    private SocketAddressBytes() {}

    static byte[] encode(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        boolean four = host instanceof Inet4Address;
        ByteBuffer bytes =
                ByteBuffer.allocate(four ? SHORT_BYTES : LONGEST).order(ByteOrder.nativeOrder());
        bytes.putShort(four ? AF_INET : AF_INET6);
        bytes.order(ByteOrder.BIG_ENDIAN).putShort((short) address.getPort());
        if (host instanceof Inet6Address six) {
            bytes.putInt(0).put(six.getAddress());
            bytes.order(ByteOrder.nativeOrder()).putInt(six.getScopeId());
        } else {
            bytes.put(host.getAddress());
        }
        return bytes.array();
    }

    static InetSocketAddress decode(byte[] sockaddr) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(sockaddr).order(ByteOrder.nativeOrder());
        short family = bytes.getShort();
        int port = Short.toUnsignedInt(bytes.order(ByteOrder.BIG_ENDIAN).getShort());
        if (family == AF_INET) {
            byte[] four = new byte[4];
            bytes.get(four);
            return new InetSocketAddress(InetAddress.getByAddress(four), port);
        }
        byte[] six = new byte[16];
        bytes.getInt();
        bytes.get(six);
        int scope = bytes.order(ByteOrder.nativeOrder()).getInt();
        return new InetSocketAddress(Inet6Address.getByAddress(null, six, scope), port);
    }
}
