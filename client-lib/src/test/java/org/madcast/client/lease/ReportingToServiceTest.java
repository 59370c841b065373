package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;
import org.madcast.client.report.StatisticsReporter;

/** The reporter and the service's connection together, over HTTP. */
@Timeout(300)
final class ReportingToServiceTest {

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
                    Map.of("crc", 10L),
                    DurationDistribution.of(Map.of(11L, 1L)),
                    12,
                    0,
                    0);

    private static Rendezvous join(ContractService service) throws Exception {
        Rendezvous rendezvous =
                ServiceRendezvous.find(
                        CommunicatorConfig.builder("job", 0, 1).serviceUri(service.uri()).build());
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
        rendezvous.meet(new Member(0, here, 1, 2), Duration.ofSeconds(60));
        return rendezvous;
    }

    private static StatisticsReporter reporter(Rendezvous rendezvous) {
        ReportChannel channel = rendezvous.reports().orElseThrow();
        return StatisticsReporter.start(channel::send, () -> STATISTICS, List::of, "nio");
    }

    @Test
    void theLastReportArrivesWhole() throws Exception {
        try (ContractService service = new ContractService();
                Rendezvous rendezvous = join(service)) {
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
                Rendezvous rendezvous = join(service)) {
            ReportChannel channel = rendezvous.reports().orElseThrow();
            Map<String, Object> report = new HashMap<>(Map.of("sequence", 0L, "dropped", 0L));
            assertThat(channel.send(report)).hasValue(Map.of("", 250, "64KiB..", 700));
        }
    }

    @Test
    void aServiceThatDiedCostsNothingButAMoment() throws Exception {
        ContractService service = new ContractService();
        Rendezvous rendezvous = join(service);
        StatisticsReporter reporter = reporter(rendezvous);
        service.close();
        long startNs = System.nanoTime();
        reporter.close();
        rendezvous.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .isLessThan(Duration.ofSeconds(10));
    }
}
