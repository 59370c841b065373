package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
                "{'job':'j','count':-1}|count",
                "{'job':'j','count':99999999999999}|count",
                "{'job':'j','durationSeconds':1e400}|durationSeconds",
                "{'job':'j','layout':{'alignment':3}}|layout.alignment",
                "{'job':'j','layout':{'alignment':1.5}}|layout.alignment",
                "{'job':'j','layout':{'alignment':-2}}|layout.alignment",
                "{'job':'j','layout':{'alignment':2,'offset':2}}|layout.offset",
                "{'job':'j','startsAt':'2001-01-01T00:00:00Z'}|startsAt",
                "{'job':'j','startsAt':'2999-01-01T00:00:00Z'}|startsAt",
                "{'job':'j','startsAt':'+1000000-01-01T00:00:00Z'}|startsAt",
                "{'job':'j','startsAt':'tomorrow'}|startsAt",
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
        "/v1/leases?page=99999999999, 400, invalid-request",
        "/v1/leases?job=%00, 400, invalid-request",
        "/v1/history?address=nonsense, 400, invalid-request",
        "/v1/history?address=239.192.0.1-239.192.0.2, 400, invalid-request",
        "/v1/history?address=239.192.0.1&from=tomorrow, 400, invalid-request",
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

    /** However one address is written, and however long ago or far ahead one looks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "239.192.0.1-239.192.0.1",
                "239.192.0.1/32",
                "ff18::8000:1-ff18::8000:1",
                "239.192.0.1&from=-1000000000-01-01T00:00:00Z",
                "239.192.0.1&from=%2B1000000000-12-31T23:59:59Z",
                "239.192.0.1&to=%2B1000000000-12-31T23:59:59Z",
                "239.192.0.1&to=-1000000000-01-01T00:00:00Z",
            })
    void everyAddressHasAHistory(String asked) {
        Answer answer = rest.get("/v1/history?address=" + asked);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json().path("items").isArray()).isTrue();
    }

    @Test
    void aForeignLeaseAndAWrongSecretGetTheSameAnswerWithoutTheSecret() {
        Answer lease = rest.post("/v1/leases", "{\"job\":\"j\"}");
        String other = "00000000-0000-0000-0000-000000000001";
        String guess = "my-guess";
        Answer wrong = delete(lease.string("id"), guess);
        Answer unknown = delete(other, guess);
        assertThat(wrong.status()).isEqualTo(404);
        assertThat(wrong.text().replace(lease.string("id"), other)).isEqualTo(unknown.text());
        assertThat(wrong.text()).doesNotContain(guess);
        assertThat(rest.get("/v1/leases/" + lease.string("id")).text())
                .doesNotContain(lease.string("secret"));
        assertThat(delete(lease.string("id"), lease.string("secret")).status()).isEqualTo(204);
    }

    private Answer delete(String id, String secret) {
        return rest.delete("/v1/leases/" + id, "Madcast-Lease-Secret", secret);
    }

    @Test
    void anIdempotencyKeyIsNoNovel() {
        Answer answer =
                rest.post("/v1/leases", "{\"job\":\"j\"}", "Idempotency-Key", "k".repeat(256));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("Idempotency-Key");
    }

    @Test
    void whoCannotReadTheAnswerGetsNoLease() {
        String job = RunningService.newJob();
        Answer answer =
                rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job), "Accept", "text/html");
        assertThat(answer.status()).isEqualTo(406);
        assertThat(rest.get("/v1/leases?job=" + job).json().path("total").asInt()).isZero();
    }

    @Test
    void otherThanJsonIsRefused() {
        assertThat(rest.post("/v1/leases", "{\"job\":").problem()).isEqualTo("invalid-request");
        assertThat(rest.post("/v1/leases", "").problem()).isEqualTo("invalid-request");
        assertThat(rest.put("/v1/leases", "{}").problem()).isEqualTo("method-not-allowed");
    }

    /** Types that the framework can neither read nor refuse by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "*/*", "application/*", "x", "text/plain", "/"})
    void otherTypesThanJsonAreRefused(String type) {
        Answer answer = rest.post("/v1/leases", "{\"job\":\"j\"}", "Content-Type", type);
        assertThat(answer.status()).as(answer.text()).isEqualTo(415);
        assertThat(answer.problem()).isEqualTo("unsupported-media-type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'job':'j'}{'job':'k'}|must end behind the first value",
                "{'job':{}}|job must be a text",
                "{'job':'j','count':NaN}|is not JSON: Non-standard token 'NaN'"
            })
    void saysWhatIsWrongInWordsOfTheRequest(String body, String detail) {
        Answer answer =
                rest.post("/v1/leases", body.replace("'", "\"").replace("\"NaN\"", "'NaN'"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.string("detail")).isEqualTo(detail);
    }

    @Test
    void whatIsTooDeepOrMissingIsSaidWithoutNamesOfThePrograms() {
        Answer deep = rest.post("/v1/leases", "{\"job\":\"j\",\"x\":" + "[".repeat(600));
        assertThat(deep.status()).isEqualTo(400);
        assertThat(deep.string("detail")).contains("nesting depth").doesNotContain("Stream", "`");
        Answer missing = rest.get("/v1/history");
        assertThat(missing.string("detail")).isEqualTo("address is missing");
        assertThat(missing.json().at("/errors/0/field").asString()).isEqualTo("address");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "address,job;239.192.0.1,j,x|line 2 is no CSV",
                "address,job;'239.192.0.1'x,j|line 2 is no CSV",
                "address,job,job;239.192.0.1,j,k|line 1 names a column twice"
            },
            quoteCharacter = '~')
    void whatIsNoTableIsToldByItsLine(String table, String detail) {
        Answer answer =
                rest.post(
                        "/v1/import",
                        table.replace(";", "\n").replace('\'', '"'),
                        "Content-Type",
                        "text/csv");
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.string("detail")).startsWith(detail).doesNotContain("Exception", "null");
    }

    /** Times that Java can tell and the database cannot hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+1000000000-12-31T23:59:59Z",
                "+300000-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z"
            })
    void timesBeyondAllCalendarsAreTheFirstOrTheLast(String time) {
        String encoded = URLEncoder.encode(time, StandardCharsets.UTF_8);
        for (String path :
                List.of(
                        "/v1/audit?from=" + encoded,
                        "/v1/audit?to=" + encoded,
                        "/v1/audit?group=239.192.0.1&at=" + encoded,
                        "/v1/history?address=239.192.0.1&from=" + encoded)) {
            assertThat(rest.get(path).status()).as(path).isEqualTo(200);
        }
        String name = "t" + UUID.randomUUID();
        Answer token =
                rest.post(
                        "/v1/tokens",
                        "{\"name\":\"%s\",\"role\":\"viewer\",\"expiresAt\":\"%s\"}"
                                .formatted(name, time));
        assertThat(token.status()).as(token.text()).isEqualTo(time.startsWith("-") ? 400 : 201);
        if (token.status() == 201) {
            assertThat(token.text()).contains("9999-12-31T23:59:59Z");
            assertThat(rest.get("/v1/tokens").text()).contains("9999-12-31T23:59:59Z");
            assertThat(rest.delete("/v1/tokens/" + name).status()).isEqualTo(204);
        }
    }

    /** What the server does not do is no failure of the service's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT /v1/leases HTTP/1.1|Content-Length: 0",
                "POST /v1/leases HTTP/1.1|Transfer-Encoding: gzip"
            })
    void whatTheServerDoesNotDoIsNoFailure(String request) throws IOException {
        URI origin = URI.create(rest.origin());
        try (Socket socket = new Socket(origin.getHost(), origin.getPort())) {
            String sent = request.replace("|", "\r\nHost: x\r\nConnection: close\r\n") + "\r\n\r\n";
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 501")
                    .contains("application/problem+json", "problem:method-not-allowed")
                    .doesNotContain("internal-error", "log");
        }
    }

    @Test
    void largeBodiesAreRefusedBeforeTheyAreParsed() {
        Answer answer = rest.post("/v1/leases", "[".repeat(300_000));
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.problem()).isEqualTo("body-too-large");
        assertThat(rest.post("/v1/leases", "[".repeat(100_000)).status()).isEqualTo(400);
        assertThat(rest.post("/%761/leases", "[".repeat(300_000)).status()).isEqualTo(413);
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
