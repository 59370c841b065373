package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Who is let in, and who is not. */
class AccessTest {

    private static final String OPERATOR = "an-operator-of-this-test";

    private static RunningService strict;
    private static Rest rest;

    @BeforeAll
    static void startOneThatLetsNobodyIn() {
        strict =
                RunningService.replica(
                        "--madcast.access.from-loopback=none",
                        "--madcast.access.operator-token=" + OPERATOR);
        rest = strict.rest();
    }

    @AfterAll
    static void end() {
        strict.close();
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static String make(String name, String role) {
        Rest.Answer made =
                rest.post(
                        "/v1/tokens",
                        "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role),
                        bearer(OPERATOR));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.response().headers().firstValue("Cache-Control")).contains("no-store");
        return made.string("token");
    }

    private static String grant() {
        return "{\"job\":\"%s\"}".formatted(RunningService.newJob());
    }

    @Test
    void withoutATokenOnlyHealthAndMetricsAnswer() {
        assertThat(rest.get("/actuator/health").status()).isEqualTo(200);
        assertThat(rest.get("/actuator/prometheus").status()).isEqualTo(200);
        for (String path : new String[] {"/v1/leases", "/v1/scopes", "/v1/openapi", "/events"}) {
            Rest.Answer refused = rest.get(path);
            assertThat(refused.status()).as(path).isEqualTo(401);
            assertThat(refused.problem()).isEqualTo("token-needed");
            assertThat(refused.response().headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer realm=\"madcast\"");
        }
        // Both are answered before the framework when they are plain.
        assertThat(rest.post("/v1/leases", grant()).status()).isEqualTo(401);
        assertThat(rest.post("/v1/reports", "{}").status()).isEqualTo(401);
    }

