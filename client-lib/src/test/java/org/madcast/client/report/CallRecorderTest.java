package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.client.CommunicatorConfig;

/** What is recorded of calls, and what that costs: memory is counted, not time. */
class CallRecorderTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir private Path folder;

    private static CallRecorder recorder(@Nullable Path file) {
        return CallRecorder.of(CommunicatorConfig.builder("profile", 2, 4).profile(file).build());
    }

    private static void calls(CallRecorder recorder, int count) {
        for (int i = 0; i < count; i++) {
            long began = recorder.begin();
            recorder.sent(1, 100);
            recorder.waits();
            recorder.end(began, CallRecorder.SEND, 100, 1, 0xABC);
        }
    }

    private List<JsonObject> written() throws Exception {
        List<String> lines = Files.readAllLines(folder.resolve("rank-2.jsonl"));
        List<JsonObject> objects = new ArrayList<>();
        for (String line : lines) {
            objects.add(JsonParser.object().from(line));
        }
        return objects;
    }

    /** The least of many batches: in others this thread may have been stopped within a call. */
    private static long allocatedBy(CallRecorder recorder, int count) {
        long least = Long.MAX_VALUE;
        for (int batch = 0; batch < 16; batch++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            calls(recorder, count);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void callsAllocateNothingButABlockForThousands() {
        try (CallRecorder recorder = recorder(folder)) {
            assertThat(allocatedBy(recorder, 200)).isZero();
            long block = 8L * CallRecorder.EVENTS_OF_A_BLOCK * CallRecorder.WIDTH;
            assertThat(allocatedBy(recorder, CallRecorder.EVENTS_OF_A_BLOCK))
                    .isBetween(block, block + 1000);
        }
    }

    @Test
    void whatIsNotWantedCostsNothingAndIsNotWritten() {
        CallRecorder recorder = recorder(null);
        assertThat(recorder.begin()).isZero();
        recorder.end(0, CallRecorder.SEND, 1, 1, 1);
        assertThat(allocatedBy(recorder, 10_000)).isZero();
        assertThat(recorder(null)).isSameAs(recorder);
        recorder.close();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void callsWithinACallArePartOfIt() throws Exception {
        try (CallRecorder recorder = recorder(folder)) {
            long outer = recorder.begin();
            long inner = recorder.begin();
            recorder.end(inner, CallRecorder.WAIT, 0, 1, 1);
            recorder.end(outer, CallRecorder.SPLIT, 8, -1, 0xABC);
        }
        List<JsonObject> lines = written();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst().getString("op")).isEqualTo("comm_split");
        assertThat(lines.getFirst().has("peer")).isFalse();
        assertThat(lines.getFirst().getString("comm")).isEqualTo("abc");
        assertThat(lines.getFirst().getLong("waitNs")).isZero();
    }

    @Test
    void beyondTheLimitOnlySumsAreKept() throws Exception {
        int more = 5;
        try (CallRecorder recorder = recorder(folder)) {
            calls(recorder, CallRecorder.MOST_EVENTS + more);
        }
        List<String> lines = Files.readAllLines(folder.resolve("rank-2.jsonl"));
        assertThat(lines).hasSize(CallRecorder.MOST_EVENTS + 1);
        JsonObject sums = JsonParser.object().from(lines.getLast());
        assertThat(sums.getLong("unrecorded")).isEqualTo(more);
        assertThat(sums.getInt("rank")).isEqualTo(2);
        assertThat(sums.getInt("size")).isEqualTo(4);
        JsonObject send = sums.getArray("ops").getObject(0);
        assertThat(send.getString("op")).isEqualTo("send");
        assertThat(send.getLong("calls")).isEqualTo(CallRecorder.MOST_EVENTS + more);
        assertThat(send.getLong("bytes")).isEqualTo(100L * (CallRecorder.MOST_EVENTS + more));
        assertThat(send.getLong("ns")).isGreaterThanOrEqualTo(send.getLong("waitNs"));
        JsonArray peer = sums.getArray("peers").getArray(0);
        assertThat(peer.getInt(0)).isEqualTo(1);
        assertThat(peer.getLong(1)).isEqualTo(CallRecorder.MOST_EVENTS + more);
    }

    @Test
    void aLongCallHasItsPlaceInTheProgram() throws Exception {
        try (CallRecorder recorder = recorder(folder.resolve("deep/prof-%r.jsonl"))) {
            long began = recorder.begin();
            recorder.end(began - 2_000_000, CallRecorder.RECV, 1, 3, 1);
        }
        JsonObject call =
                JsonParser.object()
                        .from(Files.readAllLines(folder.resolve("deep/prof-2.jsonl")).getFirst());
        assertThat(call.getLong("ns")).isGreaterThanOrEqualTo(2_000_000);
        // This test is in the library's package; the program is what has called it.
        assertThat(call.getString("at")).contains("org.junit").matches(".*\\.\\w+:\\d+");
    }

    @Test
    void aSecondWorldOfTheProcessHasAFileOfItsOwn() {
        recorder(folder).close();
        recorder(folder).close();
        assertThat(folder.resolve("rank-2.jsonl")).isRegularFile();
        assertThat(folder.resolve("rank-2.jsonl.2")).isRegularFile();
    }
}
