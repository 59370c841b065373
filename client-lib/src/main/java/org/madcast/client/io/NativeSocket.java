package org.madcast.client.io;

import static org.madcast.client.io.SocketMessages.CONTROL;
import static org.madcast.client.io.SocketMessages.CONTROL_DATA;
import static org.madcast.client.io.SocketMessages.CONTROL_LENGTH;
import static org.madcast.client.io.SocketMessages.CONTROL_LEVEL;
import static org.madcast.client.io.SocketMessages.CONTROL_TYPE;
import static org.madcast.client.io.SocketMessages.HEADER_BYTES;
import static org.madcast.client.io.SocketMessages.INT;
import static org.madcast.client.io.SocketMessages.LONG;
import static org.madcast.client.io.SocketMessages.MSG_DONTWAIT;
import static org.madcast.client.io.SocketMessages.NAME;
import static org.madcast.client.io.SocketMessages.NAME_LENGTH;
import static org.madcast.client.io.SocketMessages.SHORT;
import static org.madcast.client.io.SocketMessages.SOL_SOCKET;
import static org.madcast.client.io.SocketMessages.SOL_UDP;
import static org.madcast.client.io.SocketMessages.SO_TIMESTAMPNS;
import static org.madcast.client.io.SocketMessages.UDP_GRO;
import static org.madcast.client.io.SocketMessages.UDP_SEGMENT;
import static org.madcast.client.io.SocketMessages.VECTOR;
import static org.madcast.client.io.SocketMessages.VECTOR_BYTES;
import static org.madcast.client.io.SocketMessages.VECTOR_LENGTH;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.madcast.nativecalls.LinuxCalls;

/**
 * One UDP socket of the native transport. It receives what {@link ArrivedDatagrams} takes; it sends
 * several datagrams in one call when the kernel cuts them (UDP_SEGMENT), else one by one. For one
 * thread at a time.
 */
final class NativeSocket {

    /** The largest UDP payload over IPv4, hence the most that one call carries. */
    static final int BATCH_BYTES = 65_507;

    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_MEMINFO = 55;

    // struct cmsghdr, for where to cut
    private static final long SHORT_CONTROL = 18;
    private static final long SHORT_CONTROL_SPACE = 24;

    // what SO_MEMINFO tells: nine numbers, the third of what is being sent
    private static final int MEMORY_BYTES = 36;
    private static final int MEMORY_SENT = 8;

    private final LinuxCalls calls;
    private final int fd;
    private final ArrivedDatagrams arrived;
    private final MemorySegment sendHeader;
    private final MemorySegment sendVector;
    private final MemorySegment sendControl;
    private final MemorySegment scratch;
    private final MemorySegment memory;
    private final MemorySegment memoryLength;
    private boolean segments = true;

    NativeSocket(LinuxCalls calls, int fd, ArrivedDatagrams arrived, Arena arena) {
        this.calls = calls;
        this.fd = fd;
        this.arrived = arrived;
        sendControl = arena.allocate(SHORT_CONTROL_SPACE, 8);
        sendControl.set(LONG, 0, SHORT_CONTROL);
        sendControl.set(INT, CONTROL_LEVEL, SOL_UDP);
        sendControl.set(INT, CONTROL_TYPE, UDP_SEGMENT);
        sendVector = arena.allocate(VECTOR_BYTES, 8);
        sendHeader = arena.allocate(HEADER_BYTES, 8);
        sendHeader.set(LONG, VECTOR, sendVector.address());
        sendHeader.set(LONG, VECTOR_LENGTH, 1);
        scratch = arena.allocate(64, 8);
        memory = arena.allocate(MEMORY_BYTES, 4);
        memoryLength = arena.allocate(Integer.BYTES, 4);
    }

    int fd() {
        return fd;
    }

    /** Sets a number; the result is 0 or a negated error number. */
    int option(int level, int name, int value) {
        scratch.set(INT, 0, value);
        return calls.setsockopt(fd, level, name, scratch.asSlice(0, Integer.BYTES));
    }

    /** Sets the bytes of a structure. */
    void option(String what, int level, int name, byte[] value) throws IOException {
        MemorySegment.copy(MemorySegment.ofArray(value), 0, scratch, 0, value.length);
        LinuxCalls.check(what, calls.setsockopt(fd, level, name, scratch.asSlice(0, value.length)));
    }

