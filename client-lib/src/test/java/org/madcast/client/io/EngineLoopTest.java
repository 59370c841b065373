package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.lock.Polling;
import org.madcast.client.protocol.GroupAddress;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.protocol.TransmitSlot;
import org.madcast.client.wire.Arrival;

/** A loop in trouble. */
@Timeout(180)
final class EngineLoopTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.12"), 45_012);

    /** Has something to do each millisecond, and does it. */
    private static class IdleEngine implements ProtocolEngine {

        private long deadlineNs = System.nanoTime();

        @Override
        public void onDatagram(long nowNs, Arrival arrival) {}

        @Override
        public void onTimeout(long nowNs) {
            deadlineNs = nowNs + 1_000_000;
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

    private static EngineLoop loop(ProtocolEngine engine, SocketPath path) throws IOException {
        return loop(engine, transport(path));
    }

    private static DatagramTransport transport(SocketPath path) throws IOException {
        return Transports.open(
                path,
                NetworkAttachment.find(null, null, HERE),
                GROUP,
                1,
                1472,
                new SocketBuffers(1 << 20, 64 << 10));
    }

    private static EngineLoop loop(ProtocolEngine engine, DatagramTransport transport) {
        return new EngineLoop(
                engine,
                transport,
                ReliableWay.NONE,
                Arena.ofShared(),
                1472,
                new Polling(0),
                "madcast-loop-test");
    }

    @Test
    void whateverEndsItsThreadIsToldAfterTheLastTurn() throws Exception {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        CountDownLatch over = new CountDownLatch(1);
        ProtocolEngine engine =
                new IdleEngine() {
                    @Override
                    public void onTimeout(long nowNs) {
                        throw new InternalError("a mapped file became shorter");
                    }
                };
        try (EngineLoop loop = loop(engine, SocketPath.NIO)) {
            loop.thread().setUncaughtExceptionHandler((_, thrown) -> seen.set(thrown));
            loop.afterEachTurn(() -> {
                if (loop.isOver()) {
                    over.countDown();
                }
            });
            loop.start();
            assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.thread().join(Duration.ofSeconds(60))).isTrue();
            assertThat(seen.get()).hasMessageContaining("shorter");
            assertThatThrownBy(() -> loop.callAndAwait(() -> {}, () -> false, Long.MAX_VALUE / 2))
                    .isInstanceOf(IOException.class)
                    .hasCause(seen.get());
        }
    }

    /** An engine should not say so; when it does, multicast is lost and nothing else. */
    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void aGroupThatTheSocketsCannotJoinDoesNotEndIt(SocketPath path) throws Exception {
        byte[] ipv6 = new byte[16];
        ipv6[0] = (byte) 0xff;
        ipv6[1] = 0x15;
        AtomicReference<@Nullable GroupAddress> target =
                new AtomicReference<>(GroupAddress.of(ipv6, 5000, 1));
        CountDownLatch turns = new CountDownLatch(20);
        ProtocolEngine engine =
                new IdleEngine() {
                    @Override
                    public @Nullable GroupAddress takeNewGroup() {
                        return target.getAndSet(null);
                    }
                };
        try (EngineLoop loop = loop(engine, path)) {
            loop.afterEachTurn(turns::countDown);
            loop.start();
            assertThat(turns.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.thread().isAlive()).isTrue();
        }
    }

    /** The numbers of closed sockets belong to other sockets soon. */
    @Test
    void closesTheSocketsAfterACallerHasLookedAtThem() throws Exception {
        CountDownLatch looks = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean closedTooEarly = new AtomicBoolean();
        DatagramTransport slowly =
                new CountedTransport(transport(SocketPath.NATIVE)) {
                    @Override
                    public void await(long timeoutNs, long coalesceNs, boolean wantWrite)
                            throws IOException {
                        super.await(timeoutNs, coalesceNs, wantWrite);
                        looks.countDown();
                        LockSupport.parkNanos(300_000_000);
                        closedTooEarly.compareAndSet(false, closed.get());
                    }

                    @Override
                    public void close() {
                        closed.set(true);
                        super.close();
                    }
                };
        EngineLoop loop = loop(new IdleEngine(), slowly);
        Future<Boolean> call =
                ForkJoinPool.commonPool()
                        .submit(() -> loop.callAndAwait(() -> {}, () -> false, Long.MAX_VALUE / 2));
        looks.await();
        loop.close();
        assertThatThrownBy(call::get).hasCauseInstanceOf(IOException.class);
        assertThat(closedTooEarly).isFalse();
    }

    /** A virtual thread waits in front of the driver, and gets no processor. */
    @Test
    @Timeout(120)
    void isDrivenWhileTheProgramComputesOnAllCarriers() throws Exception {
        AtomicLong turns = new AtomicLong();
        try (EngineLoop loop = loop(new IdleEngine(), SocketPath.NATIVE);
                Computing _ = behindAVirtualThread(loop, loop::start)) {
            loop.afterEachTurn(turns::incrementAndGet);
            while (turns.get() < 100) {
                Thread.sleep(10);
            }
        }
    }

    /** The same in front of a caller, who then waits for the driver besides. */
    @Test
    @Timeout(120)
    void aCallEndsWhileTheProgramComputesOnAllCarriers() throws Exception {
        AtomicLong turns = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        try (EngineLoop loop = loop(new IdleEngine(), SocketPath.NATIVE)) {
            Thread caller = Thread.ofPlatform().unstarted(() -> done.set(called(loop, turns)));
            loop.afterEachTurn(turns::incrementAndGet);
            loop.start();
            try (Computing _ = behindAVirtualThread(loop, caller::start)) {
                caller.join();
            }
        }
        assertThat(done).isTrue();
    }

    private static boolean called(EngineLoop loop, AtomicLong turns) {
        try {
            long before = turns.get();
            return loop.callAndAwait(() -> {}, () -> turns.get() > before + 3, Long.MAX_VALUE / 2);
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /** Keeps all carriers busy until it is closed. */
    private record Computing(AtomicBoolean ended) implements AutoCloseable {

        static Computing start() {
            AtomicBoolean ended = new AtomicBoolean();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                Thread _ =
                        Thread.startVirtualThread(() -> {
                            while (!ended.get()) {
                                Thread.onSpinWait();
                            }
                        });
            }
            return new Computing(ended);
        }

        @Override
        public void close() {
            ended.set(true);
        }
    }

    /** Has an action begin when a virtual thread is the next to get the lock, and cannot run. */
    private static Computing behindAVirtualThread(EngineLoop loop, Runnable action) {
        return loop.read(() -> {
            Thread waits = Thread.startVirtualThread(() -> loop.read(loop::isOver));
            while (waits.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Computing computing = Computing.start();
            action.run();
            return computing;
        });
    }
}
