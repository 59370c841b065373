package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.report.StatisticsReporter;

/** What statistics cost a rank: at most a thousandth of its time. */
@Tag("performance")
@Timeout(300)
final class StatisticsCostTest {

    private static final int REPORTS = 400;
    private static final int ROUNDS = 400;
    private static final int BROADCASTS = 2_000_000;
    private static final double INTERVAL_NS = 5e9;
    private static final double MOST_SHARE = 0.001;

    /** All that this process does meanwhile is counted: the service's side of it, too. */
    @Test
    void reportingTakesLessThanAThousandthOfTheTime() throws Exception {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try (ContractService service = new ContractService();
                Rendezvous rendezvous = JoinedRanks.joinAlone(service)) {
            long startNs = 0;
            // the first half warms up; a rank that has just begun is still compiled itself
            for (int i = -REPORTS; i < REPORTS; i++) {
                if (i == 0) {
                    startNs = system.getProcessCpuTime();
                }
                ReportChannel channel = rendezvous.reports().orElseThrow();
                try (StatisticsReporter reporter =
                        StatisticsReporter.start(
                                channel::send, () -> JoinedRanks.STATISTICS, List::of, "nio")) {
                    for (int size = 1; size < 1 << 20; size *= 4) {
                        reporter.site("").recordBroadcast("once", size, 1000L * size);
                        reporter.site("").recordArrival("once", size, -1000L * size, 0);
                    }
                }
                assertThat(service.reports.take()).isNotNull();
            }
            double eachNs = (double) (system.getProcessCpuTime() - startNs) / REPORTS;
            System.out.printf(
                    "a report takes %.0f us of a processor, %.4f %% of 5 s%n",
                    eachNs / 1e3, 100 * eachNs / INTERVAL_NS);
            assertThat(eachNs / INTERVAL_NS).isLessThan(MOST_SHARE);
        }
    }

    /** What it takes beside the request, which is one's own report's, too. */
    @Test
    void passingOnWhatOthersReportTakesLessThanAThousandthOfTheTime() throws Exception {
        try (ContractService service = new ContractService();
                ExecutorService threads = Executors.newFixedThreadPool(ServiceReports.BLOCK)) {
            String[] keys = new String[ServiceReports.BLOCK];
            Arrays.fill(keys, "");
            List<Rendezvous> ranks = JoinedRanks.join(service, keys);
            long startNs = 0;
            for (int round = -ROUNDS; round < ROUNDS; round++) {
                if (round == 0) {
                    startNs = relayNs();
                }
                Map<String, Object> report = report(ROUNDS + round);
                for (Future<Optional<Map<String, Integer>>> sent :
                        threads.invokeAll(ranks.stream().map(it -> sending(it, report)).toList())) {
                    assertThat(sent.get()).isPresent();
                }
                service.reports.clear();
            }
            double eachNs = (double) (relayNs() - startNs) / ROUNDS;
            assertThat(service.seen.stream().filter(it -> it.endsWith("/0/reports")))
                    .hasSize(2 * ROUNDS);
            System.out.printf(
                    "passing on %d ranks' reports takes %.0f us of a processor, %.4f %% of 5 s%n",
                    ranks.size(), eachNs / 1e3, 100 * eachNs / INTERVAL_NS);
            assertThat(eachNs / INTERVAL_NS).isLessThan(MOST_SHARE);
            ranks.forEach(Rendezvous::close);
        }
    }

    /** What the thread took that passes on. */
    private static long relayNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(it -> it != null && it.getThreadName().equals("madcast-relay"))
                .mapToLong(it -> threads.getThreadCpuTime(it.getThreadId()))
                .sum();
    }

    private static Callable<Optional<Map<String, Integer>>> sending(
            Rendezvous rank, Map<String, Object> report) {
        return () -> rank.reports().orElseThrow().send(report);
    }

    /** As long as usual ones are: three sites of 20 buckets. */
    private static Map<String, Object> report(long sequence) {
        Map<String, Long> buckets = new TreeMap<>();
        for (int i = 60; i < 80; i++) {
            buckets.put(String.valueOf(i), 1000L + i);
        }
        Map<String, Object> site =
                Map.of("sizeClass", "64KiB..", "algorithm", "once", "buckets", buckets);
        return Map.of("sequence", sequence, "dropped", 0L, "broadcasts", List.of(site, site, site));
    }

    @Test
    void recordingTakesNanoseconds() {
        try (StatisticsReporter reporter =
                StatisticsReporter.start(
                        report -> Optional.of(Map.of()),
                        () -> JoinedRanks.STATISTICS,
                        List::of,
                        "nio")) {
            record(reporter);
            long startNs = System.nanoTime();
            record(reporter);
            double eachNs = (double) (System.nanoTime() - startNs) / BROADCASTS;
            System.out.printf("a broadcast is recorded in %.0f ns%n", eachNs);
            assertThat(Duration.ofNanos((long) eachNs)).isLessThan(Duration.ofNanos(5_000));
        }
    }

    private static void record(StatisticsReporter reporter) {
        for (int i = 0; i < BROADCASTS; i++) {
            reporter.site("").recordBroadcast("once", 65_536, 5_000_000 + i);
            reporter.site("").recordArrival("once", 65_536, i % 2 == 0 ? i : -i, 0);
        }
    }
}
