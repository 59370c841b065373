package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The profile of a job, and its page. */
class ProfileRestTest {

    /** Of two ranks. */
    static final String PROFILE =
            """
            {"ranks": 2, "from": "2026-01-02T03:04:05Z", "milliseconds": 8000, "rows": [
             {"multicastBytes": 1048576, "sentBytes": [0, 4096], "callPercent": [0, 50, 100, 1]},
             {"multicastBytes": 0, "sentBytes": [7, 0], "callPercent": [100, 0, 0, 0]}]}
            """;

    private final Rest rest = RunningService.shared().rest();
    private final OwnedThings things = new OwnedThings(rest);
    private final String path = "/v1/communicators/" + things.communicator + "/profile";

    private String page() {
        return rest.get("/communicators/" + things.communicator).text();
    }

    @Test
    void thePageShowsTheMatrixAndTheTimeLine() {
        assertThat(page()).doesNotContain("<h2>Profile</h2>");
        assertThat(rest.put(path, PROFILE).status()).isEqualTo(204);
        assertThat(page())
                .contains("<h2>Profile</h2>", "Bytes sent, from", "Share of time in calls")
                .contains("data-names=\"to rank 0|to rank 1|to all by multicast\"")
                .contains("data-names=\"after 0.00 s|after 2.00 s|after 4.00 s|after 6.00 s\"");
        String later = PROFILE.replace("4096", "8");
        assertThat(rest.put(path, later).status()).isEqualTo(204);
        assertThat(rest.delete("/v1/communicators/" + things.communicator).status()).isEqualTo(204);
        assertThat(rest.put(path, PROFILE).status()).as("of one that has ended").isEqualTo(204);
        assertThat(
                        rest.put(path.replace(things.communicator, "" + UUID.randomUUID()), PROFILE)
                                .problem())
                .isEqualTo("no-such-communicator");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "ranks": 2           | "ranks": 3           | ranks must be 2
                    [7, 0]               | [7]                  | rows[1].sentBytes size must be 2
                    [7, 0]               | [7, -1]              | rows[1].sentBytes[1] must be
                    [100, 0, 0, 0]       | [100]                | rows[1].callPercent size must be 4
                    [100, 0, 0, 0]       | [101, 0, 0, 0]       | rows[1].callPercent[0] must be
                    "milliseconds": 8000 | "milliseconds": 0    | milliseconds must be
                    {"multicastBytes": 0, | null, {"multicastBytes": 0, | rows[1] must not be null
                    """)
    void whatIsNoProfileIsRefused(String right, String wrong, String why) {
        Rest.Answer refused = rest.put(path, PROFILE.replace(right, wrong));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("errors").toString())
                .contains(why.split(" ", 2)[0])
                .contains(why.split(" ", 2)[1]);
    }
}
