package org.madcast.client.io;

import static org.madcast.client.io.SocketMessages.INT;
import static org.madcast.client.io.SocketMessages.LONG;
import static org.madcast.client.io.SocketMessages.SHORT;
import static org.madcast.client.io.SocketMessages.SOL_SOCKET;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.nativecalls.LinuxCalls;

/**
 * The transport over Linux's own calls: arriving datagrams are merged and departing ones cut by the
 * kernel, receive buffers beyond the system's limit where that is allowed, waits in nanoseconds.
 */
public final class NativeTransport implements DatagramTransport {

    /** Where this has room for what a link of 4 Gbit/s brings, the loop's thread takes its time. */
    private static final long LATER_NS = 2_000_000;

    private static final int ROOMY_RECEIVE_BYTES = 1 << 20;

    /**
     * What gathers in a coalesce is taken in one call; each costs 64 KiB for what may be merged.
     */
    private static final int AT_ONCE = 32;

    private static final int FEW_AT_ONCE = 8;

    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK = 0x800;
    private static final int SO_REUSEADDR = 2;
    private static final int IPPROTO_IP = 0;
    private static final int IP_MULTICAST_IF = 32;
    private static final int IP_MULTICAST_TTL = 33;
    private static final int IP_MULTICAST_LOOP = 34;
    private static final int IP_ADD_MEMBERSHIP = 35;
    private static final int IP_DROP_MEMBERSHIP = 36;
    private static final int IP_MULTICAST_ALL = 49;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MULTICAST_IF = 17;
    private static final int IPV6_MULTICAST_HOPS = 18;
    private static final int IPV6_MULTICAST_LOOP = 19;
    private static final int IPV6_JOIN_GROUP = 20;
    private static final int IPV6_LEAVE_GROUP = 21;
    private static final int IPV6_MULTICAST_ALL = 29;

    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;
    private static final int POLL_BYTES = 8;
    private static final int WAKE = 0;
    private static final int UNICAST = 1;
    private static final int GROUP = 2;
    private static final long NS_PER_S = 1_000_000_000;

    private final Arena places;

    /**
     * Of what the calls point to. A call holds on to the memory of its pointers, which of an arena
     * that is closed explicitly costs two atomic operations each; this little goes with the
     * garbage.
     */
    private final Arena arena;

    private final SocketBuffers buffers;
    private final LinuxCalls calls;
    private final LinuxCalls pollCalls;
    private final LinuxCalls wakeCalls;
    private final NativeSocket unicastSocket;
    private final NetworkAttachment network;
    private final boolean ipv4;
    private final int wakeFd;
    private final MemorySegment wakeNumber;
    private final MemorySegment wakeRead;
    private final MemorySegment polls;
    private final MemorySegment timeout;
    private final InetSocketAddress local;
    private final int grantedReceiveBytes;
    private NativeSocket groupSocket;
    private NativeSocket lastSocket;
    private MemorySegment groupAddress;
    private MemorySegment[] endpoints = {};
    private byte[] membership = {};
    private boolean groupReady = true;
    private boolean unicastReady = true;
    private boolean closed;

    private NativeTransport(
            Opening opening,
            NetworkAttachment network,
            InetSocketAddress group,
            SocketBuffers buffers)
            throws IOException {
        this.buffers = buffers;
        places = opening.places;
        arena = opening.arena;
        this.network = network;
        calls = opening.calls;
        pollCalls = new LinuxCalls(arena);
        wakeCalls = new LinuxCalls(arena);
        ipv4 = group.getAddress() instanceof Inet4Address;
        groupSocket = opening.socket(ipv4, AT_ONCE);
        lastSocket = groupSocket;
        unicastSocket = opening.socket(ipv4, FEW_AT_ONCE);
        wakeFd = opening.event();
        groupAddress = allocate(SocketAddressBytes.encode(group));
        wakeNumber = arena.allocate(Long.BYTES, 8);
        wakeNumber.set(LONG, 0, 1);
        wakeRead = arena.allocate(Long.BYTES, 8);
        timeout = arena.allocate(16, 8);
        polls = arena.allocate(3L * POLL_BYTES, 8);
        polls.set(INT, (long) WAKE * POLL_BYTES, wakeFd);
        polls.set(INT, (long) UNICAST * POLL_BYTES, unicastSocket.fd());
        polls.set(INT, (long) GROUP * POLL_BYTES, groupSocket.fd());
        listen(groupSocket, group);
        unicastSocket.mergeArrivals();
        unicastSocket.buffers(buffers);
        tellArrivals(unicastSocket);
        unicastSocket.bind(new InetSocketAddress(network.address(), 0));
        local = unicastSocket.localAddress();
        grantedReceiveBytes = groupSocket.receiveBufferBytes();
    }

