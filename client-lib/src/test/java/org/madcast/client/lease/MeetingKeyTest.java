package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;

/** Who takes a place at rank 0 when the job has a key. */
@Timeout(180)
final class MeetingKeyTest {

    private static final JobKey KEY = JobKey.ofHex("ab".repeat(32));
    private static final JobKey OTHER = JobKey.ofHex("cd".repeat(32));
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(1500);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final InetSocketAddress root =
            InetSocketAddress.createUnresolved("127.0.0.1", FreePort.tcp());

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private CommunicatorConfig config(
            int rank, int size, @Nullable JobKey key, Duration joinTimeout) {
        return CommunicatorConfig.builder("job", rank, size)
                .rootAddress(root)
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .key(key)
                .joinTimeout(joinTimeout)
                .build();
    }

    private static Member self(int rank) {
        return new Member(
                rank, new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + rank), 7, 8);
    }

    private Future<List<Member>> join(CommunicatorConfig config) {
        Callable<List<Member>> rank =
                () -> {
                    try (Rendezvous met = RendezvousSelection.introduce(config)) {
                        return met.meet(self(config.rank()), config.joinTimeout());
                    }
                };
        return threads.submit(rank);
    }

    private static void assertFails(Future<List<Member>> rank, String... fragments) {
        assertThatThrownBy(rank::get)
                .cause()
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll(fragments);
    }

    @Test
    void ranksWithOneKeyMeet() throws Exception {
        List<Future<List<Member>>> ranks =
                IntStream.range(0, 5).mapToObj(it -> join(config(it, 5, KEY, LONG))).toList();
        for (Future<List<Member>> rank : ranks) {
            assertThat(rank.get()).extracting(Member::rank).containsExactly(0, 1, 2, 3, 4);
        }
    }

    @Test
    void aRankWithAnotherKeyIsRefusedAtOnceAndTakesNoPlace() throws Exception {
        Future<List<Member>> rank0 = join(config(0, 2, KEY, LONG));
        long beganNs = System.nanoTime();
        assertFails(join(config(1, 2, OTHER, LONG)), "rank 1 has another key than rank 0");
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(LONG.dividedBy(2));
        assertFails(join(config(1, 2, null, LONG)), "rank 1 has no key, but rank 0 has one");
        assertThat(join(config(1, 2, KEY, LONG)).get()).isEqualTo(rank0.get());
    }

    @Test
    void rankZeroNamesWhomItRefused() {
        Future<List<Member>> rank0 = join(config(0, 2, null, SHORT));
        assertFails(
                join(config(1, 2, KEY, LONG)),
                "rank 1 has a key, but rank 0 has none",
                "MADCAST_KEY");
        assertFails(rank0, "rank 1 did not come", "rank 1 has a key, but rank 0 has none");
    }

    @Test
    void whoPretendsToBeRankZeroCannotSayWhereToSend() throws Exception {
        try (ServerSocket pretender =
                new ServerSocket(root.getPort(), 9, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> pretend(pretender));
            assertFails(
                    join(config(1, 2, KEY, SHORT)),
                    "rank 1 did not reach rank 0",
                    "not sealed with the job's key");
        }
    }

    private static void pretend(ServerSocket pretender) {
        while (!pretender.isClosed()) {
            try {
                pretend(pretender.accept());
            } catch (IOException _) {
                // The test is over, or its rank has hung up and comes again.
            }
        }
    }

    /** Takes any proof for a good one. */
    private static void pretend(Socket socket) throws IOException {
        try (FrameConnection connection = new FrameConnection(socket)) {
            JsonFields _ = connection.read(FrameConnection.SMALL_BYTES, SECOND);
            JsonObject challenge = new JsonObject();
            challenge.put("type", "challenge");
            challenge.put("drawn", "00");
            connection.write(challenge);
            JsonFields _ = connection.read(FrameConnection.SMALL_BYTES, SECOND);
            connection.write("{\"type\":\"proven\"}");
            connection.write("{\"type\":\"welcome\"," + " ".repeat(MeetingSeal.MAC_BYTES) + "}");
        }
    }

    @Test
    void whoKnowsNoKeyCannotRepeatAProofThatItSaw() throws Exception {
        Future<List<Member>> rank0 = join(config(0, 2, KEY, LONG));
        HelloMessage hello = HelloMessage.of(config(1, 2, KEY, LONG), "x");
        String seen = MeetingSeal.of(KEY, "aa", "bb", false).proof(hello);
        try (FrameConnection stranger = new FrameConnection(connect())) {
            JsonObject said = hello.write();
            said.put("drawn", "aa");
            stranger.write(said);
            JsonFields _ = stranger.read(FrameConnection.SMALL_BYTES, SECOND.multipliedBy(5));
            stranger.write("{\"type\":\"proof\",\"mac\":" + JsonWriter.string(seen) + "}");
            JsonFields answer = stranger.read(FrameConnection.SMALL_BYTES, SECOND.multipliedBy(5));
            assertThat(answer.text("reason")).contains("rank 1 has another key");
        }
        assertThat(join(config(1, 2, KEY, LONG)).get()).isEqualTo(rank0.get());
    }

    private Socket connect() throws InterruptedException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), root.getPort());
            } catch (IOException notYet) {
                Thread.sleep(Duration.ofMillis(10));
            }
        }
    }
}
