package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.ReduceOperation;

/** Each call of a program is in its profile once, with its partner. */
@Timeout(180)
class LoopbackProfileTest {

    private static final int RANKS = 3;
    private static final int ROUNDS = 20;

    @TempDir private Path folder;

    private static MemorySegment bytes(int count) {
        return MemorySegment.ofArray(new byte[count]);
    }

    private static boolean program(Communicator ranks) {
        int self = ranks.rank();
        for (int i = 0; i < ROUNDS; i++) {
            if (self == 0) {
                ranks.send(bytes(1000), 1, 7);
                var _ = ranks.recv(bytes(10), Communicator.ANY_SOURCE, 7);
            } else if (self == 1) {
                var _ = ranks.recv(bytes(1000), 0, 7);
                ranks.send(bytes(10), 0, 7);
            }
        }
        ranks.bcast(bytes(5000), 2);
        ranks.ibcast(bytes(6000), 2).join();
        ranks.barrier();
        ranks.allreduce(bytes(8), bytes(8), ReduceOperation.sum(ElementType.BYTE));
        ranks.iallreduce(bytes(8), bytes(8), ReduceOperation.sum(ElementType.BYTE)).join();
        try (Communicator copy = ranks.dup();
                Communicator part = ranks.split(0, 0).orElseThrow()) {
            copy.bcast(bytes(100), 0);
            return part.agree(1) == 1;
        }
    }

    private List<JsonObject> profile(int rank) throws Exception {
        List<JsonObject> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("p" + rank + ".jsonl"))) {
            lines.add(JsonParser.object().from(line));
        }
        return lines;
    }

    private static Map<String, Long> calls(JsonObject sums) {
        Map<String, Long> calls = new TreeMap<>();
        JsonArray operations = sums.getArray("ops");
        for (int i = 0; i < operations.size(); i++) {
            calls.put(
                    operations.getObject(i).getString("op"),
                    operations.getObject(i).getLong("calls"));
        }
        return calls;
    }

    private static JsonArray partner(JsonObject sums, int rank) {
        JsonArray all = sums.getArray("peers");
        for (int i = 0; i < all.size(); i++) {
            if (all.getArray(i).getInt(0) == rank) {
                return all.getArray(i);
            }
        }
        throw new AssertionError("rank " + rank + " is not in " + all);
    }

    @Test
    void eachCallIsInTheProfileOnce() throws Exception {
        assertThat(
                        LoopbackRanks.onEveryRank(
                                RANKS,
                                it -> it.profile(folder.resolve("p%r.jsonl")),
                                LoopbackProfileTest::program))
                .containsOnly(true);
        JsonObject last = new JsonObject();
        for (int rank = 0; rank < RANKS; rank++) {
            List<JsonObject> lines = profile(rank);
            last = lines.getLast();
            Map<String, Long> calls = calls(last);
            calls.remove("wait"); // of none that had ended
            Map<String, Long> expected =
                    new TreeMap<>(
                            Map.of(
                                    "bcast", 2L,
                                    "ibcast", 1L,
                                    "barrier", 1L,
                                    "allreduce", 1L,
                                    "iallreduce", 1L,
                                    "comm_dup", 1L,
                                    "comm_split", 1L,
                                    "agree", 1L));
            if (rank < 2) {
                expected.put("send", (long) ROUNDS);
                expected.put("recv", (long) ROUNDS);
            }
            assertThat(calls).as("rank " + rank).isEqualTo(expected);
            assertThat(lines.stream().filter(it -> it.has("t")))
                    .hasSize((int) calls(last).values().stream().mapToLong(it -> it).sum());
        }
        assertThat(last.getLong("multicastBytes")).isEqualTo(11_000);
        assertPartners();
    }

    private void assertPartners() throws Exception {
        JsonObject first = profile(0).getLast();
        assertThat(partner(first, 1).getLong(2)).isGreaterThanOrEqualTo(1000 * ROUNDS);
        assertThat(partner(first, 1).getLong(3)).isPositive();
        assertThat(profile(0).stream().filter(it -> it.getString("op", "").equals("recv")))
                .allMatch(it -> it.getInt("peer") == 1 && it.getLong("bytes") == 10);
        assertThat(profile(1).stream().filter(it -> it.getString("op", "").equals("bcast")))
                .extracting(it -> it.getInt("peer"))
                .containsExactly(2, 0);
    }
}
