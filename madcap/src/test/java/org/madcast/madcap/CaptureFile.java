package org.madcast.madcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes datagrams as a pcap file of raw IPv4 packets (link type 101), one a second from 0 on. */
final class CaptureFile {

    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;

    private final ByteBuffer out = ByteBuffer.allocate(1 << 20).order(ByteOrder.BIG_ENDIAN);
    private int packets;

    CaptureFile() {
        out.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
        out.putInt(0).putInt(0).putInt(65535).putInt(101);
    }

    void add(NetAddress from, int fromPort, NetAddress to, int toPort, byte[] payload) {
        int length = IP_BYTES + UDP_BYTES + payload.length;
        out.putInt(packets++).putInt(0).putInt(length).putInt(length);
        int start = out.position();
        out.putShort((short) 0x4500).putShort((short) length).putInt(0);
        out.putShort((short) (16 << 8 | 17)).putShort((short) 0);
        out.put(from.octets().toByteArray()).put(to.octets().toByteArray());
        out.putShort(start + 10, headerChecksum(start));
        out.putShort((short) fromPort).putShort((short) toPort);
        out.putShort((short) (UDP_BYTES + payload.length)).putShort((short) 0);
        out.put(payload);
    }

    private short headerChecksum(int start) {
        int sum = 0;
        for (int at = start; at < start + IP_BYTES; at += 2) {
            sum += out.getShort(at) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >> 16);
        return (short) ~(sum + (sum >> 16));
    }

    byte[] toByteArray() {
        byte[] bytes = new byte[out.position()];
        out.get(0, bytes);
        return bytes;
    }
}
