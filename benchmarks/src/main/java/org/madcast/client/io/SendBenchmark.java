package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.EngineConfig;
import org.madcast.client.protocol.RateLimits;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One fragment's whole way out of a root: from the caller's memory into the ring, sealed, gathered,
 * and through the kernel, which delivers it over loopback to a socket that nobody reads. The time
 * is mostly the kernel's. The other rank's reports are forged, one for each quarter of the window.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class SendBenchmark {

    private static final long TOKEN = 0x0123456789abcdefL;
    private static final int DATAGRAM_BYTES = 1472;
    private static final int WINDOW = 1024;
    private static final int FRAGMENTS = 512;
    private static final int MESSAGE_BYTES =
            FRAGMENTS * (DATAGRAM_BYTES - DatagramLayout.HEADER_BYTES);

    /** Joined and sent to on the loopback interface only, with a time to live of 0. */
    private static final String GROUP = "239.255.77.99";

    /** Which sockets. */
    @Param({"NIO", "NATIVE"})
    public SocketPath path = SocketPath.NIO;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment message = arena.allocate(MESSAGE_BYTES, 64);
    private final MemorySegment report = arena.allocate(DatagramLayout.HEADER_BYTES, 8);
    private final Checksum checksum = new Checksum();
    private @Nullable Session session;
    private long reported;

    /** What exists between set-up and tear-down. */
    private record Session(
            DatagramChannel sink,
            DatagramTransport transport,
            BroadcastEngine engine,
            SendBatch batch) {}

    /** Opens the sockets, and lets the other rank report that it hears the group. */
    @Setup
    public void open() throws IOException {
        InetSocketAddress group = new InetSocketAddress(GROUP, 47_999);
        NetworkAttachment loopback = NetworkAttachment.find("lo", null, group.getAddress());
        DatagramTransport transport =
                Transports.open(
                        path,
                        loopback,
                        group,
                        0,
                        DATAGRAM_BYTES,
                        new SocketBuffers(4 << 20, 64 << 10));
        DatagramChannel sink =
                DatagramChannel.open().bind(new InetSocketAddress(loopback.address(), 0));
        transport.peers(
                List.of(transport.localAddress(), (InetSocketAddress) sink.getLocalAddress()), 0);
        EngineConfig config =
                new EngineConfig(
                        0,
                        2,
                        TOKEN,
                        DATAGRAM_BYTES,
                        WINDOW,
                        true,
                        5_000_000_000L,
                        1_000_000_000,
                        RateLimits.NONE,
                        500_000,
                        Disseminations.byCode(),
                        Algorithm.CHAIN.code());
        BroadcastEngine engine = new BroadcastEngine(config, arena, System.nanoTime());
        SendBatch batch =
                new SendBatch(arena, DATAGRAM_BYTES, transport.batchBytes(DATAGRAM_BYTES));
        session = new Session(sink, transport, engine, batch);
        reported = 0;
        report(engine);
    }

    /** Closes them. A root that had given up would have sent nothing. */
    @TearDown
    public void close() throws IOException {
        Session open = Objects.requireNonNull(session);
        if (open.engine.failure() != null) {
            throw new IllegalStateException(open.engine.toString());
        }
        open.transport.close();
        open.sink.close();
    }

    /** A message of half a window; the time is that of one of its fragments. */
    @Benchmark
    @OperationsPerInvocation(FRAGMENTS)
    public long fragment() throws IOException {
        Session open = Objects.requireNonNull(session);
        BroadcastEngine engine = open.engine;
        engine.call(System.nanoTime(), message, 0, Algorithm.ONCE.code());
        while (engine.callPending()) {
            boolean some = open.batch.fill(engine, System.nanoTime());
            if (some && !open.batch.send(open.transport)) {
                open.transport.await(1_000_000, 0, true);
            }
        }
        for (int quarter = 0; quarter < 4 * FRAGMENTS / WINDOW; quarter++) {
            reported += WINDOW / 4;
            report(engine);
        }
        return engine.counters().datagramsSent();
    }

    /** The other rank has consumed everything below {@link #reported}. */
    private void report(BroadcastEngine engine) {
        DatagramLayout.start(report, 0, DatagramType.PROGRESS, 1, TOKEN);
        DatagramLayout.putSequence(report, reported);
        DatagramLayout.putFragment(report, 1);
        checksum.seal(report);
        long nowNs = System.nanoTime();
        engine.onDatagram(nowNs, Arrival.of(report));
        engine.onTimeout(nowNs);
    }
}
