package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.madcast.client.FewDescriptors;
import org.madcast.client.FreePort;

/** A relay in trouble: whoever asks it gets an answer all the same. */
@Timeout(180)
final class ReportRelayTest {

    private static final RelayOutcome REFUSED = new RelayOutcome.Refused();
    private static final RelayOutcome TAKEN = new RelayOutcome.Taken("{}");

    private final InetSocketAddress address =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.tcp());

    @AfterEach
    void waitForItsEnd() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("madcast-relay")) {
                assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
            }
        }
    }

    private ReportRelay relay(int ranks, ReportRelay.Service service) throws IOException {
        return new ReportRelay(address, ranks, RelaySeal.of(null, 1), service);
    }

    @Test
    void whoCameWhileItMadeRoomIsAnsweredWhenItEnds() throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        CompletableFuture<RelayOutcome> first;
        CompletableFuture<RelayOutcome> second;
        try (ReportRelay relay =
                relay(
                        5,
                        reports -> {
                            sending.countDown();
                            new CountDownLatch(1).await();
                            return TAKEN;
                        })) {
            first = CompletableFuture.supplyAsync(() -> relay.pass("x".repeat(150_000)));
            while (relay.waiting() == 0) {
                Thread.onSpinWait();
            }
            second = CompletableFuture.supplyAsync(() -> relay.pass("x".repeat(100_000)));
            sending.await();
        }
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(REFUSED);
        assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(REFUSED);
    }

    @Test
    void aStrangersNestedFrameEndsHisConnectionAndNotTheRelay() throws Exception {
        try (ReportRelay relay = relay(1, reports -> TAKEN);
                Socket stranger = new Socket(address.getAddress(), address.getPort())) {
            stranger.getOutputStream()
                    .write(FrameConnection.frame("{\"a\":" + "[".repeat(100_000)).array());
            assertThat(stranger.getInputStream().read()).isNegative();
            assertThat(relay.pass("{}")).isEqualTo(TAKEN);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withoutDescriptorsItGoesOnLater() throws Exception {
        assertThat(busyWithoutDescriptorsNs()).isNotNegative();
    }

    @Test
    @Tag("performance")
    @EnabledOnOs(OS.LINUX)
    void withoutDescriptorsItRests() throws Exception {
        assertThat(busyWithoutDescriptorsNs()).isLessThan(300_000_000);
    }

    private long busyWithoutDescriptorsNs() throws Exception {
        try (ReportRelay relay = relay(1, reports -> TAKEN);
                SocketChannel visitor = SocketChannel.open()) {
            assertThat(relay.pass("{}")).isEqualTo(TAKEN);
            long busyNs = processorNs(); // what it needs to be loaded takes descriptors
            try (FewDescriptors none = FewDescriptors.none()) {
                assertThat(visitor.connect(address)).isTrue();
                long before = processorNs();
                none.hold(Duration.ofSeconds(1));
                busyNs = processorNs() - before;
            }
            assertThat(relay.pass("{}")).isEqualTo(TAKEN);
            return busyNs;
        }
    }

    private static long processorNs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.getName().equals("madcast-relay"))
                .mapToLong(
                        it -> ManagementFactory.getThreadMXBean().getThreadCpuTime(it.threadId()))
                .sum();
    }
}
