package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.tuning.TunerState;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A report is answered alike, whether it takes the short way or the ordinary one. */
class ReportWaysTest {

    /** The short way leaves it to the framework what this allows. */
    private static final String[] ORDINARY = {"Accept", "application/*"};

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
        Answer quick = report(secret, "");
        assertThat(quick.json().at("/sites/0/rootDelayMicros").asInt()).isEqualTo(250);
        assertAlike(quick, report(secret, "", ORDINARY));
        assertThat(latest("sequence")).containsExactly("2");
    }

    @Test
    void noAdvice() {
        Answer quick = report(secret, "");
        assertAlike(quick, report(secret, "", ORDINARY));
        assertThat(quick.status()).isEqualTo(200);
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
        Answer quick = report(secret, more.replace('\'', '"'));
        assertThat(quick.status()).as(quick.text()).isEqualTo(status);
        sequence--;
        assertAlike(quick, report(secret, more.replace('\'', '"'), ORDINARY));
    }

    @Test
    void whoIsNoMember() {
        Answer quick = report("guess", "");
        assertThat(quick.problem()).isEqualTo("no-such-member");
        assertAlike(quick, report("guess", "", ORDINARY));
        assertThat(latest("sequence")).isEmpty();
    }

    /** With two values none is the member's, whichever comes first. */
    @Test
    void whoShowsTwoSecrets() {
        for (String other : List.of("guess", secret)) {
            Answer quick = report(secret, "", "Madcast-Member-Secret", other);
            assertThat(quick.problem()).isEqualTo("no-such-member");
            Answer turned = report(other, "", "Madcast-Member-Secret", secret);
            assertAlike(quick, turned);
            assertAlike(
                    quick,
                    report(secret, "", "Madcast-Member-Secret", other, ORDINARY[0], ORDINARY[1]));
        }
        assertThat(latest("sequence")).isEmpty();
    }

    @Test
    void tooLong() {
        Answer quick = report(secret, " ".repeat(300_000));
        assertThat(quick.status()).isEqualTo(413);
        assertAlike(quick, report(secret, " ".repeat(300_000), ORDINARY));
    }

    /** What one rank passes on is counted for each, once, however it is brought. */
    @Test
    void relayedReports() {
        Answer quick = relay(secret, id, entry(1, "\"rejected\":{\"bad-type\":2}"), entry(2, ""));
        assertThat(quick.status()).as(quick.text()).isEqualTo(200);
        assertThat(latest("rank || ' ' || sequence")).containsExactly("1 1", "2 1");
        sequence--;
        assertAlike(quick, relayOrdinarily(secret, id, entry(1, ""), entry(2, "")));
        assertThat(latest("coalesce(rejected->>'bad-type', '0')")).containsExactly("2", "0");
        sequence++;
        assertAlike(quick, relayOrdinarily(secret, id, entry(0, ""), entry(2, "")));
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
        Answer quick = relay(secret, id, entry.replace('\'', '"'));
        assertThat(quick.status()).as(quick.text()).isEqualTo(400);
        assertAlike(quick, relayOrdinarily(secret, id, entry.replace('\'', '"')));
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
        Answer quick = relay("guess", id, entry(1, ""));
        assertThat(quick.problem()).isEqualTo("no-such-member");
        assertAlike(quick, relayOrdinarily("guess", id, entry(1, "")));
        assertThat(relay(secret, UUID.randomUUID().toString(), entry(1, "")).problem())
                .isEqualTo("invalid-request");
        assertThat(latest("rank")).isEmpty();
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

    private Answer relayOrdinarily(String shown, String communicator, String... entries) {
        return relayed(
                communicator, entries, "Madcast-Member-Secret", shown, ORDINARY[0], ORDINARY[1]);
    }

    private Answer relayed(String communicator, String[] entries, String... headers) {
        sequence++;
        return rest.post(
                "/v1/communicators/" + communicator + "/members/0/reports",
                "{\"instance\":\"%s\",\"reports\":[%s]}"
                        .formatted(instance, String.join(",", entries)),
                headers);
    }

    private static void assertAlike(Answer quick, Answer ordinary) {
        assertThat(quick.status()).isEqualTo(ordinary.status());
        assertThat(sorted(quick.json())).isEqualTo(sorted(ordinary.json()));
        assertThat(quick.response().headers().map().get("Content-Type"))
                .isEqualTo(ordinary.response().headers().map().get("Content-Type"));
    }

    /** What is wrong is told in any order. */
    private static List<String> sorted(JsonNode answer) {
        List<String> parts = new ArrayList<>();
        answer.forEachEntry((name, value) -> {
            if (name.equals("errors")) {
                value.forEach(it -> parts.add(it.toString()));
            } else if (!name.equals("detail") || !answer.has("errors")) {
                parts.add(name + " " + value);
            }
        });
        parts.sort(null);
        return parts;
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
