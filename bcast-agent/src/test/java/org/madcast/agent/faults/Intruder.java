package org.madcast.agent.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.madcast.lab.LabHost;

/**
 * A host that does not belong to the job, and sends to its group what it likes. Headers are written
 * here byte by byte, as docs/PROTOCOL.md says, and not by the library under test.
 */
final class Intruder implements AutoCloseable {

    private static final byte FAILURE = 8;

    private static final int HEADER_BYTES = 36;
    private static final int TYPES = 10;
    private static final int MOST_RECORDED = 4000;

    private final DatagramChannel channel;
    private final DatagramChannel hearing;
    private final InetSocketAddress group;
    private final Random random = new Random(5);
    private final Queue<byte[]> heard = new ConcurrentLinkedQueue<>();

    Intruder(LabHost host, InetSocketAddress group) throws IOException {
        this.group = group;
        channel = host.call(() -> open(host));
        hearing =
                host.call(() -> {
                    DatagramChannel joined = open(host).bind(group);
                    joined.join(
                            group.getAddress(), NetworkInterface.getByName(host.interfaceName()));
                    return joined;
                });
        Thread.ofPlatform().daemon().name("intruder").start(this::record);
    }

    private static DatagramChannel open(LabHost host) throws IOException {
        DatagramChannel opened = DatagramChannel.open(StandardProtocolFamily.INET);
        opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        opened.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        opened.setOption(
                StandardSocketOptions.IP_MULTICAST_IF,
                NetworkInterface.getByName(host.interfaceName()));
        opened.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false);
        return opened;
    }

    private void record() {
        ByteBuffer datagram = ByteBuffer.allocate(65536);
        try {
            while (heard.size() < MOST_RECORDED) {
                hearing.receive(datagram.clear());
                byte[] bytes = new byte[datagram.flip().remaining()];
                datagram.get(bytes);
                heard.add(bytes);
            }
        } catch (ClosedChannelException _) {
            // The test is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it has heard of the group, oldest first. */
    List<byte[]> heard() {
        return new ArrayList<>(heard);
    }

    /** Datagrams of any length with any bytes. */
    void sendGarbage(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[random.nextInt(1473)];
            random.nextBytes(bytes);
            send(bytes);
        }
    }

    /** Well-formed datagrams of every type, their checksums right, under this token. */
    void sendWellFormed(int count, long token) throws IOException {
        for (int i = 0; i < count; i++) {
            byte type = (byte) (1 + i % TYPES);
            byte[] payload = new byte[type == FAILURE ? 24 : 64];
            random.nextBytes(payload);
            send(datagram(type, token, i, payload, true));
        }
    }

    /** Datagrams of every type with the right token and a checksum that does not fit. */
    void sendWithWrongChecksum(int count, long token) throws IOException {
        for (int i = 0; i < count; i++) {
            byte type = (byte) (1 + i % TYPES);
            send(datagram(type, token, i, new byte[type == FAILURE ? 24 : 64], false));
        }
    }

    void send(byte[] bytes) throws IOException {
        channel.send(ByteBuffer.wrap(bytes), group);
    }

    private byte[] datagram(byte type, long token, int sequence, byte[] payload, boolean right) {
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + payload.length);
        out.put((byte) 0x10).put(type).putShort((short) 1).putInt(0).putLong(token);
        out.putInt(sequence).putInt(0).putInt(sequence).putShort((short) 0);
        out.putShort((short) 0).putInt(payload.length);
        out.put(payload);
        CRC32C crc = new CRC32C();
        crc.update(out.array(), 0, 4);
        crc.update(out.array(), 8, out.capacity() - 8);
        return out.putInt(4, (int) crc.getValue() + (right ? 0 : 1)).array();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        hearing.close();
    }
}
