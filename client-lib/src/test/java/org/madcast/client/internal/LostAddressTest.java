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
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.RankLostException;

/** An address of the loopback interface comes and goes; to add it needs root. */
@Timeout(180)
final class LostAddressTest {

    private static final String PASSING = "198.18.78.9";
    private static final int RANKS = 2;

    /** Whether it was done. */
    private static boolean ip(String change) {
        try {
            return new ProcessBuilder("/usr/sbin/ip", "addr", change, PASSING + "/32", "dev", "lo")
                            .start()
                            .waitFor()
                    == 0;
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
        assertThat(ip("add")).isTrue();
        try {
            List<CommunicatorInfo> infos = onEveryRank(RANKS, communicator -> communicator.info());
            assertThat(infos)
                    .allSatisfy(info ->
                            assertThat(info.members())
                                    .extracting(InetSocketAddress::getHostString)
                                    .containsOnly("127.0.0.1"));
        } finally {
            assertThat(ip("del")).isTrue();
        }
    }

    @Test
    void aRankThatHasLostItsAddressSaysSo() throws Exception {
        needsRoot();
        assertThat(ip("add")).isTrue();
        CountDownLatch joined = new CountDownLatch(RANKS);
        BroadcastParameters soon =
                BroadcastParameters.builder().deathTimeout(Duration.ofSeconds(2)).build();
        List<RankLostException> lost;
        try {
            lost =
                    onEveryRank(
                            RANKS,
                            config -> config.networkInterface(PASSING).parameters(soon),
                            communicator -> {
                                joined.countDown();
                                LoopbackRanks.await(joined);
                                if (communicator.rank() == 0) {
                                    assertThat(ip("del")).isTrue();
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
        } finally {
            boolean _ = ip("del"); // it is gone unless a rank could not join
        }
        assertThat(lost)
                .allSatisfy(each ->
                        assertThat(each)
                                .hasMessageContaining("own address " + PASSING)
                                .hasMessageContaining("no longer an address of this machine"));
    }
}
