package org.madcast.agent.probe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.madcast.nativecalls.LinuxCalls;

/**
 * Listens for the IGMP membership queries by which a querier asks which groups still have members
 * (RFC 3376, section 4.1). Needs the right to open raw sockets. A thread of its own listens until
 * it is closed.
 */
final class IgmpQueryListener implements AutoCloseable {

    private static final int AF_INET = 2;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int IPPROTO_IGMP = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int QUERY = 0x11;
    private static final int BUFFER_BYTES = 2048;
    private static final int LEAST_BYTES = 28;
    private static final long TIMEOUT_MICROS = 200_000;

    private final Arena arena;
    private final LinuxCalls calls;
    private final int socket;
    private final Thread thread;
    private final Map<String, Integer> heard = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    private IgmpQueryListener(Arena arena, LinuxCalls calls, int socket) {
        this.arena = arena;
        this.calls = calls;
        this.socket = socket;
        this.thread = Thread.ofPlatform().daemon().name("igmp").unstarted(this::listen);
    }

    /** Begins to listen; empty where this process may not. */
    static Optional<IgmpQueryListener> open() {
        if (!LinuxCalls.areAvailable()) {
            return Optional.empty();
        }
        Arena arena = Arena.ofAuto();
        LinuxCalls calls = new LinuxCalls(arena);
        int socket = calls.socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_IGMP);
        if (socket < 0) {
            return Optional.empty();
        }
        // A timeval: the thread checks that often whether it is closed.
        MemorySegment timeout = arena.allocateFrom(JAVA_LONG, 0, TIMEOUT_MICROS);
        calls.setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, timeout);
        IgmpQueryListener listener = new IgmpQueryListener(arena, calls, socket);
        listener.thread.start();
        return Optional.of(listener);
    }

    private void listen() {
        MemorySegment buffer = arena.allocate(BUFFER_BYTES);
        try {
            while (!closed) {
                if (calls.read(socket, buffer) >= LEAST_BYTES) {
                    take(buffer);
                }
            }
        } finally {
            calls.close(socket);
        }
    }

    /** An IPv4 header, then IGMP's. */
    private void take(MemorySegment packet) {
        int headerBytes = (packet.get(JAVA_BYTE, 0) & 0xf) * 4;
        if (packet.get(JAVA_BYTE, headerBytes) == QUERY) {
            byte[] source = packet.asSlice(12, 4).toArray(JAVA_BYTE);
            try {
                heard.merge(InetAddress.getByAddress(source).getHostAddress(), 1, Integer::sum);
            } catch (UnknownHostException e) {
                throw new IllegalStateException("4 bytes are an address", e);
            }
        }
    }

    /** How many queries came from which address. */
    Map<String, Integer> heard() {
        return Map.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        closed = true;
    }
}
