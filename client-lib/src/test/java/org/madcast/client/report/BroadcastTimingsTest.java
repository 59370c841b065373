package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BroadcastTimingsTest {

    private final BroadcastTimings timings = new BroadcastTimings("");

    @ParameterizedTest
    @CsvSource({
        "0, 0B",
        "1, 1B..",
        "1023, 512B..",
        "1024, 1KiB..",
        "65536, 64KiB..",
        "131071, 64KiB..",
        "1048576, 1MiB..",
        "9223372036854775807, 4EiB.."
    })
    void sizeClassesArePowersOfTwo(long sizeBytes, String label) {
        assertThat(BroadcastTimings.sizeClassLabel(sizeBytes)).isEqualTo(label);
    }

    @Test
    void drainsEachAlgorithmAndSizeClass() {
        timings.record("once", 70_000, 5_000);
        timings.record("once", 80_000, 6_000);
        timings.record("chain", 70_000, 7_000);
        timings.record("novel", 0, 8_000);
        List<Map<String, Object>> drained = timings.drain();
        assertThat(drained)
                .extracting(element -> element.get("algorithm") + " " + element.get("sizeClass"))
                .containsExactly("once 64KiB..", "chain 64KiB..", "other 0B");
        assertThat(drained.getFirst())
                .containsEntry("count", 2L)
                .containsEntry("bytes", 150_000L)
                .containsEntry(
                        "durationNs",
                        Map.of("p50", 5_119L, "p99", 6_000L, "max", 6_000L, "sum", 11_000L));
        assertThat(timings.drain()).isEmpty();
    }

    @Test
    void tellsWhenReceiversCalledAndWhatLatenessCost() {
        timings.record("once", 70_000, 5_000);
        timings.recordArrival("once", 70_000, -2_000_000, 0);
        timings.recordArrival("once", 70_000, -2_000_000, 5_000_000);
        timings.recordArrival("once", 70_000, 500_000, 0);
        timings.recordArrival("once", 70_000, 500_000, 9_000_000);
        assertThat(timings.drain().getFirst())
                .containsEntry("buckets", Map.of(bucket(5_000), 1L))
                .containsEntry(
                        "arrivals",
                        Map.of(
                                "early",
                                Map.of(bucket(2_000_000), 2L),
                                "late",
                                Map.of(bucket(500_000), 2L),
                                "lostEarly",
                                1L,
                                "lostEarlyNs",
                                3_000_000L,
                                "lostLate",
                                1L,
                                "lostLateNs",
                                9_000_000L));
    }

    private static String bucket(long durationNs) {
        return String.valueOf(ReportedDurations.bucket(durationNs));
    }

    @Test
    void recordingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                timings.record("binomial", 4096, 1_000L * i);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // The bean itself may allocate a little at each question, a record must not.
        assertThat(least).isLessThan(20_000);
    }

    @Test
    void nothingIsLostBetweenThreads() throws Exception {
        int recorders = 3;
        int each = 50_000;
        CountDownLatch done = new CountDownLatch(recorders);
        for (int i = 0; i < recorders; i++) {
            Thread.ofPlatform()
                    .start(() -> {
                        for (int n = 0; n < each; n++) {
                            timings.record("once", 10, 2_000);
                        }
                        done.countDown();
                    });
        }
        long counted = 0;
        long bytes = 0;
        boolean finished = false;
        while (!finished) {
            finished = done.getCount() == 0;
            for (Map<String, Object> element : timings.drain()) {
                counted += (long) element.getOrDefault("count", 0L);
                bytes += (long) element.getOrDefault("bytes", 0L);
            }
        }
        assertThat(counted).isEqualTo((long) recorders * each);
        assertThat(bytes).isEqualTo(10L * recorders * each);
    }
}
