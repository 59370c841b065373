package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.statistics.Buckets;
import org.madcast.allocator.tuning.TunerState;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports over REST: what is accepted, what is refused, and what is stored then. */
class ReportRestTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final UUID instance = UUID.randomUUID();
    private String id = "";
    private String secret = "";
    private int sequence;

    @BeforeEach
    void makeCommunicator() {
        id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":3}"
                                        .formatted(RunningService.newJob()))
                        .string("id");
        secret = CommunicatorRestTest.join(rest, id, 0, instance).string("memberSecret");
    }

    @Test
    void advice() {
        service.jdbc()
                .sql(
                        """
                        insert into root_delay (communicator_id, site, advised_micros, reason, state)
                        values (?::uuid, '64KiB.. pi"vots', 250, 'late', ?::json)
                        """)
                .params(id, JsonMapper.shared().writeValueAsString(TunerState.INITIAL))
                .update();
        Answer answer = report(secret, "");
        assertThat(answer.json().at("/sites/0/rootDelayMicros").asInt()).isEqualTo(250);
        assertThat(latest("sequence")).containsExactly("1");
    }

    @Test
    void noAdvice() {
        Answer answer = report(secret, "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(latest("received_at >= now() - interval '1 minute'")).containsExactly("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",'surprise':1 | 400",
                ",'dropped':-1 | 400",
                ",'socketPath':'a\\u0001' | 400",
                ",'broadcasts':[{}] | 400",
                ",'rejected':{'':1} | 400",
                ",'dropped':99999999999999999999 | 400",
                ",'foreignSenders':['no endpoint'] | 400",
                ",'broadcasts': | 400",
                ",'foreignSenders':['10.0.0.9:5000'] | 200",
                ",'rejected':null | 200",
            })
    void whatIsWrongOrUnusual(String more, int status) {
        Answer answer = report(secret, more.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }

    @Test
    void whoIsNoMember() {
        Answer answer = report("guess", "");
        assertThat(answer.problem()).isEqualTo("no-such-member");
        assertThat(latest("sequence")).isEmpty();
    }

    /** With two values none is the member's, whichever comes first. */
    @Test
    void whoShowsTwoSecrets() {
        for (String other : List.of("guess", secret)) {
            Answer answer = report(secret, "", "Madcast-Member-Secret", other);
            assertThat(answer.problem()).isEqualTo("no-such-member");
            Answer turned = report(other, "", "Madcast-Member-Secret", secret);
            assertThat(turned.problem()).isEqualTo("no-such-member");
        }
        assertThat(latest("sequence")).isEmpty();
    }

    @Test
    void tooLong() {
        Answer answer = report(secret, " ".repeat(300_000));
        assertThat(answer.status()).isEqualTo(413);
    }

    /** What one rank passes on is counted for each, once, however it is brought. */
    @Test
    void relayedReports() {
        Answer answer = relay(secret, id, entry(1, "\"rejected\":{\"bad-type\":2}"), entry(2, ""));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(latest("rank || ' ' || sequence")).containsExactly("1 1", "2 1");
        sequence--;
        assertThat(relay(secret, id, entry(1, ""), entry(2, "")).status()).isEqualTo(200);
        assertThat(latest("coalesce(rejected->>'bad-type', '0')")).containsExactly("2", "0");
        sequence++;
        assertThat(relay(secret, id, entry(0, ""), entry(2, "")).status()).isEqualTo(200);
        assertThat(latest("rank || ' ' || sequence")).containsExactly("0 3", "1 1", "2 3");
    }

    /** The communicator has three ranks; whoever is told of a fourth makes no row of it. */
    @Test
    void ranksThatThereAreNot() {
        assertThat(relay(secret, id, entry(2, ""), entry(3, "")).status()).isEqualTo(200);
        assertThat(latest("rank")).containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{'rank':1}",
                "{'communicatorId':'0b0e4a52-0000-4000-8000-00000000000a','rank':1,"
                        + "'instance':'0b0e4a52-0000-4000-8000-00000000000a','sequence':1,"
                        + "'counters':{}}",
                "7",
                "null",
            })
    void whatIsWrongInRelayedReports(String entry) {
        Answer answer = relay(secret, id, entry.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(latest("rank")).isEmpty();
    }

    @Test
    void tooManyRelayedReports() {
        sequence--;
        String[] entries = new String[257];
        Arrays.fill(entries, entry(1, ""));
        assertThat(relay(secret, id, entries).status()).isEqualTo(400);
        assertThat(relay(secret, id, Arrays.copyOf(entries, 256)).status()).isEqualTo(200);
    }

    @Test
    void whoMayRelayNothing() {
        Answer answer = relay("guess", id, entry(1, ""));
        assertThat(answer.problem()).isEqualTo("no-such-member");
        assertThat(relay(secret, UUID.randomUUID().toString(), entry(1, "")).problem())
                .isEqualTo("invalid-request");
        assertThat(latest("rank")).isEmpty();
    }

    @Test
    void skewAndPhasesAreInTheStatisticsAndTheMetrics() {
        String early = "'early':{'81':3},'late':{},";
        String late = "'early':{},'late':{'97':1},";
        assertThat(relay(secret, id, entry(1, timed(early)), entry(2, timed(late))).status())
                .isEqualTo(200);
        JsonNode site = rest.get("/v1/communicators/" + id + "/statistics").json().at("/sites/0");
        assertThat(site.path("algorithm").asString()).isEqualTo("once");
        assertThat(site.path("broadcasts").asLong()).isEqualTo(8);
        long earlyNs = Buckets.upperNs(81);
        JsonNode times = site.path("times");
        assertThat(times.at("/early/count").asLong()).isEqualTo(3);
        assertThat(times.at("/early/p50Ns").asLong()).isEqualTo(earlyNs);
        assertThat(times.at("/late/p99Ns").asLong()).isEqualTo(Buckets.upperNs(97));
        assertThat(times.at("/duration/meanNs").asLong()).isEqualTo(5_000_000);
        assertThat(times.at("/phases/waitNs").asLong()).isEqualTo(3 * earlyNs / 8);
        assertThat(times.at("/phases/repairNs").asLong()).isEqualTo(2 * 400_000 / 8);
        assertThat(times.at("/phases/transferNs").asLong())
                .isEqualTo(5_000_000 - 3 * earlyNs / 8 - 100_000);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(rest.get("/actuator/prometheus").text())
                                .containsPattern(
                                        "madcast_rank_skew_seconds_bucket\\{side=\"late\",le=.*")
                                .containsPattern(
                                        "madcast_rank_broadcast_duration_seconds_count"
                                                + "\\{algorithm=\"once\"\\} [1-9]")
                                .containsPattern(
                                        "madcast_rank_broadcast_phase_seconds_total"
                                                + "\\{phase=\"repair\"\\} (0\\.0*)?[1-9]"));
    }

    @Test
    void aCommunicatorThatThereIsNotHasNoStatistics() {
        assertThat(rest.get("/v1/communicators/" + UUID.randomUUID() + "/statistics").problem())
                .isEqualTo("no-such-communicator");
        assertThat(rest.get("/v1/communicators/" + id + "/statistics").text())
                .isEqualTo("{\"sites\":[]}");
    }

    private static String timed(String arrivals) {
        return ("'broadcasts':[{'sizeClass':'64KiB..','algorithm':'once','count':4,'bytes':4,"
                        + "'durationNs':{'max':9000000,'sum':20000000},'buckets':{'104':4},"
                        + "'arrivals':{"
                        + arrivals
                        + "'lostLate':1,'lostLateNs':400000}}]")
                .replace('\'', '"');
    }

    private String entry(int rank, String more) {
        return """
        {"communicatorId":"%s","rank":%d,"instance":"%s","sequence":%d,
         "counters":{"datagramsSent":10}%s}
        """
                .formatted(id, rank, instance, sequence + 1, more.isEmpty() ? "" : "," + more);
    }

    private Answer relay(String shown, String communicator, String... entries) {
        return relayed(communicator, entries, "Madcast-Member-Secret", shown);
    }

    private Answer relayed(String communicator, String[] entries, String... headers) {
        sequence++;
        return rest.post(
                "/v1/communicators/" + communicator + "/members/0/reports",
                "{\"instance\":\"%s\",\"reports\":[%s]}"
                        .formatted(instance, String.join(",", entries)),
                headers);
    }

    private List<String> latest(String column) {
        return service.jdbc()
                .sql(
                        "select ("
                                + column
                                + ")::text as value from report where communicator_id = ?::uuid"
                                + " order by rank")
                .param(id)
                .query(String.class)
                .list();
    }

    private Answer report(String shown, String more, String... headers) {
        sequence++;
        List<String> all = new ArrayList<>(List.of("Madcast-Member-Secret", shown));
        all.addAll(List.of(headers));
        return rest.post(
                "/v1/reports",
                """
                {"communicatorId":"%s","rank":0,"instance":"%s","sequence":%d,
                 "counters":{"datagramsSent":10}%s}
                """
                        .formatted(id, instance, sequence, more),
                all.toArray(String[]::new));
    }
}
