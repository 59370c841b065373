package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Datagram;

/** The portable transport: two non-blocking channels and a selector. */
public final class NioTransport implements DatagramTransport {

    private static final long SELECT_UNIT_NS = 1_000_000;
    private static final long SHORTEST_WAIT_NS = 20_000;

    private final SocketBuffers buffers;
    private final DatagramChannel unicastChannel;
    private final Selector selector;
    private final SelectionKey unicastKey;
    private final NetworkInterface networkInterface;
    private DatagramChannel groupChannel;
    private InetSocketAddress group;
    private final ByteBuffer receiveBuffer;
    private final Arrival received;
    private InetSocketAddress[] endpoints = {};
    private @Nullable SocketAddress sender;
    private boolean groupReady = true;
    private boolean unicastReady = true;

    /** A selector that looks without waiting does not tell that it was woken. */
    private volatile boolean woken;

    private NioTransport(
            DatagramChannel groupChannel,
            DatagramChannel unicastChannel,
            InetSocketAddress group,
            NetworkInterface networkInterface,
            int datagramBytes,
            SocketBuffers buffers)
            throws IOException {
        this.buffers = buffers;
        this.groupChannel = groupChannel;
        this.networkInterface = networkInterface;
        this.unicastChannel = unicastChannel;
        this.group = group;
        // One byte more than any of our datagrams: a longer one is seen to be too long.
        receiveBuffer = ByteBuffer.allocateDirect(datagramBytes + 1);
        received = new Arrival(new Datagram(MemorySegment.ofBuffer(receiveBuffer)));
        selector = Selector.open();
        groupChannel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        unicastKey =
                unicastChannel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
    }

