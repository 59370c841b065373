package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.BroadcastSite;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;

@Timeout(180)
final class StatisticsReporterTest {

    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final CommunicatorStatistics STATISTICS =
            new CommunicatorStatistics(
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    8,
                    9,
                    Map.of("foreign", 10L, "garbled", 11L, "bad-version", 3L),
                    DurationDistribution.of(Map.of(12L, 1L)),
                    13,
                    0,
                    0);

    private final BlockingQueue<Map<String, Object>> sent = new LinkedBlockingQueue<>();

    private Map<String, Object> nextSent() throws InterruptedException {
        return Objects.requireNonNull(sent.poll(30, TimeUnit.SECONDS), "a report");
    }

    private Optional<Map<String, Integer>> accept(Map<String, Object> report) {
        sent.add(report);
        return Optional.of(Map.of("", 250, "64KiB..", 700, "64KiB.. pivots", 9000));
    }

    @Test
    void sendsCountersTimingsAndALastReport() throws Exception {
        try (StatisticsReporter reporter =
                StatisticsReporter.start(
                        this::accept,
                        () -> STATISTICS,
                        () -> List.of("10.0.9.14:5004"),
                        "nio",
                        NEVER)) {
            reporter.site("").recordBroadcast("once", 100, 5_000);
            reporter.site("").recordRootDelay("once", 100, 250);
            reporter.site("").recordRootDelay("once", 100, 0);
        }
        Map<String, Object> report = nextSent();
        assertThat(report)
                .containsEntry("sequence", 0L)
                .containsEntry("dropped", 0L)
                .containsEntry("socketPath", "nio")
                .containsEntry(
                        "rejected", Map.of("foreign", 10L, "garbled", 11L, "bad-version", 3L))
                .containsEntry("foreignSenders", List.of("10.0.9.14:5004"));
        assertThat(report.get("counters"))
                .isEqualTo(
                        Map.ofEntries(
                                Map.entry("broadcasts", 1L),
                                Map.entry("messageBytes", 2L),
                                Map.entry("datagramsSent", 3L),
                                Map.entry("datagramsReceived", 4L),
                                Map.entry("fragmentsUseful", 5L),
                                Map.entry("fragmentsDuplicate", 6L),
                                Map.entry("fragmentsLost", 7L),
                                Map.entry("repairsSent", 8L),
                                Map.entry("repairsReceived", 9L),
                                Map.entry("repairRequestsSent", 13L),
                                Map.entry("foreign", 13L),
                                Map.entry("repairP99Ns", 12L)));
        List<?> broadcasts = (List<?>) Objects.requireNonNull(report.get("broadcasts"));
        assertThat(broadcasts).hasSize(1);
        assertThat((Map<?, ?>) broadcasts.getFirst()).extracting("rootDelayMicros").isEqualTo(250L);
        assertThat(sent).isEmpty();
    }

    @Test
    void takesTheAdvisedRootDelay() throws Exception {
        StatisticsReporter reporter =
                StatisticsReporter.start(this::accept, () -> STATISTICS, List::of, "nio", OFTEN);
        assertThat(nextSent()).containsEntry("sequence", 0L);
        assertThat(nextSent()).containsEntry("sequence", 1L);
        assertThat(reporter.site("").rootDelayMicros(0)).isEqualTo(250);
        assertThat(reporter.site("").rootDelayMicros(65_536)).isEqualTo(700);
        assertThat(reporter.site("").rootDelayMicros(131_072)).isEqualTo(250);
        reporter.close();
    }

