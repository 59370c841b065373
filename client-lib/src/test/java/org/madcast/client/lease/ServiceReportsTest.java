package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three ranks on loopback report: through the first of them, or each by itself. */
@Timeout(300)
final class ServiceReportsTest {

    private static final Map<String, Integer> ADVICE = Map.of("", 250, "64KiB..", 700);
    private static final String KEY = "00112233445566778899aabbccddeeff";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Rendezvous> rendezvous = new ArrayList<>();
    private ContractService service;

    @BeforeEach
    void start() throws IOException {
        service = new ContractService();
    }

    @AfterEach
    void end() {
        rendezvous.forEach(Rendezvous::close);
        service.close();
        threads.shutdownNow();
    }

    /** Ranks with these keys, empty for none. */
    private List<ReportChannel> join(String... keys) throws Exception {
        rendezvous.addAll(JoinedRanks.join(service, keys));
        return rendezvous.stream().map(it -> it.reports().orElseThrow()).toList();
    }

    private List<Future<Optional<Map<String, Integer>>>> report(
            List<ReportChannel> channels, long sequence) {
        return channels.stream()
                .map(it ->
                        threads.submit(() -> it.send(Map.of("sequence", sequence, "dropped", 0L))))
                .toList();
    }

    private long requests(String ending) {
        return service.seen.stream().filter(it -> it.endsWith(ending)).count();
    }

    private List<String> reported() {
        return service.reports.stream()
                .map(it -> it.getInt("rank") + "/" + it.getInt("sequence"))
                .sorted()
                .toList();
    }

    private void assertAdvised(List<Future<Optional<Map<String, Integer>>>> answers)
            throws Exception {
        for (Future<Optional<Map<String, Integer>>> answer : answers) {
            assertThat(answer.get()).contains(ADVICE);
        }
    }

    @Test
    void theFirstRankPassesOnWhatAllReport() throws Exception {
        List<ReportChannel> channels = join("", "", "");
        assertAdvised(report(channels, 0));
        assertAdvised(report(channels, 1));
        assertThat(reported()).containsExactly("0/0", "0/1", "1/0", "1/1", "2/0", "2/1");
        assertThat(requests("/members/0/reports")).isEqualTo(2);
        assertThat(requests("/v1/reports")).isZero();
        assertThat(
                        service.reports.stream()
                                .map((JsonObject it) -> it.getString("instance"))
                                .collect(Collectors.toSet()))
                .hasSize(3);
    }

    @Test
    void theJobsKeyIsAskedFor() throws Exception {
        assertAdvised(report(join(KEY, KEY, "ff" + KEY), 0));
        assertThat(reported()).containsExactly("0/0", "1/0", "2/0");
        assertThat(requests("/members/0/reports")).isEqualTo(1);
        assertThat(requests("/v1/reports")).isEqualTo(1);
    }

    @Test
    void whenTheFirstRankIsGoneEachSpeaksForItself() throws Exception {
        List<ReportChannel> channels = join("", "", "");
        channels.getFirst().hurry();
        assertAdvised(report(channels, 0));
        assertAdvised(report(channels, 1));
        assertThat(requests("/v1/reports")).isEqualTo(6);
        assertThat(reported()).containsExactly("0/0", "0/1", "1/0", "1/1", "2/0", "2/1");
    }

    /** The first rank waits for the third; its end must not lose what the second has brought. */
    @Test
    void whatWaitsWhenTheFirstRankEndsIsNotLost() throws Exception {
        assertThat(endTheFirstRankNs()).isPositive();
    }

    @Test
    @Tag("performance")
    void whatWaitsWhenTheFirstRankEndsIsSentAtOnce() throws Exception {
        assertThat(endTheFirstRankNs()).isLessThan(700_000_000L);
    }

    private long endTheFirstRankNs() throws Exception {
        List<ReportChannel> channels = join("", "", "");
        long sequence = 0;
        List<Future<Optional<Map<String, Integer>>>> answers;
        do { // on a machine that stands still for a second they have left meanwhile
            answers = report(channels.subList(0, 2), sequence++);
        } while (!bothWait((ServiceReports) channels.getFirst(), answers));
        long startNs = System.nanoTime();
        channels.getFirst().hurry();
        assertAdvised(answers);
        long tookNs = System.nanoTime() - startNs;
        assertThat(reported()).contains("0/" + (sequence - 1), "1/" + (sequence - 1));
        return tookNs;
    }

    private static boolean bothWait(ServiceReports first, List<? extends Future<?>> answers) {
        while (first.waiting() < 2) {
            if (answers.stream().allMatch(Future::isDone)) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    @Test
    void whoIsInAHurryTakesNoDetour() throws Exception {
        List<ReportChannel> channels = join("", "", "");
        channels.get(1).hurry();
        assertAdvised(report(channels.subList(1, 2), 0));
        assertThat(requests("/v1/reports")).isEqualTo(1);
    }

    @Test
    void aServiceThatIsAwayIsToldToAll() throws Exception {
        List<ReportChannel> channels = join("", "", "");
        service.unavailable = 1;
        for (Future<Optional<Map<String, Integer>>> answer : report(channels, 0)) {
            assertThatThrownBy(answer::get).hasRootCauseInstanceOf(IOException.class);
        }
        assertThat(reported()).isEmpty();
        assertAdvised(report(channels, 0));
        assertThat(requests("/members/0/reports")).isEqualTo(2);
        assertThat(reported()).containsExactly("0/0", "1/0", "2/0");
    }

    @Test
    void anOlderServiceIsToldByEach() throws Exception {
        service.takesRelayed = false;
        assertAdvised(report(join("", "", ""), 0));
        assertThat(requests("/v1/reports")).isEqualTo(3);
        assertThat(reported()).containsExactly("0/0", "1/0", "2/0");
    }

    @Test
    void strangersAreNotPassedOn() throws Exception {
        List<ReportChannel> channels = join("", "");
        JsonFields table =
                new ServiceConnection(service.uri(), null, Duration.ofSeconds(5))
                        .get(
                                service.seen.stream()
                                                .filter(it -> it.startsWith("PUT"))
                                                .findFirst()
                                                .orElseThrow()
                                                .replaceAll("PUT /|/members.*", "")
                                        + "?waitSeconds=0",
                                Duration.ofSeconds(5))
                        .body();
        InetSocketAddress first = table.children("members").getFirst().socketAddress();
        try (FrameConnection stranger =
                new FrameConnection(new Socket(first.getAddress(), first.getPort()))) {
            JsonObject forged = new JsonObject();
            forged.put("report", "{\"rank\":1}");
            forged.put("mac", RelaySeal.of(null, 7).mac("", "{\"rank\":1}"));
            stranger.write(forged);
            assertThatThrownBy(() -> stranger.read(1000, Duration.ofSeconds(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closed");
        }
        assertAdvised(report(channels, 0));
        assertThat(reported()).containsExactly("0/0", "1/0");
    }
}
