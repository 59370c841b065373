package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One fragment's whole way through a receiver's engine: checked, stored, tracked, copied into the
 * caller's memory, with its share of time passing, reports going out, and calls ending and
 * beginning. Messages of 1 MiB, one after the other, as the loop on real sockets drives it.
 *
 * <p>Each datagram is numbered anew, as the wire would bring it. With {@code checksums} it is
 * sealed anew too: subtract what {@code DatagramBenchmark.crc} says.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ReceiveBenchmark {

    private static final long TOKEN = 0x0123456789abcdefL;
    private static final int DATAGRAM_BYTES = 1472;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int WINDOW = 2048;
    private static final int ROOT = 0;

    /** The loop reads so many datagrams before it looks at the time. */
    private static final int BATCH = 64;

    private static final long NS_PER_FRAGMENT = 1_200;

    /** Whether the engine checks what arrives. */
    @Param({"true", "false"})
    public boolean checksums = true;

    private final Arena arena = Arena.ofAuto();
    private final MessageShape shape = new MessageShape(DATAGRAM_BYTES);
    private final long fragments = shape.fragments(MESSAGE_BYTES);
    private final MemorySegment message = arena.allocate(MESSAGE_BYTES, 64);
    private final MemorySegment full = arena.allocate(DATAGRAM_BYTES, 64);
    private final Arrival arrived = new Arrival(new Datagram(full));
    private final MemorySegment last =
            full.asSlice(
                    0,
                    DatagramLayout.HEADER_BYTES + shape.payloadBytes(MESSAGE_BYTES, fragments - 1));
    private final MemorySegment out = arena.allocate(DATAGRAM_BYTES, 64);
    private final TransmitSlot slot = new TransmitSlot();
    private final Checksum checksum = new Checksum();
    private BroadcastEngine engine = engine();
    private long sequence;
    private long broadcast;
    private long fragment;
    private long nowNs;

    private BroadcastEngine engine() {
        EngineConfig config =
                new EngineConfig(
                        1,
                        2,
                        TOKEN,
                        DATAGRAM_BYTES,
                        WINDOW,
                        checksums,
                        5_000_000_000L,
                        1_000_000_000,
                        RateLimits.NONE,
                        500_000,
                        Disseminations.byCode(),
                        Algorithm.CHAIN.code());
        return new BroadcastEngine(config, arena, 0);
    }

    /** An engine that waits for the first message. */
    @Setup
    public void begin() {
        engine = engine();
        sequence = 0;
        broadcast = 0;
        fragment = 0;
        nowNs = 0;
        DatagramLayout.start(full, Algorithm.ONCE.code(), DatagramType.DATA, ROOT, TOKEN);
        call();
    }

    private void call() {
        engine.call(nowNs, message, ROOT, Algorithm.ONCE.code());
    }

    /** One fragment; returns whether the caller still waits. */
    @Benchmark
    public boolean fragment() {
        nowNs += NS_PER_FRAGMENT;
        engine.onDatagram(nowNs, nextArrival());
        if (sequence % BATCH == 0) {
            letTimePass();
        }
        if (!engine.callPending()) {
            call();
        }
        return engine.callPending();
    }

    private Arrival nextArrival() {
        MemorySegment datagram = fragment == fragments - 1 ? last : full;
        DatagramLayout.putSequence(datagram, sequence++);
        DatagramLayout.putMessage(datagram, broadcast, ROOT, MESSAGE_BYTES);
        DatagramLayout.putFragment(datagram, fragment++);
        if (fragment == fragments) {
            fragment = 0;
            broadcast++;
        }
        if (checksums) {
            checksum.seal(datagram);
        }
        arrived.datagram().lay(0, (int) datagram.byteSize());
        return arrived;
    }

    private void letTimePass() {
        if (engine.nextDeadlineNs() <= nowNs) {
            engine.onTimeout(nowNs);
        }
        while (engine.pollTransmit(nowNs, out, slot) > 0) {
            // Reports, into the void.
        }
    }

    /** A benchmark of fragments that were not wanted would measure something else. */
    @TearDown
    public void check() {
        if (engine.failure() != null || !engine.counters().rejected().isEmpty()) {
            throw new IllegalStateException(engine + ", rejected " + engine.counters().rejected());
        }
    }
}