    @Test
    void twoPlacesOfOneSizeAreReportedAndAdvisedApart() throws Exception {
        StatisticsReporter reporter =
                StatisticsReporter.start(this::accept, () -> STATISTICS, List::of, "nio", NEVER);
        SiteReporter pivots = reporter.site("pivots");
        pivots.recordBroadcast("once", 65_536, 5_000);
        pivots.recordBroadcast("once", 65_536, 5_000);
        reporter.site("rows").recordBroadcast("once", 65_536, 7_000);
        reporter.site("").recordBroadcast("once", 65_536, 7_000);
        assertThat(pivots.rootDelayMicros(65_536)).isZero();
        reporter.close();
        List<?> broadcasts = (List<?>) Objects.requireNonNull(nextSent().get("broadcasts"));
        assertThat(broadcasts)
                .extracting(
                        it -> ((Map<?, ?>) it).get("label"), it -> ((Map<?, ?>) it).get("count"))
                .containsExactlyInAnyOrder(tuple("pivots", 2L), tuple("rows", 1L), tuple(null, 1L));
        assertThat(pivots.rootDelayMicros(65_536)).isEqualTo(9000);
        assertThat(reporter.site("rows").rootDelayMicros(65_536)).isEqualTo(250);
        assertThat(reporter.site("").rootDelayMicros(65_536)).isEqualTo(700);
    }

    @Test
    void namesWithoutEndAreCountedAsNone() {
        try (StatisticsReporter reporter =
                StatisticsReporter.start(this::accept, () -> STATISTICS, List::of, "nio", NEVER)) {
            for (int i = 0; i < BroadcastSite.MOST; i++) {
                SiteReporter site = reporter.site("step " + i);
                assertThat(site).isSameAs(reporter.site("step " + i));
                assertThat(site).isNotSameAs(reporter.site(""));
                site.recordBroadcast("once", 100, 5_000);
            }
            assertThat(reporter.site("one more")).isSameAs(reporter.site(""));
            assertThat(reporter.site("step 0")).isNotSameAs(reporter.site(""));
        }
        List<Object> labels = new ArrayList<>();
        for (Map<String, Object> report : sent) {
            List<?> broadcasts = (List<?>) Objects.requireNonNull(report.get("broadcasts"));
            assertThat(broadcasts).hasSizeLessThanOrEqualTo(32);
            broadcasts.forEach(it -> labels.add(((Map<?, ?>) it).get("label")));
        }
        assertThat(labels).hasSize(BroadcastSite.MOST).doesNotHaveDuplicates();
    }

    @Test
    void keepsTheNumberOfAReportThatFailed() throws Exception {
        BlockingQueue<Map<String, Object>> tried = new LinkedBlockingQueue<>();
        ReportSink awayAtFirst =
                report -> {
                    tried.add(report);
                    if (tried.size() < 4) {
                        throw new IOException("away");
                    }
                    return accept(report);
                };
        try (StatisticsReporter reporter =
                StatisticsReporter.start(awayAtFirst, () -> STATISTICS, List::of, "nio", OFTEN)) {
            for (long expected = 0; expected < 4; expected++) {
                assertThat(nextSent()).containsEntry("sequence", expected);
            }
            assertThat(reporter.site("").rootDelayMicros(0)).isEqualTo(250);
        }
        assertThat(tried.stream().limit(4))
                .allMatch(report -> Long.valueOf(0).equals(report.get("sequence")));
    }

    @Test
    void aRefusedReportIsNotSentAgain() throws Exception {
        ReportSink refusing =
                report -> {
                    sent.add(report);
                    return Optional.empty();
                };
        try (StatisticsReporter reporter =
                StatisticsReporter.start(refusing, () -> STATISTICS, List::of, "nio", OFTEN)) {
            assertThat(nextSent()).containsEntry("sequence", 0L);
            assertThat(nextSent()).containsEntry("sequence", 1L);
            assertThat(reporter.site("").rootDelayMicros(0)).isZero();
        }
    }

    @Test
    void aSinkThatHangsDelaysClosingByHalfASecond() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        ReportSink hanging =
                report -> {
                    try {
                        new CountDownLatch(1).await();
                        return Optional.empty();
                    } finally {
                        interrupted.countDown();
                    }
                };
        StatisticsReporter reporter =
                StatisticsReporter.start(hanging, () -> STATISTICS, List::of, "nio", NEVER);
        long startNs = System.nanoTime();
        reporter.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .isBetween(Duration.ofMillis(450), Duration.ofSeconds(10));
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
