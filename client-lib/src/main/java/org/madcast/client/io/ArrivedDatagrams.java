package org.madcast.client.io;

import static org.madcast.client.io.SocketMessages.CAME_BYTES;
import static org.madcast.client.io.SocketMessages.CONTROL;
import static org.madcast.client.io.SocketMessages.CONTROL_DATA;
import static org.madcast.client.io.SocketMessages.CONTROL_LENGTH;
import static org.madcast.client.io.SocketMessages.CONTROL_LEVEL;
import static org.madcast.client.io.SocketMessages.CONTROL_TYPE;
import static org.madcast.client.io.SocketMessages.INT;
import static org.madcast.client.io.SocketMessages.LONG;
import static org.madcast.client.io.SocketMessages.MSG_DONTWAIT;
import static org.madcast.client.io.SocketMessages.MULTIPLE_HEADER_BYTES;
import static org.madcast.client.io.SocketMessages.NAME;
import static org.madcast.client.io.SocketMessages.NAME_LENGTH;
import static org.madcast.client.io.SocketMessages.SOL_SOCKET;
import static org.madcast.client.io.SocketMessages.SOL_UDP;
import static org.madcast.client.io.SocketMessages.SO_TIMESTAMPNS;
import static org.madcast.client.io.SocketMessages.UDP_GRO;
import static org.madcast.client.io.SocketMessages.VECTOR;
import static org.madcast.client.io.SocketMessages.VECTOR_BYTES;
import static org.madcast.client.io.SocketMessages.VECTOR_LENGTH;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Datagram;
import org.madcast.nativecalls.LinuxCalls;

/**
 * Takes what has arrived at a UDP socket, several datagrams in one call, each of which may be
 * several that the kernel has merged (UDP_GRO), and hands them out one by one. A call that brings
 * fewer than it could has emptied the socket, so no further call is made only to find that out. For
 * one thread at a time.
 */
final class ArrivedDatagrams {

    private static final long NS_PER_MS = 1_000_000;
    private static final int DATAGRAM_BYTES = 65_536;

    /**
     * What lies a power of two apart shares few lines of the processor's cache. So the beginnings
     * of the places for datagrams are as far apart as one that fills an Ethernet frame is long.
     */
    private static final int PLACE_BYTES = DATAGRAM_BYTES + 1_536;

    // struct cmsghdr, one for the length of what was merged and one for the time
    private static final int CONTROL_BYTES = 64;

    private final LinuxCalls calls;
    private int fd;
    private final int most;
    private final MemorySegment headers;
    private final Arrival arrived;
    private final MemorySegment controls;
    private final MemorySegment senders;

    /** How many the last call brought, and which of them is being handed out. */
    private int count;

    private int current = -1;

    /** Of that one: where it ends, where the next part begins, and how long a part is. */
    private int endBytes;

    private int positionBytes;
    private int partBytes;

    /**
     * From one socket.
     *
     * @param most how many datagrams, merged or not, one call takes
     * @param places where they are put, which is much; freed by the caller
     * @param arena for what the calls point to
     */
    ArrivedDatagrams(LinuxCalls calls, int fd, int most, Arena places, Arena arena) {
        this.calls = calls;
        this.fd = fd;
        this.most = most;
        headers = arena.allocate((long) most * MULTIPLE_HEADER_BYTES, 8);
        MemorySegment datagrams = places.allocate((long) most * PLACE_BYTES, 64);
        arrived = new Arrival(new Datagram(datagrams));
        controls = arena.allocate((long) most * CONTROL_BYTES, 8);
        senders = arena.allocate((long) most * SocketAddressBytes.LONGEST, 8);
        MemorySegment vectors = arena.allocate((long) most * VECTOR_BYTES, 8);
        for (int i = 0; i < most; i++) {
            vectors.set(
                    LONG, (long) i * VECTOR_BYTES, datagrams.address() + (long) i * PLACE_BYTES);
            vectors.set(LONG, (long) i * VECTOR_BYTES + Long.BYTES, DATAGRAM_BYTES);
            long header = (long) i * MULTIPLE_HEADER_BYTES;
            headers.set(
                    LONG, header + NAME, senders.address() + (long) i * SocketAddressBytes.LONGEST);
            headers.set(LONG, header + VECTOR, vectors.address() + (long) i * VECTOR_BYTES);
            headers.set(LONG, header + VECTOR_LENGTH, 1);
            headers.set(LONG, header + CONTROL, controls.address() + (long) i * CONTROL_BYTES);
        }
        makeRoom(most);
    }

