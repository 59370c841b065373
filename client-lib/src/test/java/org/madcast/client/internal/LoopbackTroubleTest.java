package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;
import org.madcast.client.RankLostException;
import org.madcast.client.TransportException;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** What goes wrong ends, says so, and leaves nothing behind. */
@Timeout(180)
class LoopbackTroubleTest {

    private static UnaryOperator<CommunicatorConfig.Builder> parameters(
            UnaryOperator<BroadcastParameters.Builder> settings) {
        return builder -> builder.parameters(settings.apply(BroadcastParameters.builder()).build());
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(it -> it.getName().equals(thread));
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void aSelectionFileThatIsMissingIsNamedAndNoThreadStays(SocketPath path) {
        Path missing = Path.of("/does/not/exist");
        CommunicatorConfig config =
                parameters(it -> it.socketPath(path).selectionFile(missing))
                        .apply(CommunicatorConfig.builder("selection", 0, 1).name("missing"))
                        .networkInterface("lo")
                        .build();
        assertThatThrownBy(() -> Communicator.join(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(missing.toString())
                .hasNoSuppressedExceptions();
        assertThat(isRunning("madcast-missing-0")).isFalse();
    }

    @Test
    void aBroadcastThatNobodyCompletesEndsWithTheCommunicator() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        onEveryRank(
                2,
                parameters(it -> it.deathTimeout(Duration.ofMillis(500))),
                communicator -> {
                    if (communicator.rank() == 1) {
                        LoopbackRanks.await(over); // it answers, and never calls
                        return 0;
                    }
                    CompletableFuture<Void> future =
                            communicator.ibcast(MemorySegment.ofArray(new byte[100]), 1);
                    communicator.close();
                    assertUnfinished(future);
                    over.countDown();
                    return 0;
                });
    }

    private static void assertUnfinished(CompletableFuture<Void> future) {
        assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)))
                .cause()
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("before the broadcast was complete");
    }

    /** Of the future, of what is begun later, and of calls that wait. */
    @Test
    void memoryThatIsFreedTooEarlyIsNamedAsTheReason() throws Exception {
        CountDownLatch freed = new CountDownLatch(1);
        onEveryRank(
                2,
                parameters(it -> it.deathTimeout(Duration.ofMillis(500))),
                communicator -> {
                    if (communicator.rank() == 0) {
                        LoopbackRanks.await(freed);
                        communicator.bcast(new byte[1000], 0);
                        return 0;
                    }
                    CompletableFuture<Void> future;
                    try (Arena arena = Arena.ofShared()) {
                        future = communicator.ibcast(arena.allocate(1000), 0);
                    }
                    freed.countDown();
                    assertFreed(future);
                    assertFreed(communicator.ibcast(MemorySegment.ofArray(new byte[1000]), 0));
                    assertThatThrownBy(() -> communicator.bcast(new byte[1000], 0))
                            .isInstanceOf(RankLostException.class)
                            .hasMessageContaining("rank 1 freed the memory");
                    return 0;
                });
    }

    private static void assertFreed(CompletableFuture<Void> future) {
        assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)))
                .cause()
                .isInstanceOf(RankLostException.class)
                .hasMessageContaining("rank 1 freed the memory");
    }

    /** The root answers and never calls, so without the closing the call would wait for ever. */
    @Test
    void closingEndsACallOfAnotherThread() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        onEveryRank(
                2,
                parameters(it -> it.deathTimeout(Duration.ofSeconds(2))),
                communicator -> {
                    if (communicator.rank() == 0) {
                        LoopbackRanks.await(over);
                        return 0;
                    }
                    CompletableFuture<Void> waits =
                            CompletableFuture.runAsync(() -> communicator.bcast(new byte[100], 0));
                    while (communicator.statistics().datagramsSent() == 0 || !isWaiting(waits)) {
                        Thread.onSpinWait();
                    }
                    long startNs = System.nanoTime();
                    communicator.close();
                    assertThat(System.nanoTime() - startNs).isLessThan(20_000_000_000L);
                    assertThat(catchThrowable(() -> waits.get(20, TimeUnit.SECONDS)))
                            .cause()
                            .isInstanceOf(RankLostException.class)
                            .hasMessageContaining("rank 1 has closed the communicator");
                    over.countDown();
                    return 0;
                });
    }

    /** Whether the thread of the call drives the engine. */
    private static boolean isWaiting(CompletableFuture<Void> call) {
        return !call.isDone()
                && Thread.getAllStackTraces().values().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(it -> it.getMethodName().equals("driveOrWait"));
    }

    @Test
    void whatGoesWrongWhileItLeavesKeepsNothingOpen() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        onEveryRank(
                2,
                builder ->
                        parameters(it -> it.deathTimeout(Duration.ofSeconds(1)))
                                .apply(builder.name("leaving")),
                communicator -> {
                    if (communicator.rank() == 0) {
                        LoopbackRanks.await(closing);
                        communicator.bcast(new byte[1000], 0);
                        return 0;
                    }
                    try (Arena arena = Arena.ofShared()) {
                        CompletableFuture<Void> _ = communicator.ibcast(arena.allocate(1000), 0);
                    }
                    Thread closer =
                            Thread.ofPlatform()
                                    .start(() -> {
                                        Throwable _ = catchThrowable(communicator::close);
                                    });
                    while (closer.isAlive()
                            && closer.getState() != Thread.State.TIMED_WAITING
                            && !isInPoll(closer)) {
                        Thread.onSpinWait();
                    }
                    closing.countDown();
                    join(closer);
                    assertThat(isRunning("madcast-leaving-1")).isFalse();
                    return 0;
                });
    }

    private static boolean isInPoll(Thread thread) {
        StackTraceElement[] trace = thread.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().contains("LinuxCalls");
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] regroupToIpv6(long token) {
        MemorySegment datagram =
                MemorySegment.ofArray(new byte[DatagramLayout.HEADER_BYTES + 6 * Integer.BYTES]);
        DatagramLayout.start(datagram, 0, DatagramType.REGROUP, 0, token);
        DatagramLayout.putPayloadInt(datagram, 0, 1);
        DatagramLayout.putPayloadInt(datagram, 1, 16 << 24 | 5000);
        DatagramLayout.putPayloadInt(datagram, 2, 0xff150000);
        DatagramLayout.putPayloadInt(datagram, 5, 1);
        new Checksum().seal(datagram);
        return datagram.toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void aForgedMoveToTheOtherFamilyIsNotBelieved(SocketPath path) throws Exception {
        onEveryRank(
                2,
                parameters(it -> it.socketPath(path)),
                communicator -> {
                    if (communicator.rank() == 0) {
                        try (DatagramSocket stranger = new DatagramSocket()) {
                            byte[] forged = regroupToIpv6(communicator.info().token());
                            stranger.send(
                                    new DatagramPacket(
                                            forged,
                                            forged.length,
                                            communicator.info().members().get(1)));
                        } catch (IOException failed) {
                            throw new UncheckedIOException(failed);
                        }
                    }
                    for (int root = 0; root < 2; root++) {
                        byte[] message =
                                communicator.rank() == root ? content(root, 9000) : new byte[9000];
                        communicator.bcast(message, root);
                        assertThat(message).isEqualTo(content(root, 9000));
                    }
                    if (communicator.rank() == 1) {
                        // It came by the other socket, which may be read later.
                        while (communicator.statistics().rejected().isEmpty()) {
                            Thread.onSpinWait();
                        }
                        assertThat(communicator.statistics().rejected())
                                .containsEntry("bad-field", 1L);
                    }
                    communicator.barrier();
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void whoIsInterruptedWhileItWaitsGoesOnWaiting(SocketPath path) throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        onEveryRank(
                2,
                parameters(it -> it.socketPath(path)),
                communicator -> {
                    if (communicator.rank() == 0) {
                        Thread other;
                        while ((other = waiter.get()) == null || !isReceiving(other)) {
                            Thread.onSpinWait();
                        }
                        other.interrupt();
                        sleep(Duration.ofSeconds(1));
                        communicator.bcast(new byte[10], 0);
                        return 0;
                    }
                    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    waiter.set(Thread.currentThread());
                    communicator.bcast(new byte[10], 0);
                    long tookNs =
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(tookNs).isLessThan(400_000_000);
                    return 0;
                });
    }

    private static boolean isReceiving(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("await")) {
                return true;
            }
        }
        return false;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoIsInterruptedBeforeItsBroadcastWaitsAsLongAsItsRootIsTold() throws Exception {
        onEveryRank(
                1,
                parameters(it -> it.rootWaitTime(Duration.ofSeconds(1))),
                communicator -> {
                    Thread.currentThread().interrupt();
                    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    communicator.bcast(new byte[10], 0);
                    long tookNs =
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(tookNs).isLessThan(400_000_000);
                    return 0;
                });
    }

    @Test
    void datagramsThatAreTooSmallForTheirSealAreRefused() {
        CommunicatorConfig config =
                parameters(it -> it.datagramBytes(315))
                        .apply(CommunicatorConfig.builder("small", 0, 1))
                        .key(JobKey.ofHex("5e".repeat(32)))
                        .networkInterface("lo")
                        .build();
        assertThatThrownBy(() -> Communicator.join(config))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining("316");
    }

    @Test
    void theSmallestDatagramsDoWithTheirSeal() throws Exception {
        onEveryRank(
                2,
                builder ->
                        parameters(it -> it.datagramBytes(316))
                                .apply(builder.key(JobKey.ofHex("5e".repeat(32)))),
                communicator -> {
                    byte[] message =
                            communicator.rank() == 0 ? content(0, 50_000) : new byte[50_000];
                    communicator.bcast(message, 0);
                    assertThat(message).isEqualTo(content(0, 50_000));
                    return 0;
                });
    }
}
