package org.madcast.agent.probe;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Listens for the IGMP membership queries by which a querier asks who still wants which group (RFC
 * 3376, section 4.1). Needs the right to open raw sockets. A thread of its own listens until it is
 * closed.
 */
final class IgmpQueryListener implements AutoCloseable {

    /** {@code socket}; public since native calls can only take the shape of public interfaces. */
    public interface Open {
        /** Calls it. */
        int call(int domain, int type, int protocol);
    }

    /** {@code recv}. */
    public interface Receive {
        /** Calls it. */
        long call(int descriptor, MemorySegment buffer, long length, int flags);
    }

    /** {@code setsockopt}. */
    public interface SetOption {
        /** Calls it. */
        int call(int descriptor, int level, int name, MemorySegment value, int length);
    }

    /** {@code close}. */
    public interface Close {
        /** Calls it. */
        int call(int descriptor);
    }

    private static final int AF_INET = 2;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int IPPROTO_IGMP = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int QUERY = 0x11;
    private static final int BUFFER_BYTES = 2048;
    private static final int LEAST_BYTES = 28;
    private static final long TURN_MICROS = 200_000;
    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private final int descriptor;
    private final Receive receive;
    private final Close close;
    private final Thread thread;
    private final Map<String, Integer> heard = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    private IgmpQueryListener(int descriptor, Receive receive, Close close) {
        this.descriptor = descriptor;
        this.receive = receive;
        this.close = close;
        this.thread = Thread.ofPlatform().daemon().name("igmp").unstarted(this::listen);
    }

    /** Begins to listen; empty where this process may not. */
    static Optional<IgmpQueryListener> open() {
        if (!LINUX) {
            return Optional.empty();
        }
        Open open =
                bind(
                        Open.class,
                        "socket",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        int descriptor = open.call(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_IGMP);
        if (descriptor < 0) {
            return Optional.empty();
        }
        giveUpAfter(descriptor);
        Receive receive =
                bind(
                        Receive.class,
                        "recv",
                        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        Close close = bind(Close.class, "close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        IgmpQueryListener ear = new IgmpQueryListener(descriptor, receive, close);
        ear.thread.start();
        return Optional.of(ear);
    }

    /** So that the thread looks now and then whether it is still needed. */
    private static void giveUpAfter(int descriptor) {
        SetOption setOption =
                bind(
                        SetOption.class,
                        "setsockopt",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocateFrom(JAVA_LONG, 0, TURN_MICROS);
            int _ =
                    setOption.call(
                            descriptor, SOL_SOCKET, SO_RCVTIMEO, time, (int) time.byteSize());
        }
    }

    @SuppressWarnings("restricted") // of this package, only here is native code bound
    private static <T> T bind(Class<T> shape, String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        MethodHandle handle =
                linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
        return MethodHandleProxies.asInterfaceInstance(shape, handle);
    }

    private void listen() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER_BYTES);
            while (!closed) {
                long length = receive.call(descriptor, buffer, BUFFER_BYTES, 0);
                if (length >= LEAST_BYTES) {
                    take(buffer);
                }
            }
        } finally {
            int _ = close.call(descriptor);
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

    /** How many queries of whom. */
    Map<String, Integer> heard() {
        return Map.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        closed = true;
    }
}
