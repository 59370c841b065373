package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":1}"
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
        assertThat(latest("sequence")).isEqualTo("2");
    }

    @Test
    void noAdvice() {
        Answer quick = report(secret, "");
        assertAlike(quick, report(secret, "", ORDINARY));
        assertThat(quick.status()).isEqualTo(200);
        assertThat(latest("received_at >= now() - interval '1 minute'")).isEqualTo("true");
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

    private String latest(String column) {
        return service.jdbc()
                .sql("select (" + column + ")::text from report where communicator_id = ?::uuid")
                .param(id)
                .query(String.class)
                .optional()
                .orElse("");
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
