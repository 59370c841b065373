package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;

/**
 * Siebert's counterexample (seed 000, section 3.2.1): two broadcasts in one loop, of the same size,
 * that behave oppositely. Told apart by the program's names for them, the root of the one is
 * advised to wait for receivers that cannot buffer, the root of the other is not; without names no
 * delay would serve both.
 */
class OppositeSitesTest {

    /** All in the bucket of 8.4 to 9.4 ms. */
    private static final String LATE =
            """
            {"early":{},"late":{"105":100},"lostLate":100,"lostLateNs":3000000000}
            """;

    private static final String EARLY =
            """
            {"early":{"105":100},"late":{},"lostLate":0,"lostLateNs":0}
            """;

    private final Rest rest = RunningService.shared().rest();
    private final UUID instance = UUID.randomUUID();
    private final String job = RunningService.newJob();

    @Test
    void onlyTheRootWhoseReceiversComeLateIsToldToWait() {
        String id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":2}".formatted(job))
                        .string("id");
        String secret = CommunicatorRestTest.join(rest, id, 0, instance).string("memberSecret");
        int[] sequence = {0};
        report(id, secret, ++sequence[0]);
        // each report is a new observation when the rollup has told the tuner of the one before;
        // none tells of calls with the delay, which would take as long in these reports
        String delays =
                await().atMost(Duration.ofSeconds(90))
                        .pollInterval(Duration.ofMillis(600))
                        .until(
                                () -> {
                                    String page = delays(id);
                                    if (!page.contains("receivers call up to")) {
                                        report(id, secret, ++sequence[0]);
                                    }
                                    return page;
                                },
                                it -> it.contains("receivers call up to"));
        assertThat(delays)
                .containsPattern("64 to 128 KiB pivots</td>.*receivers call up to [89]\\.\\d ms")
                .containsPattern("64 to 128 KiB rows</td>.*none");
        // answers tell what was read within the last two seconds; these reports tell of no calls
        Answer last =
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(500))
                        .until(
                                () -> report(id, secret, ++sequence[0], ""),
                                it -> advised(it, "64KiB.. pivots") > 0);
        assertThat(advised(last, "64KiB.. pivots")).isBetween(8_300L, 9_500L);
        assertThat(advised(last, "64KiB.. rows")).isZero();
    }

    private String delays(String id) {
        String page = rest.get("/communicators/" + id).text();
        return page.substring(page.indexOf("<h2>Root delay</h2>"));
    }

    private static long advised(Answer answer, String site) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        for (JsonNode each : answer.json().path("sites")) {
            if (each.path("site").asString().equals(site)) {
                return each.path("rootDelayMicros").asLong();
            }
        }
        return 0;
    }

    private Answer report(String id, String secret, int sequence) {
        return report(id, secret, sequence, site("pivots", LATE) + "," + site("rows", EARLY));
    }

    private Answer report(String id, String secret, int sequence, String sites) {
        return rest.post(
                "/v1/reports",
                """
                {"communicatorId":"%s","rank":0,"instance":"%s","sequence":%d,
                 "counters":{"broadcasts":%d},"broadcasts":[%s]}
                """
                        .formatted(id, instance, sequence, 200 * sequence, sites),
                "Madcast-Member-Secret",
                secret);
    }

    private static String site(String label, String arrivals) {
        return """
        {"sizeClass":"64KiB..","label":"%s","algorithm":"once","count":110,"bytes":7000000,
         "buckets":{"105":110},"arrivals":%s,
         "durationNs":{"p50":8000000,"p99":8000000,"max":9000000,"sum":880000000}}
        """
                .formatted(label, arrivals);
    }
}
