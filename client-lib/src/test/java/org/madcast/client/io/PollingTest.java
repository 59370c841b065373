package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.lock.Polling;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.protocol.TransmitSlot;
import org.madcast.client.wire.Arrival;

/** Calls that look again and again before they sleep. */
@Timeout(180)
final class PollingTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.21"), 45_021);
    private static final long LONG_NS = Duration.ofHours(1).toNanos();

    /** Sends nothing, wants nothing, and notes whether something came. */
    private static final class Listener implements ProtocolEngine {

        private long deadlineNs = NO_DEADLINE;
        private boolean heard;

        @Override
        public void onDatagram(long nowNs, Arrival arrival) {
            heard = true;
        }

        @Override
        public void onTimeout(long nowNs) {
            deadlineNs = NO_DEADLINE;
        }

        @Override
        public long nextDeadlineNs() {
            return deadlineNs;
        }

        @Override
        public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
            return 0;
        }
    }

    private static CountedTransport open(SocketPath path) throws IOException {
        return new CountedTransport(
                Transports.open(
                        path,
                        NetworkAttachment.find(null, null, HERE),
                        GROUP,
                        1,
                        1472,
                        new SocketBuffers(1 << 20, 64 << 10)));
    }

    private static EngineLoop loop(Listener engine, DatagramTransport transport, long pollNs) {
        return new EngineLoop(
                engine,
                transport,
                ReliableWay.NONE,
                Arena.ofShared(),
                1472,
                new Polling(pollNs, System.nanoTime(), Path.of("no-statistics")),
                "madcast-poll-test");
    }

    /** A call for which nothing comes. */
    private static CountedTransport waitInVain(long pollNs, long timeoutNs) throws IOException {
        CountedTransport transport = open(SocketPath.AUTO);
        try (EngineLoop loop = loop(new Listener(), transport, pollNs)) {
            assertThat(loop.callAndAwait(() -> {}, () -> false, timeoutNs)).isFalse();
        }
        return transport;
    }

    /** One that is polling already when this returns. */
    private static FutureTask<Boolean> call(
            EngineLoop loop, CountedTransport transport, BooleanSupplier done) {
        FutureTask<Boolean> call =
                new FutureTask<>(() -> loop.callAndAwait(() -> {}, done, LONG_NS));
        Thread.ofPlatform().start(call);
        while (transport.polls() == 0) {
            Thread.onSpinWait();
        }
        return call;
    }

    @Test
    void withoutATimeToPollItSleepsAtOnce() throws Exception {
        CountedTransport transport = waitInVain(0, 10_000_000);
        assertThat(transport.polls()).isZero();
        assertThat(transport.sleeps()).isPositive();
    }

    @Test
    void itSleepsWhenTheTimeToPollIsOver() throws Exception {
        CountedTransport transport = waitInVain(1_000_000, 50_000_000);
        assertThat(transport.polls()).isPositive();
        assertThat(transport.sleeps()).isPositive();
    }

    @Test
    void itDoesNotSleepBefore() throws Exception {
        CountedTransport transport = waitInVain(LONG_NS, 10_000_000);
        assertThat(transport.polls()).isPositive();
        assertThat(transport.sleeps()).isZero();
    }

    /** The loop's own thread has nobody who waits. */
    @Test
    void onlyCallsPoll() throws Exception {
        Listener engine = new Listener();
        CountedTransport transport = open(SocketPath.AUTO);
        try (EngineLoop loop = loop(engine, transport, LONG_NS)) {
            CountDownLatch turns = new CountDownLatch(3);
            loop.afterEachTurn(() -> {
                engine.deadlineNs = System.nanoTime() + 1_000_000;
                turns.countDown();
            });
            loop.start();
            turns.await();
            assertThat(transport.polls()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void itSeesWhatComes(SocketPath path) throws Exception {
        Listener engine = new Listener();
        CountedTransport transport = open(path);
        try (DatagramTransport other = open(path);
                EngineLoop loop = loop(engine, transport, LONG_NS);
                Arena arena = Arena.ofConfined()) {
            other.peers(List.of(transport.localAddress(), other.localAddress()), 1);
            FutureTask<Boolean> call = call(loop, transport, () -> engine.heard);
            assertThat(other.send(arena.allocate(100), 100, 0)).isEqualTo(100);
            assertThat(call.get()).isTrue();
            assertThat(transport.sleeps()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void itIsWokenWhenTheEngineWantsToBeCalled(SocketPath path) throws Exception {
        Listener engine = new Listener();
        AtomicBoolean enough = new AtomicBoolean();
        CountedTransport transport = open(path);
        try (EngineLoop loop = loop(engine, transport, LONG_NS)) {
            FutureTask<Boolean> call = call(loop, transport, enough::get);
            boolean _ =
                    loop.with(() -> {
                        engine.deadlineNs = System.nanoTime();
                        enough.set(true);
                        return true;
                    });
            assertThat(call.get()).isTrue();
            assertThat(transport.sleeps()).isZero();
        }
    }
}