    @Test
    void aRoleMayWhatItIsForAndNoMore() {
        String viewer = make("looks", "viewer");
        String job = make("slurm", "job");
        assertThat(rest.get("/v1/leases", bearer(viewer)).status()).isEqualTo(200);
        Rest.Answer refused = rest.post("/v1/leases", grant(), bearer(viewer));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem()).isEqualTo("role-needed");
        assertThat(refused.string("role")).isEqualTo("job");
        Rest.Answer granted = rest.post("/v1/leases", grant(), bearer(job));
        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.response().headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(rest.post("/v1/scopes/mine", "{}", bearer(job)).status()).isEqualTo(403);
        assertThat(rest.get("/v1/tokens", bearer(job)).status()).isEqualTo(403);
        assertThat(rest.post("/v1/scopes/mine", "{}", bearer(OPERATOR)).status()).isEqualTo(400);
    }

    @Test
    void aViewerIsNotToldWhatDatagramsCarry() {
        String job = make("meets", "job");
        Rest.Answer made =
                rest.post(
                        "/v1/communicators",
                        "{\"job\":\"%s\",\"name\":\"world\",\"size\":2}"
                                .formatted(RunningService.newJob()),
                        bearer(job));
        String path = "/v1/communicators/" + made.string("id");
        String token = made.string("token");
        assertThat(rest.get(path, bearer(job)).text()).contains(token);
        Rest.Answer seen = rest.get(path, bearer(make("curious", "viewer")));
        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.text()).contains("world").doesNotContain(token);
    }

    @Test
    void aPathCannotBeWrittenSoThatItNeedsLess() {
        String job = make("sly", "job");
        for (String path :
                new String[] {
                    "/v1/leases/../scopes/mine",
                    "/v1/leases/%2e%2e/scopes/mine",
                    "/v1/leases;/../scopes/mine",
                    "/v1//leases/../scopes/mine",
                    "/v1/%73copes/mine",
                    "/v1/leases%2f..%2fscopes/mine",
                }) {
            assertThat(rest.post(path, "{}", bearer(job)).status()).as(path).isIn(400, 403, 404);
        }
    }

    @Test
    void aRevokedTokenIsGoodNoMoreAlsoAtAnotherReplica() {
        try (RunningService other = RunningService.replica("--madcast.access.from-loopback=none")) {
            String token = make("short", "viewer");
            assertThat(rest.get("/v1/leases", bearer(token)).status()).isEqualTo(200);
            await().until(
                            () -> other.rest().get("/v1/leases", bearer(token)).status(),
                            it -> it == 200);
            assertThat(rest.delete("/v1/tokens/short", bearer(OPERATOR)).status()).isEqualTo(204);
            assertThat(rest.get("/v1/leases", bearer(token)).status()).isEqualTo(401);
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> other.rest().get("/v1/leases", bearer(token)).status(),
                            it -> it == 401);
        }
        Rest.Answer again = rest.delete("/v1/tokens/short", bearer(OPERATOR));
        assertThat(again.problem()).isEqualTo("no-such-token");
    }

    @Test
    void tokensAreListedButNotTold() {
        String token = make("listed", "job");
        Rest.Answer list = rest.get("/v1/tokens", bearer(OPERATOR));
        assertThat(list.text()).contains("listed").doesNotContain(token);
        Rest.Answer twice =
                rest.post("/v1/tokens", "{\"name\":\"listed\",\"role\":\"job\"}", bearer(OPERATOR));
        assertThat(twice.problem()).isEqualTo("token-exists");
        Rest.Answer wrong =
                rest.post("/v1/tokens", "{\"name\":\"x\",\"role\":\"king\"}", bearer(OPERATOR));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(
                        strict.jdbc()
                                .sql("select count(*) from access_token where hash = ?")
                                .param(token)
                                .query(Integer.class)
                                .single())
                .isZero();
    }

    @Test
    void aBrowserIsLedToWhereOneSignsInAndBack() {
        Rest.Answer led = rest.get("/leases?state=active", "Accept", "text/html");
        assertThat(led.status()).isEqualTo(303);
        assertThat(led.response().headers().firstValue("Location"))
                .contains("/sign-in?to=%2Fleases%3Fstate%3Dactive");
        assertThat(rest.get("/sign-in", "Accept", "text/html").text()).contains("Token");

        Rest.Answer signedIn = signIn(OPERATOR, "/leases?state=active");
        assertThat(signedIn.status()).isEqualTo(303);
        assertThat(signedIn.response().headers().firstValue("Location"))
                .contains("/leases?state=active");
        String cookie = signedIn.response().headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/");
        String shown = cookie.substring(0, cookie.indexOf(';'));
        Rest.Answer page = rest.get("/leases", "Cookie", shown, "Accept", "text/html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("Sign out");

        assertThat(signIn("wrong", "/leases").status()).isEqualTo(401);
        for (String elsewhere :
                new String[] {"https://evil.example/", "//evil.example", "/\\evil.example"}) {
            assertThat(signIn(OPERATOR, elsewhere).response().headers().firstValue("Location"))
                    .contains("/");
        }
    }

    private static Rest.Answer signIn(String token, String to) {
        return rest.form(
                "/sign-in",
                "token="
                        + token
                        + "&to="
                        + java.net.URLEncoder.encode(to, java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void fromThisMachineNobodyIsLetInUnlessThatIsAskedFor() {
        try (RunningService usual = RunningService.replica("--madcast.access.job-token=")) {
            assertThat(usual.rest().get("/v1/leases").status()).isEqualTo(401);
            assertThat(usual.rest().get("/actuator/health").status()).isEqualTo(200);
        }
    }

    @Test
    void whereThatIsAskedForAJobNeedsNoTokenUnlessItComesThroughAProxyOrAnotherSite() {
        for (String setting : new String[] {"from-loopback", "from-own-user"}) {
            try (RunningService open =
                    RunningService.replica("--madcast.access." + setting + "=job")) {
                Rest near = open.rest();
                assertThat(near.post("/v1/leases", grant()).status()).as(setting).isEqualTo(201);
                Rest.Answer refused = near.post("/v1/scopes/mine", "{}");
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.string("detail")).contains("operator");
                for (String header :
                        new String[] {"X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"}) {
                    assertThat(near.get("/v1/leases", header, "10.0.0.1").status())
                            .as(header)
                            .isEqualTo(401);
                }
                assertThat(near.get("/v1/leases", bearer("nobody's")).status()).isEqualTo(401);
            }
        }
    }

    /** As it is set behind a proxy; and everybody can write such a header. */
    @Test
    void anAddressThatAHeaderNamesIsNotThisMachines() {
        for (String strategy : new String[] {"native", "framework"}) {
            try (RunningService behind =
                    RunningService.replica(
                            "--madcast.access.from-loopback=job",
                            "--server.forward-headers-strategy=" + strategy)) {
                Rest rest = behind.rest();
                assertThat(rest.get("/v1/leases", "X-Forwarded-For", "127.0.0.1").status())
                        .as(strategy)
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void whatOperatorsChangeIsInTheLog() {
        Logger audit = (Logger) LoggerFactory.getLogger("org.madcast.allocator.audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        audit.addAppender(lines);
        try {
            make("audited", "viewer");
            rest.get("/v1/tokens", bearer(OPERATOR));
            rest.delete("/v1/leases/" + new UUID(0, 1) + "?%66orce=yes", bearer(OPERATOR));
        } finally {
            audit.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("configured-operator from 127.0.0.1: POST /v1/tokens: 201")
                .anyMatch(it ->
                        it.startsWith("configured-operator from 127.0.0.1: DELETE /v1/leases/")
                                && it.endsWith(": 404"))
                .noneMatch(it -> it.contains("GET"));
    }

    @Test
    void theFirstStartMakesAnOperatorsTokenThatOnlyItsOwnerCanRead() throws IOException {
        Path dataDir = RunningService.newDirectory("first-token");
        Path file = dataDir.resolve("operator-token");
        try (RunningService first =
                RunningService.on(dataDir, "--madcast.access.from-loopback=none")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            String token = Files.readString(file).strip();
            assertThat(first.rest().get("/v1/tokens", bearer(token)).text()).contains("first");
        }
        String kept = Files.readString(file);
        try (RunningService again =
                RunningService.on(dataDir, "--madcast.access.from-loopback=none")) {
            assertThat(again.rest().get("/v1/leases", bearer(kept.strip())).status())
                    .isEqualTo(200);
        }
        assertThat(Files.readString(file)).isEqualTo(kept);
        try (var files = Files.list(dataDir)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .noneMatch(it -> it.endsWith(".new"));
        }
    }
}