    /**
     * Opens both sockets and joins the group.
     *
     * @param network the interface to use, and the address on it to bind to
     * @param ttl how many routers a multicast datagram may pass, plus one
     * @param datagramBytes the largest datagram
     * @param buffers what the kernel is asked to keep for each socket
     */
    public static NioTransport open(
            NetworkAttachment network,
            InetSocketAddress group,
            int ttl,
            int datagramBytes,
            SocketBuffers buffers)
            throws IOException {
        List<DatagramChannel> opened = new ArrayList<>();
        try {
            DatagramChannel groupChannel =
                    openGroup(group, network.networkInterface(), buffers, opened);
            DatagramChannel unicastChannel = openChannel(group.getAddress(), opened);
            unicastChannel.setOption(StandardSocketOptions.SO_RCVBUF, buffers.receiveBytes());
            unicastChannel.setOption(
                    StandardSocketOptions.SO_SNDBUF,
                    Math.max(buffers.sendBytes(), 8 * datagramBytes));
            NetworkInterface out = network.networkInterface();
            unicastChannel.setOption(StandardSocketOptions.IP_MULTICAST_IF, out);
            unicastChannel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, ttl);
            unicastChannel.bind(new InetSocketAddress(network.address(), 0));
            return new NioTransport(
                    groupChannel, unicastChannel, group, out, datagramBytes, buffers);
        } catch (IOException | RuntimeException failed) {
            closeAll(opened, failed);
            throw failed;
        }
    }

    private static DatagramChannel openGroup(
            InetSocketAddress group,
            NetworkInterface at,
            SocketBuffers buffers,
            List<DatagramChannel> opened)
            throws IOException {
        DatagramChannel channel = openChannel(group.getAddress(), opened);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, buffers.receiveBytes());
        channel.bind(group);
        MembershipKey _ = channel.join(group.getAddress(), at);
        return channel;
    }

    private static DatagramChannel openChannel(InetAddress like, List<DatagramChannel> opened)
            throws IOException {
        DatagramChannel channel =
                DatagramChannel.open(
                        like instanceof Inet4Address
                                ? StandardProtocolFamily.INET
                                : StandardProtocolFamily.INET6);
        opened.add(channel);
        return channel;
    }

    private static void closeAll(List<DatagramChannel> channels, Exception reason) {
        for (DatagramChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException alsoFailed) {
                reason.addSuppressed(alsoFailed);
            }
        }
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public InetSocketAddress localAddress() {
        try {
            return (InetSocketAddress) unicastChannel.getLocalAddress();
        } catch (IOException closed) {
            throw new IllegalStateException("the transport is closed", closed);
        }
    }

    @Override
    public int receiveBufferBytes() {
        try {
            // The JDK halves what Linux reports, which is what the kernel really uses.
            return 2 * groupChannel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException closed) {
            throw new IllegalStateException("the transport is closed", closed);
        }
    }

    @Override
    public void peers(List<InetSocketAddress> byRank, int self) {
        endpoints = byRank.toArray(InetSocketAddress[]::new);
        boolean sharedHost = false;
        for (int rank = 0; rank < endpoints.length; rank++) {
            sharedHost |=
                    rank != self
                            && endpoints[rank].getAddress().equals(endpoints[self].getAddress());
        }
        try {
            unicastChannel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, sharedHost);
        } catch (IOException closed) {
            throw new IllegalStateException("the transport is closed", closed);
        }
    }

    @Override
    public void regroup(InetSocketAddress newGroup) throws IOException {
        groupChannel.close();
        // A closed channel's key stays in the selector, and its port in use, until it is looked at.
        selector.selectNow();
        selector.selectedKeys().clear();
        group = newGroup;
        List<DatagramChannel> opened = new ArrayList<>();
        boolean ready = false;
        try {
            groupChannel = openGroup(newGroup, networkInterface, buffers, opened);
            groupChannel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            ready = true;
        } finally {
            groupReady = ready;
            unicastReady = true;
            if (!ready) {
                for (DatagramChannel channel : opened) {
                    channel.close();
                }
            }
        }
    }

    @Override
    public @Nullable Arrival receive() throws IOException {
        receiveBuffer.clear();
        groupReady = groupReady && receive(groupChannel);
        if (!groupReady) {
            unicastReady = unicastReady && receive(unicastChannel);
        }
        if (!groupReady && !unicastReady) {
            return null;
        }
        received.datagram().lay(0, receiveBuffer.position());
        return received.ofGroup(groupReady);
    }

    private boolean receive(DatagramChannel channel) throws IOException {
        sender = channel.receive(receiveBuffer);
        return sender != null;
    }

    @Override
    public @Nullable InetSocketAddress lastSender() {
        return (InetSocketAddress) sender;
    }

    @Override
    public int batchBytes(int datagramBytes) {
        return receiveBuffer.capacity() - 1;
    }

    @Override
    public int send(MemorySegment datagrams, int datagramBytes, int destination) {
        InetSocketAddress target = destination < 0 ? group : endpoints[destination];
        ByteBuffer bytes = datagrams.asByteBuffer();
        int all = bytes.capacity();
        for (int done = 0; done < all; done += datagramBytes) {
            bytes.limit(Math.min(done + datagramBytes, all)).position(done);
            if (!sendOne(bytes, target)) {
                return done;
            }
        }
        return all;
    }

    private boolean sendOne(ByteBuffer datagram, InetSocketAddress target) {
        try {
            return unicastChannel.send(datagram, target) > 0;
        } catch (IOException refused) {
            // A firewall, a full device queue, a route that is gone: to the protocol it is loss.
            return true;
        }
    }

    /**
     * A selector counts in milliseconds: a wait may be up to one longer than asked. A coalesce is a
     * nap, which unicast datagrams do not end.
     */
    @Override
    public void await(long timeoutNs, long coalesceNs, boolean wantWrite) throws IOException {
        int interest =
                wantWrite ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (unicastKey.isValid() && unicastKey.interestOps() != interest) {
            unicastKey.interestOps(interest);
        }
        if (coalesceNs > 0) {
            LockSupport.parkNanos(Math.min(coalesceNs, timeoutNs));
            selector.selectNow();
        } else if (timeoutNs < SHORTEST_WAIT_NS) {
            selector.selectNow();
        } else {
            selector.select((timeoutNs + SELECT_UNIT_NS - 1) / SELECT_UNIT_NS);
        }
        noteReady();
    }

    @Override
    public boolean poll() throws IOException {
        await(0, 0, false);
        boolean ended = woken;
        woken = false;
        return ended || groupReady || unicastReady;
    }

    /** What was ready is read until it is dry; looking at the other socket would cost a call. */
    private void noteReady() {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.isReadable()) {
                groupReady |= !key.equals(unicastKey);
                unicastReady |= key.equals(unicastKey);
            }
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void wakeup() {
        woken = true;
        selector.wakeup();
    }

    @Override
    public void close() {
        try (DatagramChannel _ = groupChannel;
                unicastChannel;
                selector) {
            selector.wakeup();
        } catch (ClosedChannelException alreadyClosed) {
            return;
        } catch (IOException failed) {
            throw new IllegalStateException(
                    "closing the sockets failed: " + failed.getMessage(), failed);
        }
    }
}