    /** The kernel writes how long names and notes are where it reads how long they may be. */
    private void makeRoom(int slots) {
        for (int i = 0; i < slots; i++) {
            headers.set(
                    INT,
                    (long) i * MULTIPLE_HEADER_BYTES + NAME_LENGTH,
                    SocketAddressBytes.LONGEST);
            headers.set(LONG, (long) i * MULTIPLE_HEADER_BYTES + CONTROL_LENGTH, CONTROL_BYTES);
        }
    }

    /** Takes from another socket from now on; what the last one still had is forgotten. */
    void turnTo(int otherFd) {
        fd = otherFd;
        makeRoom(count);
        count = 0;
        current = -1;
        positionBytes = endBytes;
    }

    /** The next datagram, valid until the next call, or null: the socket is empty. */
    @Nullable Arrival next() {
        // Also past empty datagrams, which no rank sends.
        while (positionBytes == endBytes) {
            current++;
            if (current < count) {
                open();
            } else if (!take()) {
                return null;
            }
        }
        int bytes = Math.min(partBytes, endBytes - positionBytes);
        arrived.datagram().lay(positionBytes, bytes);
        positionBytes += bytes;
        return arrived;
    }

    /** Who sent the datagram that was handed out last; those that are merged have one sender. */
    @Nullable InetSocketAddress sender() {
        long first = (long) Math.max(current, 0) * SocketAddressBytes.LONGEST;
        byte[] address =
                senders.asSlice(first, SocketAddressBytes.LONGEST).toArray(ValueLayout.JAVA_BYTE);
        try {
            return SocketAddressBytes.decode(address);
        } catch (IOException noAddress) {
            return null;
        }
    }

    /** Asks the kernel, unless it was all that the last call brought. */
    private boolean take() {
        boolean emptied = count > 0 && count < most;
        makeRoom(count);
        current = -1;
        count = 0;
        if (emptied) {
            return false;
        }
        int taken;
        do {
            taken = calls.recvmmsg(fd, headers, most, MSG_DONTWAIT);
        } while (taken == -LinuxCalls.EINTR);
        count = Math.max(taken, 0);
        return count > 0;
    }

    private void open() {
        int bytes = headers.get(INT, (long) current * MULTIPLE_HEADER_BYTES + CAME_BYTES);
        positionBytes = current * PLACE_BYTES;
        endBytes = positionBytes + bytes;
        partBytes = bytes;
        arrived.waitedNs(0);
        readControl((long) current * CONTROL_BYTES);
    }

    /** What the kernel tells of what was received: how it was merged, and when it came. */
    private void readControl(long first) {
        long bytes = headers.get(LONG, (long) current * MULTIPLE_HEADER_BYTES + CONTROL_LENGTH);
        long end = first + bytes;
        for (long at = first; at + CONTROL_DATA + Integer.BYTES <= end; ) {
            int level = controls.get(INT, at + CONTROL_LEVEL);
            int type = controls.get(INT, at + CONTROL_TYPE);
            long data = at + CONTROL_DATA;
            if (level == SOL_UDP && type == UDP_GRO) {
                int part = controls.get(INT, data);
                partBytes = part > 0 ? part : partBytes;
            } else if (level == SOL_SOCKET && type == SO_TIMESTAMPNS) {
                arrived.waitedNs(sinceNs(data));
            }
            at += Math.max(CONTROL_DATA, (controls.get(LONG, at) + 7) & -8);
        }
    }

    /** To a millisecond; 0 when it was less. */
    private long sinceNs(long timespec) {
        long cameNs =
                controls.get(LONG, timespec) * 1000 * NS_PER_MS
                        + controls.get(LONG, timespec + Long.BYTES);
        long sinceNs = System.currentTimeMillis() * NS_PER_MS - cameNs;
        return sinceNs < NS_PER_MS ? 0 : sinceNs;
    }
}