    void bind(InetSocketAddress address) throws IOException {
        byte[] bytes = SocketAddressBytes.encode(address);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, scratch, 0, bytes.length);
        LinuxCalls.check("binding to " + address, calls.bind(fd, scratch.asSlice(0, bytes.length)));
    }

    InetSocketAddress localAddress() throws IOException {
        MemorySegment length = scratch.asSlice(32, Integer.BYTES);
        length.set(INT, 0, SocketAddressBytes.LONGEST);
        LinuxCalls.check("getsockname", calls.getsockname(fd, scratch, length));
        return SocketAddressBytes.decode(
                scratch.asSlice(0, length.get(INT, 0)).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Asks for buffers beyond the system's limit where this process may, else up to it. */
    void buffers(SocketBuffers wanted) {
        if (option(SOL_SOCKET, SO_RCVBUFFORCE, wanted.receiveBytes()) < 0) {
            option(SOL_SOCKET, SO_RCVBUF, wanted.receiveBytes());
        }
        if (option(SOL_SOCKET, SO_SNDBUFFORCE, wanted.sendBytes()) < 0) {
            option(SOL_SOCKET, SO_SNDBUF, wanted.sendBytes());
        }
    }

    /** What the kernel granted, as it counts. */
    int receiveBufferBytes() throws IOException {
        MemorySegment length = scratch.asSlice(8, Integer.BYTES);
        length.set(INT, 0, Integer.BYTES);
        LinuxCalls.check(
                "getsockopt", calls.getsockopt(fd, SOL_SOCKET, SO_RCVBUF, scratch, length));
        return scratch.get(INT, 0);
    }

    /**
     * How much has been sent and still lies in the kernel, as it counts; 0 when it does not say.
     */
    int queuedBytes() {
        memoryLength.set(INT, 0, (int) memory.byteSize());
        int result = calls.getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, memoryLength);
        return result < 0 ? 0 : memory.get(INT, MEMORY_SENT);
    }

    /** Lets the kernel merge arriving datagrams, where it can. */
    boolean mergeArrivals() {
        return option(SOL_UDP, UDP_GRO, 1) == 0;
    }

    /** Lets the kernel say when datagrams came, where it can. */
    void tellArrivals() {
        option(SOL_SOCKET, SO_TIMESTAMPNS, 1);
    }

    /** What arrives here. */
    ArrivedDatagrams arrived() {
        return arrived;
    }

    /**
     * Sends datagrams that lie one behind the other, all of {@code datagramBytes} but the last,
     * which may be shorter.
     *
     * @param target the destination as a {@code sockaddr}
     * @return how many bytes left, or a negated error number
     */
    long send(MemorySegment datagrams, int datagramBytes, MemorySegment target) {
        long bytes = datagrams.byteSize();
        if (bytes <= datagramBytes) {
            return sendOne(datagrams, 0, target);
        }
        if (segments) {
            long sent = sendOne(datagrams, datagramBytes, target);
            if (sent != -LinuxCalls.EIO
                    && sent != -LinuxCalls.EINVAL
                    && sent != -LinuxCalls.EMSGSIZE) {
                return sent;
            }
            // The interface cannot cut, or a datagram is longer than a frame of it takes, which the
            // kernel sends in fragments of IP, but only alone: from now on one by one.
            segments = false;
        }
        long sentBytes = 0;
        while (sentBytes < bytes) {
            long next = Math.min(datagramBytes, bytes - sentBytes);
            long sent = sendOne(datagrams.asSlice(sentBytes, next), 0, target);
            if (sent == -LinuxCalls.EAGAIN) {
                return sentBytes > 0 ? sentBytes : sent;
            }
            sentBytes += next;
        }
        return sentBytes;
    }

    private long sendOne(MemorySegment bytes, int cutBytes, MemorySegment target) {
        sendVector.set(LONG, 0, bytes.address());
        sendVector.set(LONG, 8, bytes.byteSize());
        sendHeader.set(LONG, NAME, target.address());
        sendHeader.set(INT, NAME_LENGTH, (int) target.byteSize());
        sendHeader.set(LONG, CONTROL, cutBytes > 0 ? sendControl.address() : 0);
        sendHeader.set(LONG, CONTROL_LENGTH, cutBytes > 0 ? SHORT_CONTROL_SPACE : 0);
        sendControl.set(SHORT, CONTROL_DATA, (short) cutBytes);
        long sent;
        do {
            sent = calls.sendmsg(fd, sendHeader, MSG_DONTWAIT);
        } while (sent == -LinuxCalls.EINTR);
        return sent;
    }

    void close() {
        calls.close(fd);
    }
}
