package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A state that is taken out of a service and put into another is the same state. */
class StateTest {

    private static final String OPERATOR = "the-operator-of-both-services";
    private static final String[] BY = {"Authorization", "Bearer " + OPERATOR};
    private static final String LINES = "application/x-ndjson";

    private static RunningService newService() {
        return RunningService.onDatabaseNamed(
                RunningService.newDatabase("state"),
                "--madcast.access.from-loopback=none",
                "--madcast.access.operator-token=" + OPERATOR);
    }

    private static Rest.Answer put(Rest rest, String state) {
        return rest.put(
                "/v1/state", state, "Authorization", "Bearer " + OPERATOR, "Content-Type", LINES);
    }

    @Test
    void isTheSameInAnotherService() {
        try (RunningService one = newService();
                RunningService other = newService()) {
            Rest from = one.rest();
            String job =
                    from.post("/v1/tokens", "{\"name\":\"slurm\",\"role\":\"job\"}", BY)
                            .string("token");
            String[] byJob = {"Authorization", "Bearer " + job};
            from.post("/v1/scopes/blue", "{\"ranges\":[\"239.195.1.0/24\"]}", BY);
            OwnedThings things = new OwnedThings(from, byJob);
            JsonNode blue =
                    from.post("/v1/leases", "{\"job\":\"b\",\"scope\":\"blue\",\"count\":3}", byJob)
                            .json();
            Rest.Answer state = from.get("/v1/state", BY);
            assertThat(state.status()).isEqualTo(200);
            assertThat(state.text().lines())
                    .allSatisfy(
                            it -> assertThat(JsonMapper.shared().readTree(it).isObject()).isTrue());
            assertThat(state.text()).doesNotContain(job);

            Rest to = other.rest();
            Rest.Answer cut = put(to, state.text().substring(0, state.text().length() - 40));
            assertThat(cut.problem()).isEqualTo("invalid-request");
            assertThat(put(to, "{}\n").problem()).isEqualTo("invalid-request");
            String line = state.text().lines().skip(1).findFirst().orElseThrow();
            String twice = "{\"table\":\"lease\"," + line.substring(1);
            Rest.Answer ambiguous = put(to, state.text().replace(line, twice));
            assertThat(ambiguous.string("detail"))
                    .as(ambiguous.text())
                    .isEqualTo("line 2 is wrong: table must not be there twice");
            String half = state.text().replace("\"world\"", "\"\\ud800\"");
            assertThat(half).isNotEqualTo(state.text());
            assertThat(put(to, half).problem()).isEqualTo("invalid-request");
            assertThat(to.get("/v1/leases", BY).json().path("total").asInt()).isZero();
            Rest.Answer read = put(to, state.text());
            assertThat(read.status()).as(read.text()).isEqualTo(200);

            for (String path :
                    List.of(
                            "/v1/leases",
                            "/v1/scopes/blue",
                            "/v1/tokens",
                            "/v1/communicators/" + things.communicator)) {
                assertThat(to.get(path, BY).text()).as(path).isEqualTo(from.get(path, BY).text());
            }
            // Tokens, secrets, idempotency keys and constraints hold there.
            Rest.Answer again =
                    to.post(
                            "/v1/leases",
                            "{\"job\":\"%s\"}".formatted(things.job),
                            byJob[0],
                            byJob[1],
                            "Idempotency-Key",
                            things.key);
            assertThat(again.string("secret")).isEqualTo(things.leaseSecret);
            Rest.Answer renewed =
                    to.post(
                            "/v1/leases/" + things.lease + "/renewal",
                            "{\"durationSeconds\":7200}",
                            byJob[0],
                            byJob[1],
                            OwnedThings.LEASE_SECRET,
                            things.leaseSecret);
            assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
            Rest.Answer member =
                    to.post(
                            "/v1/communicators/%s/members/0/renewal".formatted(things.communicator),
                            "{}",
                            byJob[0],
                            byJob[1],
                            OwnedThings.MEMBER_SECRET,
                            things.memberSecret);
            assertThat(member.status()).as(member.text()).isEqualTo(200);
            String group = blue.at("/groups/0/address").asString();
            assertThat(to.get("/v1/audit?group=" + group, BY).json().path("items").size())
                    .isEqualTo(1);
            assertThat(to.get("/v1/audit?what=state", BY).text())
                    .contains("state.imported", "state.exported");
            for (int i = 0; i < 253; i++) {
                Rest.Answer more =
                        to.post("/v1/leases", "{\"job\":\"c\",\"scope\":\"blue\"}", byJob);
                assertThat(more.status()).as(more.text()).isEqualTo(201);
            }
            assertThat(to.post("/v1/leases", "{\"job\":\"c\",\"scope\":\"blue\"}", byJob).problem())
                    .isEqualTo("pool-exhausted");
            assertThat(put(to, state.text()).problem()).isEqualTo("conflict");
        }
    }
}
