package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.lab.LinkRate;

/** {@code madcast agent} and {@code madcast push} between hosts of a lab at 100 Mbit/s. */
@Timeout(600)
class PushIT {

    private static final int MIB = 1 << 20;
    private static final int BYTES = 64 * MIB;
    private static final long MOST_RESIDENT_BYTES = 200_000_000;
    private static final long SEED = Long.getLong("madcast.seed", System.nanoTime());

    @TempDir private Path directory = Path.of("");
    private Optional<PushLab> open = Optional.empty();
    private byte[] content = new byte[0];
    private Path source = Path.of("");

    @BeforeEach
    void makeSource() throws IOException {
        NeedsLab.assumeAvailable();
        content = new byte[BYTES];
        new Random(1).nextBytes(content);
        source = Files.write(directory.resolve("payload"), content);
    }

    @AfterEach
    void close() {
        open.ifPresent(PushLab::close);
    }

    private PushLab lab(int hosts, double lossPercent) throws IOException {
        PushLab made = PushLab.up(directory, hosts, lossPercent);
        open = Optional.of(made);
        return made;
    }

    private static JsonObject node(JsonObject result, int node) {
        return result.getArray("nodes").getObject(node - 1);
    }

    /** Absent, old or whole. */
    private void assertNothingHalf(PushLab lab, byte[] old) throws IOException {
        for (int node = 1; node <= lab.nodes(); node++) {
            Path file = lab.disk(node).resolve("payload");
            if (Files.exists(file)) {
                byte[] found = Files.readAllBytes(file);
                assertThat(Arrays.equals(found, content) || Arrays.equals(found, old))
                        .as("node %d has %d bytes, seed %d", node, found.length, SEED)
                        .isTrue();
            }
        }
    }

    private void assertWhole(PushLab lab, int... nodes) throws IOException {
        for (int node : nodes) {
            assertThat(
                            Arrays.equals(
                                    Files.readAllBytes(lab.disk(node).resolve("payload")), content))
                    .as("node %d", node)
                    .isTrue();
            try (Stream<Path> files = Files.list(lab.disk(node))) {
                assertThat(files).hasSize(1);
            }
        }
    }

    private static int[] all(PushLab lab) {
        return IntStream.rangeClosed(1, lab.nodes()).toArray();
    }

    @Test
    void everyNodeHasTheFileThoughOneDatagramInAHundredIsLost() throws Exception {
        PushLab lab = lab(8, 1);
        long before = lab.lab().counters(0).sentBytes();
        Program push = lab.push(source.toString());
        assertThat(push.await()).as("%s %s", push.err(), push.out()).isEqualTo(ExitCode.OK.code());
        long sentBytes = lab.lab().counters(0).sentBytes() - before;
        assertThat(push.err()).as("nothing is told that is nobody's business").isEmpty();
        assertWhole(lab, all(lab));
        JsonObject result = push.json();
        assertThat(result.getBoolean("complete")).isTrue();
        assertThat(result.getArray("nodes")).hasSize(7);
        assertThat(result.getInt("rounds")).isEqualTo(1);
        assertThat(result.getObject("transmission").getString("algorithm")).isEqualTo("once");
        assertThat(result.getLong("streamBytes")).isBetween((long) BYTES, BYTES + 4L * MIB);
        assertThat(result.getDouble("seconds")).as("at 100 Mbit/s").isGreaterThan(5.3);
        assertThat(sentBytes).as("not a copy for each of seven").isLessThan(3L * BYTES);
        assertThat(IntStream.of(all(lab)).mapToLong(node -> lab.agent(node).mostResidentBytes()))
                .allMatch(bytes -> bytes > 0 && bytes < MOST_RESIDENT_BYTES);
    }