    /** Whether this system and the way in which this process was started allow it. */
    public static boolean isAvailable() {
        return LinuxCalls.areAvailable();
    }

    /**
     * Opens both sockets and joins the group.
     *
     * @param network the interface to use, and the address on it to bind to
     * @param ttl how many routers a multicast datagram may pass, plus one
     * @param buffers what the kernel is asked to keep for each socket
     */
    public static NativeTransport open(
            NetworkAttachment network, InetSocketAddress group, int ttl, SocketBuffers buffers)
            throws IOException {
        Opening opening = new Opening();
        try {
            NativeTransport transport = new NativeTransport(opening, network, group, buffers);
            transport.speak(network, ttl);
            return transport;
        } catch (IOException | RuntimeException failed) {
            opening.undo();
            throw failed;
        }
    }

    private void listen(NativeSocket socket, InetSocketAddress group) throws IOException {
        int index = network.networkInterface().getIndex();
        byte[] address = group.getAddress().getAddress();
        ByteBuffer wanted =
                ByteBuffer.allocate(ipv4 ? 12 : 20).order(ByteOrder.nativeOrder()).put(address);
        socket.option(SOL_SOCKET, SO_REUSEADDR, 1);
        socket.buffers(buffers);
        socket.bind(group);
        membership = wanted.putInt(wanted.capacity() - Integer.BYTES, index).array();
        if (ipv4) {
            socket.option(IPPROTO_IP, IP_MULTICAST_ALL, 0);
        } else {
            socket.option(IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0);
        }
        socket.option(
                "joining " + group.getAddress().getHostAddress(),
                ipv4 ? IPPROTO_IP : IPPROTO_IPV6,
                ipv4 ? IP_ADD_MEMBERSHIP : IPV6_JOIN_GROUP,
                membership);
        socket.mergeArrivals();
        tellArrivals(socket);
    }

    /** The socket stays, and nothing comes to it. */
    private void leaveGroup() throws IOException {
        groupSocket.option(
                "leaving the group",
                ipv4 ? IPPROTO_IP : IPPROTO_IPV6,
                ipv4 ? IP_DROP_MEMBERSHIP : IPV6_LEAVE_GROUP,
                membership);
    }

    /** Only who may lose what comes early need know when it came. */
    private static void tellArrivals(NativeSocket socket) throws IOException {
        if (socket.receiveBufferBytes() < ROOMY_RECEIVE_BYTES) {
            socket.tellArrivals();
        }
    }

    @Override
    public void regroup(InetSocketAddress group) throws IOException {
        int domain = ipv4 ? SocketAddressBytes.AF_INET : SocketAddressBytes.AF_INET6;
        int fd = calls.socket(domain, SOCK_DGRAM | SOCK_CLOEXEC);
        if (fd < 0) {
            leaveGroup();
        }
        int opened = LinuxCalls.check("opening a socket", fd);
        // Not before there is another one: its number would be polled, and belong to another socket
        // soon.
        groupSocket.close();
        groupSocket.arrived().turnTo(opened);
        groupSocket = new NativeSocket(calls, opened, groupSocket.arrived(), arena);
        polls.set(INT, (long) GROUP * POLL_BYTES, opened);
        groupAddress = allocate(SocketAddressBytes.encode(group));
        groupReady = false;
        listen(groupSocket, group);
        groupReady = true;
    }

    private void speak(NetworkAttachment network, int ttl) throws IOException {
        int index = network.networkInterface().getIndex();
        if (ipv4) {
            ByteBuffer request = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
            request.put(4, network.address().getAddress()).putInt(8, index);
            unicastSocket.option(
                    "choosing the interface", IPPROTO_IP, IP_MULTICAST_IF, request.array());
            LinuxCalls.check("TTL", unicastSocket.option(IPPROTO_IP, IP_MULTICAST_TTL, ttl));
        } else {
            LinuxCalls.check(
                    "choosing the interface",
                    unicastSocket.option(IPPROTO_IPV6, IPV6_MULTICAST_IF, index));
            LinuxCalls.check("hops", unicastSocket.option(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, ttl));
        }
    }

