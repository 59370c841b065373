package org.madcast.measure.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The least time in which the network can carry a message to everybody: the message's bytes, cut
 * into datagrams as large as the broadcast's, sent once to a multicast group, with no header but
 * the trial's number and no answer. The link's own shaper paces: a full queue makes the send wait.
 * A receiver lets datagrams gather while the rest takes long: where many ranks share processors,
 * waking each of them for each datagram would take longer than the network. For one thread.
 */
final class Floor implements AutoCloseable {

    private static final String GROUP = "239.255.77.77";
    private static final int PORT = 47_077;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int NUMBER_BYTES = Integer.BYTES;
    private static final int FEWEST_DATAGRAMS = 16;
    private static final long SHORTEST_NAP_NS = 50_000;
    private static final long LONGEST_NAP_NS = 400_000;

    private final DatagramChannel channel;
    private final Selector selector;
    private final InetSocketAddress group;
    private final ByteBuffer datagram;

    Floor(String interfaceName, int datagramBytes) throws IOException {
        group = new InetSocketAddress(InetAddress.getByName(GROUP), PORT);
        datagram = ByteBuffer.allocateDirect(datagramBytes);
        NetworkInterface network = NetworkInterface.getByName(interfaceName);
        channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
        channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false);
        channel.bind(new InetSocketAddress(group.getAddress(), PORT));
        channel.join(group.getAddress(), network);
        selector = Selector.open();
    }

    /** Sends the trial's message. */
    void send(int trial, int sizeBytes) throws IOException {
        int leftBytes = Math.max(sizeBytes, NUMBER_BYTES);
        while (leftBytes > 0) {
            int bytes = nextBytes(leftBytes);
            datagram.clear().putInt(0, trial).limit(bytes);
            channel.send(datagram, group);
            leftBytes -= bytes;
        }
    }

    /** A datagram's share of what is left; the last one has room for the number too. */
    private int nextBytes(int leftBytes) {
        int bytes = Math.min(leftBytes, datagram.capacity());
        int restBytes = leftBytes - bytes;
        return restBytes > 0 && restBytes < NUMBER_BYTES ? bytes - NUMBER_BYTES : bytes;
    }

    /** Forgets what earlier trials left in the socket, and listens from now on. */
    void prepareToReceive() throws IOException {
        channel.configureBlocking(false);
        if (channel.keyFor(selector) == null) {
            channel.register(selector, SelectionKey.OP_READ);
        }
        while (channel.receive(datagram.clear()) != null) {
            // Of an earlier trial.
        }
    }

    /** True when the whole message arrived before the deadline. */
    boolean receive(int trial, int sizeBytes, long deadlineNs) throws IOException {
        int allBytes = Math.max(sizeBytes, NUMBER_BYTES);
        int leftBytes = allBytes;
        long firstNs = 0;
        while (leftBytes > 0) {
            if (channel.receive(datagram.clear()) == null) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return false;
                }
                long napNs = napNs(firstNs, allBytes - leftBytes, leftBytes);
                if (napNs > 0) {
                    LockSupport.parkNanos(napNs);
                } else {
                    selector.select(leftMs);
                    selector.selectedKeys().clear();
                }
            } else if (datagram.position() >= NUMBER_BYTES && datagram.getInt(0) == trial) {
                firstNs = leftBytes == allBytes ? System.nanoTime() : firstNs;
                leftBytes -= datagram.position();
            }
        }
        return true;
    }

    /** Half of the time that the rest will take, at the rate until now; 0: not worth it. */
    private long napNs(long firstNs, int arrivedBytes, int leftBytes) {
        if (arrivedBytes == 0 || leftBytes < FEWEST_DATAGRAMS * datagram.capacity()) {
            return 0;
        }
        long halfNs = (System.nanoTime() - firstNs) * leftBytes / arrivedBytes / 2;
        return halfNs < SHORTEST_NAP_NS ? 0 : Math.min(halfNs, LONGEST_NAP_NS);
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