    /** Not shaped, so that it takes the time of the machine; 17 GB of disk. */
    @Test
    @Tag("slow")
    void memoryIsTheSameFromOneMebibyteToEightGibibytes() throws Exception {
        PushLab lab = PushLab.unshaped(directory, 2);
        open = Optional.of(lab);
        for (int mebibytes : new int[] {1, 64, 1024, 8192}) {
            try (OutputStream out = Files.newOutputStream(source)) {
                for (int i = 0; i < mebibytes; i++) {
                    // A place of its own for each, so that no two are alike.
                    out.write(content, i % (BYTES - MIB), MIB);
                }
            }
            Program push = lab.push(source.toString());
            AtomicLong sender = new AtomicLong();
            push.await(
                    "the end of a push of " + mebibytes + " MiB",
                    Duration.ofMinutes(8),
                    () -> {
                        sender.accumulateAndGet(push.mostResidentBytes(), Math::max);
                        return !push.isAlive();
                    });
            assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.OK.code());
            long receiver = lab.agent(1).mostResidentBytes();
            System.out.printf(
                    "%d MiB: %.1f s, sender %d MB, receiver %d MB%n",
                    mebibytes,
                    push.json().getDouble("seconds"),
                    sender.get() / 1_000_000,
                    receiver / 1_000_000);
            assertThat(Files.mismatch(source, lab.disk(1).resolve("payload"))).isEqualTo(-1);
            assertThat(sender.get()).isBetween(1L, MOST_RESIDENT_BYTES);
            assertThat(receiver).isBetween(1L, MOST_RESIDENT_BYTES);
        }
    }

    @Test
    void anAgentThatIsKilledIsNamedAndTheOthersGoOn() throws Exception {
        Random random = new Random(SEED);
        PushLab lab = lab(8, 1);
        int victim = 1 + random.nextInt(lab.nodes());
        Program push = lab.push(source.toString());
        awaitPartial(push, lab, victim, random);
        lab.agent(victim).kill();
        assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.NODE.code());
        JsonObject result = push.json();
        assertThat(node(result, victim).getString("state")).isEqualTo("lost");
        assertNothingHalf(lab, new byte[0]);
        assertWhole(lab, IntStream.of(all(lab)).filter(node -> node != victim).toArray());
        // What had arrived is not sent again to the others.
        assertThat(result.getLong("streamBytes")).isLessThan(BYTES * 105L / 100 + 4 * MIB);

        long had = partialBytes(lab, victim);
        lab.startAgent(victim).awaitSaid("MA-001");
        Program again = lab.push("--resume", "--delta", source.toString());
        assertThat(again.await()).as(again.err()).isEqualTo(ExitCode.OK.code());
        assertWhole(lab, all(lab));
        assertThat(again.json().getLong("streamBytes")).isLessThan(BYTES - had + had / 20 + MIB);
    }

    @Tag("slow")
    @Test
    void aSenderThatIsKilledLeavesNothingHalf() throws Exception {
        killSenders(2);
    }

    @Test
    @Tag("slow")
    void twentySendersThatAreKilledLeaveNothingHalf() throws Exception {
        killSenders(20);
    }

    private void killSenders(int times) throws Exception {
        Random random = new Random(SEED);
        PushLab lab = lab(5, 0);
        byte[] old = {1, 2, 3};
        for (int i = 0; i < times; i++) {
            for (int node = 1; node <= lab.nodes(); node++) {
                clear(lab.disk(node));
                if (node % 2 == 0) {
                    Files.write(lab.disk(node).resolve("payload"), old);
                }
            }
            Program push = lab.push(source.toString());
            awaitPartial(push, lab, 1, random);
            push.kill();
            assertNothingHalf(lab, old);
            long had = partialBytes(lab, 1);
            Program again = lab.push("--resume", source.toString());
            assertThat(again.await()).as(again.err() + again.out()).isEqualTo(ExitCode.OK.code());
            assertWhole(lab, all(lab));
            assertThat(again.json().getLong("streamBytes"))
                    .as("run %d, seed %d, %d bytes had arrived", i, SEED, had)
                    .isLessThan(BYTES - had + had / 20 + 2 * MIB);
        }
    }

    @Test
    void aReceiverThatIsKilledAndAFullDiskLeaveNothingHalf() throws Exception {
        content = Arrays.copyOf(content, 8 * MIB);
        source = Files.write(directory.resolve("payload"), content);
        breakReceivers(4, 1);
    }

    @Test
    @Tag("slow")
    void tenReceiversThatAreKilledAndTenFullDisksLeaveNothingHalf() throws Exception {
        breakReceivers(5, 10);
    }

    /** Each time node 1 is killed at some moment, and the disk of node 3 is full at some point. */
    private void breakReceivers(int hosts, int times) throws Exception {
        Random random = new Random(SEED);
        PushLab lab = lab(hosts, 0);
        byte[] old = {1, 2, 3};
        for (int i = 0; i < times; i++) {
            clear(lab.disk(3));
            lab.limitDisk(3, random.nextLong(2L * MIB, content.length - MIB));
            for (int node = 1; node <= lab.nodes(); node++) {
                clear(lab.disk(node));
                if ((node + i) % 2 == 0) {
                    Files.write(lab.disk(node).resolve("payload"), old);
                }
            }
            // An agent that is killed is not waited for, as one that is silent would be.
            Program push = lab.push(List.of("MADCAST_DEATH_TIMEOUT=100s"), source.toString());
            awaitPartial(push, lab, 1, random, 8e-8 * content.length / 2);
            lab.agent(1).kill();
            assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.NODE.code());
            JsonObject result = push.json();
            assertThat(node(result, 1).getString("state")).as(result.toString()).isEqualTo("lost");
            assertThat(result.getDouble("seconds")).isLessThan(100);
            assertThat(node(result, 3).getString("state")).isEqualTo("partly");
            assertThat(node(result, 3).getString("reason")).contains("space");
            assertNothingHalf(lab, old);
            assertWhole(lab, IntStream.of(all(lab)).filter(node -> node % 2 == 0).toArray());
            long had = Math.min(partialBytes(lab, 1), partialBytes(lab, 3));
            assertThat(had).isPositive();

            lab.startAgent(1).awaitSaid("MA-001");
            lab.limitDisk(3, 2L * content.length);
            Program again = lab.push("--resume", "--delta", source.toString());
            assertThat(again.await()).as(again.err() + again.out()).isEqualTo(ExitCode.OK.code());
            assertWhole(lab, all(lab));
            assertThat(again.json().getLong("streamBytes"))
                    .as("run %d, seed %d, %d bytes had arrived", i, SEED, had)
                    .isLessThan(content.length - had + had / 20 + 2 * MIB);
        }
    }

    /** Waits until the push is under way, and then for a moment that is different every time. */
    private static void awaitPartial(Program push, PushLab lab, int node, Random random) {
        awaitPartial(push, lab, node, random, 4);
    }

    private static void awaitPartial(
            Program push, PushLab lab, int node, Random random, double mostSeconds) {
        push.await("bytes on node " + node, () -> partialBytes(lab, node) > MIB || !push.isAlive());
        LockSupport.parkNanos((long) (random.nextDouble() * mostSeconds * 1e9));
    }

    private static long partialBytes(PushLab lab, int node) {
        try (Stream<Path> files = Files.list(lab.disk(node))) {
            long bytes = 0;
            for (Path file : files.toList()) {
                boolean partial = file.toString().endsWith(".part");
                bytes = Math.max(bytes, partial ? Files.size(file) : 0);
            }
            return bytes;
        } catch (IOException _) {
            return 0; // it was renamed just now
        }
    }

    private static void clear(Path disk) throws IOException {
        try (Stream<Path> files = Files.list(disk)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aSlowNodeIsLeftBehindWhenTheUserWantsIt() throws Exception {
        content = Arrays.copyOf(content, 24 * MIB);
        source = Files.write(directory.resolve("payload"), content);
        PushLab lab = lab(5, 0);
        // Cables, not processors that others use too, are to say who is slow.
        for (int host = 0; host < 5; host++) {
            lab.lab().setRate(host, Optional.of(LinkRate.parse(host == 3 ? "3mbit" : "30mbit")));
        }
        keepLittleAtPort(lab, 3);
        Program push = lab.push("--drop-slow", source.toString());
        assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.NODE.code());
        String result = push.json().toString();
        assertThat(node(push.json(), 3).getString("state")).as(result).isEqualTo("dropped");
        for (int node : new int[] {1, 2, 4}) {
            assertThat(node(push.json(), node).getString("state")).as(result).isEqualTo("complete");
        }
        assertWhole(lab, 1, 2, 4);
        assertNothingHalf(lab, new byte[0]);
    }

    /**
     * A switch would drop what a slow port cannot carry. Here a datagram that waits there still
     * counts as the sender's, which stops when its socket's 64 KiB are full: all nodes would be as
     * slow as that one, without a loss.
     */
    private static void keepLittleAtPort(PushLab lab, int host) throws Exception {
        List<String> tc = new ArrayList<>(List.of("tc", "-n", lab.lab().switchNamespace()));
        tc.addAll(List.of("qdisc", "change", "dev", "p" + host, "root", "tbf"));
        tc.addAll(List.of("rate", "3mbit", "burst", "32k", "limit", "40000"));
        assertThat(new ProcessBuilder(tc).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void anAgentPushesToItselfFirstUnlessASenderComes() throws Exception {
        PushLab lab = PushLab.withoutAgents(directory, 3);
        open = Optional.of(lab);
        Program agent = lab.startAgent(1, "--verbose");
        agent.awaitSaid("MA-004");
        assertThat(agent.err().lines()).as(agent.err()).allMatch(line -> line.startsWith("{"));
        lab.startAgent(2, "--verbose").awaitSaid("MA-001");
        Program push = lab.push(lab.token().toString());
        assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.OK.code());
        Program second = lab.agent(2);
        second.await(
                "its rehearsal ends",
                () -> second.err().contains("MA-004") || second.err().contains("MA-005"));
        assertThat(agent.temporaryFiles()).isEmpty();
        assertThat(lab.agent(2).temporaryFiles()).isEmpty();
    }

    @Test
    void whoCannotTakePartIsNamedWithTheReason() throws Exception {
        content = Arrays.copyOf(content, MIB);
        source = Files.write(directory.resolve("payload"), content);
        PushLab lab = lab(4, 0);
        lab.agent(2).kill();
        Program push = lab.push("--connect-timeout", "2s", source.toString());
        assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.NODE.code());
        JsonArray nodes = push.json().getArray("nodes");
        assertThat(nodes.getObject(0).getString("state")).isEqualTo("complete");
        assertThat(nodes.getObject(1).getString("state")).isEqualTo("unreachable");
        assertThat(nodes.getObject(1).getString("reason")).doesNotContain("unresolved");
        assertThat(nodes.getObject(2).getString("state")).isEqualTo("complete");
        assertWhole(lab, 1, 3);
    }

    @Test
    void whoSendsWithoutMulticastIsToldSo() throws Exception {
        content = Arrays.copyOf(content, MIB);
        source = Files.write(directory.resolve("payload"), content);
        PushLab lab = lab(4, 0);
        lab.lab().blockMulticast(2);
        Program push = lab.push(source.toString());
        assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.OK.code());
        JsonObject transmission = push.json().getObject("transmission");
        assertThat(transmission.getString("algorithm")).isEqualTo("chain");
        assertThat(transmission.getBoolean("multicastFailed")).isTrue();
        assertThat(transmission.getLong("datagramsSent")).isPositive();
        assertWhole(lab, 1, 2, 3);
    }
}