    private MemorySegment allocate(byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public int receiveBufferBytes() {
        return grantedReceiveBytes;
    }

    @Override
    public void peers(List<InetSocketAddress> byRank, int self) {
        boolean sharedHost = false;
        endpoints = new MemorySegment[byRank.size()];
        for (int rank = 0; rank < endpoints.length; rank++) {
            InetSocketAddress endpoint = byRank.get(rank);
            endpoints[rank] = allocate(SocketAddressBytes.encode(endpoint));
            sharedHost |=
                    rank != self && endpoint.getAddress().equals(byRank.get(self).getAddress());
        }
        unicastSocket.option(
                ipv4 ? IPPROTO_IP : IPPROTO_IPV6,
                ipv4 ? IP_MULTICAST_LOOP : IPV6_MULTICAST_LOOP,
                sharedHost ? 1 : 0);
    }

    @Override
    public @Nullable Arrival receive() {
        Arrival arrival = groupReady ? groupSocket.arrived().next() : null;
        lastSocket = arrival == null ? unicastSocket : groupSocket;
        if (arrival == null) {
            groupReady = false;
            arrival = unicastReady ? unicastSocket.arrived().next() : null;
            unicastReady = arrival != null;
        }
        return arrival == null ? null : arrival.ofGroup(lastSocket == groupSocket);
    }

    @Override
    public @Nullable InetSocketAddress lastSender() {
        return lastSocket.arrived().sender();
    }

    @Override
    public int batchBytes(int datagramBytes) {
        return NativeSocket.BATCH_BYTES;
    }

    @Override
    public int send(MemorySegment datagrams, int datagramBytes, int destination) {
        MemorySegment target = destination < 0 ? groupAddress : endpoints[destination];
        long sent = unicastSocket.send(datagrams, datagramBytes, target);
        if (sent == -LinuxCalls.EAGAIN) {
            return 0;
        }
        // A firewall, a full device queue, a route that is gone: to the protocol it is loss.
        return sent < 0 ? (int) datagrams.byteSize() : (int) sent;
    }

    @Override
    public int queuedBytes() {
        return unicastSocket.queuedBytes();
    }

    @Override
    public void await(long timeoutNs, long coalesceNs, boolean wantWrite) {
        if (coalesceNs > 0) {
            poll(UNICAST + 1, Math.min(timeoutNs, coalesceNs), wantWrite);
            // Whatever ended the coalesce: what a unicast datagram speaks of may lie in the other
            // socket.
            groupReady = true;
            return;
        }
        poll(GROUP + 1, timeoutNs, wantWrite);
    }

    @Override
    public boolean poll() {
        return poll(GROUP + 1, 0, false) > 0;
    }

    private int poll(int count, long timeoutNs, boolean wantWrite) {
        timeout.set(LONG, 0, timeoutNs / NS_PER_S);
        timeout.set(LONG, Long.BYTES, timeoutNs % NS_PER_S);
        events(WAKE, POLLIN);
        events(UNICAST, wantWrite ? (short) (POLLIN | POLLOUT) : POLLIN);
        events(GROUP, POLLIN);
        int ready = pollCalls.ppoll(polls, count, timeout);
        if (ready > 0) {
            groupReady |= count > GROUP && happened(GROUP);
            unicastReady |= happened(UNICAST);
            if (happened(WAKE)) {
                pollCalls.read(wakeFd, wakeRead);
            }
        }
        return ready;
    }

    private void events(int index, short wanted) {
        polls.set(INT, (long) index * POLL_BYTES + Integer.BYTES, wanted);
    }

    private boolean happened(int index) {
        long revents = (long) index * POLL_BYTES + Integer.BYTES + Short.BYTES;
        return (polls.get(SHORT, revents) & ~POLLOUT) != 0;
    }

    @Override
    public TakeOver takeOver() {
        boolean roomy = grantedReceiveBytes >= ROOMY_RECEIVE_BYTES;
        try {
            return new NativeTakeOver(roomy ? LATER_NS : TakeOver.SOON_NS);
        } catch (IOException noMoreDescriptors) {
            return TakeOver.portable();
        }
    }

    @Override
    public synchronized void wakeup() {
        if (!closed) {
            wakeCalls.write(wakeFd, wakeNumber);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            groupSocket.close();
            unicastSocket.close();
            calls.close(wakeFd);
            places.close();
        }
    }

    /** What was opened so far, so that a failure leaves nothing open. */
    private static final class Opening {

        private final Arena places = Arena.ofShared();
        private final Arena arena = Arena.ofAuto();
        private final LinuxCalls calls = new LinuxCalls(arena);
        private final int[] fds = new int[3];
        private int opened;

        NativeSocket socket(boolean ipv4, int mostAtOnce) throws IOException {
            int domain = ipv4 ? SocketAddressBytes.AF_INET : SocketAddressBytes.AF_INET6;
            int fd =
                    LinuxCalls.check(
                            "opening a socket", calls.socket(domain, SOCK_DGRAM | SOCK_CLOEXEC));
            fds[opened++] = fd;
            return new NativeSocket(
                    calls, fd, new ArrivedDatagrams(calls, fd, mostAtOnce, places, arena), arena);
        }

        int event() throws IOException {
            int fd = LinuxCalls.check("eventfd", calls.eventfd(EFD_CLOEXEC | EFD_NONBLOCK));
            fds[opened++] = fd;
            return fd;
        }

        void undo() {
            for (int i = 0; i < opened; i++) {
                calls.close(fds[i]);
            }
            places.close();
        }
    }
}
