package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.ElementType;
import org.madcast.client.JoinFailedException;
import org.madcast.client.ReduceOperation;

/** Ranks that know how the switches are connected. */
@Timeout(180)
class LoopbackTopologyTest {

    private static final String TREE =
            """
            switch s[0-2]
            cable s0 s[1-2]
            host h[0-1] s1
            host h[2-3] s2
            host h4 s0
            rank 0 h2
            rank 1 h0
            rank 2 h3
            rank 3 h4
            rank 4 h1
            """;

    @TempDir private Path directory;

    private Path file(String text) throws IOException {
        Path file = directory.resolve("net" + text.hashCode() + ".topology");
        return Files.writeString(file, text);
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"CHAIN", "BINARY", "ONCE"})
    void messagesArriveAlongTheTree(Algorithm algorithm) throws Exception {
        Path tree = file(TREE);
        List<Boolean> right =
                onEveryRank(
                        5,
                        builder -> builder.topology(tree),
                        communicator -> broadcastsArrive(communicator, algorithm));
        assertThat(right).containsOnly(true);
    }

    private static boolean broadcastsArrive(Communicator communicator, Algorithm algorithm) {
        boolean right = true;
        for (int root = 0; root < communicator.size(); root++) {
            byte[] message = new byte[200_000];
            if (communicator.rank() == root) {
                message = content(root, message.length);
            }
            communicator.bcast(MemorySegment.ofArray(message), root, algorithm);
            right &= Arrays.equals(message, content(root, message.length));
        }
        return right;
    }

    /** Long enough for rings; the parameters keep them from being multicast. */
    @Test
    void ringsFollowTheTreeInPartsOfTheWorldToo() throws Exception {
        Path tree = file(TREE);
        BroadcastParameters unicast =
                BroadcastParameters.builder(Map.of(), Map.of()).priority(0).build();
        List<Boolean> right =
                onEveryRank(
                        5,
                        builder -> builder.topology(tree).parameters(unicast),
                        communicator -> {
                            assertThat(ringsWork(communicator)).isTrue();
                            try (Communicator part =
                                    communicator
                                            .split(communicator.rank() % 2, -communicator.rank())
                                            .orElseThrow()) {
                                return ringsWork(part);
                            }
                        });
        assertThat(right).containsOnly(true);
    }

    private static boolean ringsWork(Communicator communicator) {
        int size = communicator.size();
        long[] own = new long[30_000];
        Arrays.setAll(own, i -> i * 7L + communicator.rank());
        long[] sums = new long[own.length];
        ReduceOperation sum = ReduceOperation.sum(ElementType.LONG);
        communicator.allreduce(MemorySegment.ofArray(own), MemorySegment.ofArray(sums), sum);
        long[] gathered = new long[own.length * size];
        communicator.allgather(MemorySegment.ofArray(own), MemorySegment.ofArray(gathered));
        boolean right = true;
        for (int i = 0; i < own.length; i++) {
            right &= sums[i] == i * 7L * size + size * (size - 1) / 2;
            for (int rank = 0; rank < size; rank++) {
                right &= gathered[rank * own.length + i] == i * 7L + rank;
            }
        }
        return right;
    }

    @Test
    void ranksAreFoundByTheirAddresses() throws Exception {
        Path tree = file("switch s\nhost here s\nhost there s\naddress here 127.0.0.1 ::1\n");
        assertThat(
                        onEveryRank(
                                3,
                                builder -> builder.topology(tree),
                                communicator -> broadcastsArrive(communicator, Algorithm.CHAIN)))
                .containsOnly(true);
    }

    @Test
    void aRankOnNoHostIsNamed() throws Exception {
        Path tree = file("switch s\nhost a.invalid s\naddress a.invalid 192.0.2.7\n");
        assertThatThrownBy(
                        () -> onEveryRank(2, builder -> builder.topology(tree), Communicator::rank))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("rank 0 at 127.0.0.1 is on no host of " + tree);
    }

    @Test
    void moreRanksThanTheFilePutsOnHostsAreRefused() throws Exception {
        Path tree = file("switch s\nhost a s\nhost b s\nrank 0 a\nrank 1 b\n");
        assertThatThrownBy(
                        () -> onEveryRank(3, builder -> builder.topology(tree), Communicator::rank))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(tree + " puts the ranks 0 to 1 on hosts, but not rank 2");
    }

    /** Otherwise a rank would wait for what another one sends elsewhere. */
    @Test
    void ranksWithDifferentTopologiesDoNotJoin() throws Exception {
        Path one = file(TREE);
        Path other =
                file(
                        TREE.replace("rank 0 h2", "rank 0 h9")
                                .replace("s0\nrank", "s0\nhost h9 s1\nrank"));
        AtomicInteger next = new AtomicInteger();
        BroadcastParameters impatient =
                BroadcastParameters.builder(Map.of(), Map.of())
                        .deathTimeout(Duration.ofMillis(300))
                        .build();
        assertThatThrownBy(() ->
                        onEveryRank(
                                5,
                                builder ->
                                        builder.parameters(impatient)
                                                .topology(
                                                        next.getAndIncrement() == 0 ? one : other),
                                Communicator::rank))
                .rootCause()
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining(
                        "Or have they another topology than this rank, which read " + one);
    }

    @Test
    void theVariableNamesTheFile() {
        Map<String, String> environment =
                Map.of(
                        "MADCAST_RANK", "0",
                        "MADCAST_SIZE", "1",
                        "MADCAST_JOB_ID", "j",
                        "MADCAST_TOPOLOGY", "/etc/madcast/net.topology");
        CommunicatorConfig config = CommunicatorConfig.fromEnvironment(environment);
        assertThat(config.topology()).isEqualTo(Path.of("/etc/madcast/net.topology"));
        assertThat(config.toString()).contains("topology /etc/madcast/net.topology");
    }
}
