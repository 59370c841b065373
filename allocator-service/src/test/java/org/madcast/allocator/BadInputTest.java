package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.allocator.Rest.Answer;

class BadInputTest {

    private final Rest rest = RunningService.shared().rest();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|job",
                "{'job':''}|job",
                "{'job':'a\\u0000b'}|job",
                "{'job':'j','count':0}|count",
                "{'job':'j','count':65}|count",
                "{'job':'j','count':'many'}|count",
                "{'job':'j','durationSeconds':0}|durationSeconds",
                "{'job':'j','durationSeconds':99999999}|durationSeconds",
                "{'job':'j','labels':[]}|labels",
                "{'job':'j','labels':{'k':null}}|labels[k]",
                "{'job':'j','surprise':1}|surprise",
                "{'job':['j']}|job",
            })
    void namesTheFieldThatIsWrong(String body, String field) {
        Answer answer = rest.post("/v1/leases", body.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("invalid-request");
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(answer.response().headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/leases?state=LOST, 400, invalid-request",
        "/v1/leases?size=0, 400, invalid-request",
        "/v1/leases?size=201, 400, invalid-request",
        "/v1/leases?page=-1, 400, invalid-request",
        "/v1/leases/xyz, 400, invalid-request",
        "/v1/leases/00000000-0000-0000-0000-000000000000, 404, no-such-lease",
        "/v1/communicators/00000000-0000-0000-0000-000000000000, 404, no-such-communicator",
        "/v1/communicators/00000000-0000-0000-0000-000000000000?waitSeconds=31, 400, invalid-request",
        "/v1/nothing, 404, not-found",
    })
    void readsHaveProblemsToo(String path, int status, String problem) {
        Answer answer = rest.get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.problem()).isEqualTo(problem);
    }

    @Test
    void otherThanJsonIsRefused() {
        assertThat(rest.post("/v1/leases", "{\"job\":").problem()).isEqualTo("invalid-request");
        assertThat(rest.post("/v1/leases", "").problem()).isEqualTo("invalid-request");
        assertThat(rest.put("/v1/leases", "{}").problem()).isEqualTo("method-not-allowed");
    }

    @Test
    void largeBodiesAreRefusedBeforeTheyAreParsed() {
        Answer answer = rest.post("/v1/leases", "[".repeat(300_000));
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.problem()).isEqualTo("body-too-large");
        assertThat(rest.post("/v1/leases", "[".repeat(100_000)).status()).isEqualTo(400);
    }

    @Test
    void scopesAreKnownAndHaveALongestLease() {
        assertThat(rest.post("/v1/leases", "{\"job\":\"j\",\"scope\":\"x\"}").problem())
                .isEqualTo("no-such-scope");
        Answer answer = rest.post("/v1/leases", "{\"job\":\"j\",\"durationSeconds\":31000000}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.problem()).isEqualTo("lease-too-long");
        assertThat(answer.json().path("longestSeconds").asInt()).isEqualTo(604_800);
    }
}
