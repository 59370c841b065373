package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.report.StatisticsReporter;

/** The reporter and the service's connection together, over HTTP. */
@Timeout(300)
final class ReportingToServiceTest {

    private static StatisticsReporter reporter(Rendezvous rendezvous) {
        ReportChannel channel = rendezvous.reports().orElseThrow();
        return StatisticsReporter.start(
                channel::send, () -> JoinedRanks.STATISTICS, List::of, "nio");
    }

    @Test
    void theLastReportArrivesWhole() throws Exception {
        try (ContractService service = new ContractService();
                Rendezvous rendezvous = JoinedRanks.joinAlone(service)) {
            try (StatisticsReporter reporter = reporter(rendezvous)) {
                reporter.site("").recordBroadcast("once", 65_536, 1_500_000);
            }
            JsonObject report =
                    Objects.requireNonNull(service.reports.poll(30, TimeUnit.SECONDS), "a report");
            assertThat(report)
                    .containsOnlyKeys(
                            "communicatorId",
                            "rank",
                            "instance",
                            "sequence",
                            "counters",
                            "rejected",
                            "socketPath",
                            "dropped",
                            "broadcasts");
            assertThat(report.getObject("counters").getInt("repairRequestsSent")).isEqualTo(12);
            JsonObject broadcast = report.getArray("broadcasts").getObject(0);
            assertThat(broadcast.getString("sizeClass")).isEqualTo("64KiB..");
            assertThat(broadcast.getObject("durationNs").getLong("max")).isEqualTo(1_500_000);
        }
    }

    @Test
    void theAdviceIsReadForEachSite() throws Exception {
        try (ContractService service = new ContractService();
                Rendezvous rendezvous = JoinedRanks.joinAlone(service)) {
            ReportChannel channel = rendezvous.reports().orElseThrow();
            Map<String, Object> report = new HashMap<>(Map.of("sequence", 0L, "dropped", 0L));
            assertThat(channel.send(report)).hasValue(Map.of("", 250, "64KiB..", 700));
        }
    }

    @Test
    void aServiceThatDiedCostsNothingButAMoment() throws Exception {
        ContractService service = new ContractService();
        Rendezvous rendezvous = JoinedRanks.joinAlone(service);
        StatisticsReporter reporter = reporter(rendezvous);
        service.close();
        long startNs = System.nanoTime();
        reporter.close();
        rendezvous.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .isLessThan(Duration.ofSeconds(10));
    }
}
