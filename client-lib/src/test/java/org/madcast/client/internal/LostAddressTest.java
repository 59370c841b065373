package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.RankLostException;

/** An address of the loopback interface comes and goes; to add it needs root. */
@Timeout(180)
final class LostAddressTest {

    private static final String PASSING = "198.18.78.9";
    private static final int RANKS = 2;

    private static void ip(String change) {
        try {
            assertThat(
                            new ProcessBuilder(
                                            "/usr/sbin/ip",
                                            "addr",
                                            change,
                                            PASSING + "/32",
                                            "dev",
                                            "lo")
                                    .inheritIO()
                                    .start()
                                    .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void needsRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "adding addresses needs root");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "no ip");
    }

    @Test
    void aRankDoesNotUseOneThatDoesNotLeadToTheOthers() throws Exception {
        needsRoot();
        ip("add");
        try {
            List<CommunicatorInfo> infos = onEveryRank(RANKS, communicator -> communicator.info());
            assertThat(infos)
                    .allSatisfy(info ->
                            assertThat(info.members())
                                    .extracting(InetSocketAddress::getHostString)
                                    .containsOnly("127.0.0.1"));
        } finally {
            ip("del");
        }
    }

    @Test
    void aRankThatHasLostItsAddressSaysSo() throws Exception {
        needsRoot();
        ip("add");
        CountDownLatch joined = new CountDownLatch(RANKS);
        BroadcastParameters soon =
                BroadcastParameters.builder().deathTimeout(Duration.ofSeconds(2)).build();
        List<RankLostException> lost =
                onEveryRank(
                        RANKS,
                        config -> onPassing(config).parameters(soon),
                        communicator -> {
                            joined.countDown();
                            LoopbackRanks.await(joined);
                            if (communicator.rank() == 0) {
                                ip("del");
                            }
                            MemorySegment buffer = MemorySegment.ofArray(new byte[100]);
                            return catchThrowableOfType(
                                    RankLostException.class,
                                    () -> {
                                        while (true) {
                                            communicator.bcast(buffer, 0);
                                        }
                                    });
                        });
        assertThat(lost)
                .allSatisfy(each ->
                        assertThat(each)
                                .hasMessageContaining("own address " + PASSING)
                                .hasMessageContaining("no longer an address of this machine"));
    }

    private static CommunicatorConfig.Builder onPassing(CommunicatorConfig.Builder config) {
        return config.networkInterface(PASSING);
    }
}
