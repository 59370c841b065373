package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** The forms by which operators manage: who sees them, what they do, what they refuse. */
class ManagePagesTest {

    private static final String OPERATOR = "an-operator-of-the-test";
    private static final String VIEWER = "a-viewer-of-the-test";
    private static final String JOB = "a-job-of-the-test-only";
    private static final String PERSON = "text/html,*/*;q=0.8";
    private static RunningService service;
    private static Rest rest;

    @BeforeAll
    static void start() {
        service =
                RunningService.replica(
                        "--madcast.access.from-loopback=none",
                        "--madcast.access.operator-token=" + OPERATOR,
                        "--madcast.access.viewer-token=" + VIEWER,
                        "--madcast.access.job-token=" + JOB);
        rest = service.rest();
    }

    @AfterAll
    static void end() {
        service.close();
    }

    private static Answer page(String path, String token) {
        return rest.get(path, "Cookie", "madcast-token=" + token, "Accept", PERSON);
    }

    private static Answer send(String path, String token, String... fields) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append(body.isEmpty() ? "" : "&")
                    .append(fields[i])
                    .append('=')
                    .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return rest.post(
                path,
                body.toString(),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Cookie",
                "madcast-token=" + token,
                "Accept",
                PERSON);
    }

    private static String proof(String token) {
        Matcher found =
                Pattern.compile("name=\"proof\" value=\"([0-9a-f]+)\"")
                        .matcher(page("/tokens", token).text());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String newName() {
        return "t-" + UUID.randomUUID();
    }

    @Test
    void aTokenIsMadeShownOnceAndRevoked() {
        String name = newName();
        Answer made =
                send("/tokens", OPERATOR, "proof", proof(OPERATOR), "name", name, "role", "viewer");
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        assertThat(made.response().headers().firstValue("Cache-Control")).contains("no-store");
        Matcher secret = Pattern.compile(">(madcast_[^<]+)<").matcher(made.text());
        assertThat(secret.find()).isTrue();
        String token = secret.group(1);
        assertThat(page("/leases", token).status()).isEqualTo(200);
        assertThat(page("/tokens", OPERATOR).text()).contains(name).doesNotContain(token);

        Answer revoked = send("/tokens/revoke", OPERATOR, "proof", proof(OPERATOR), "name", name);
        assertThat(revoked.status()).isBetween(302, 303);
        assertThat(page("/tokens", OPERATOR).text()).doesNotContain(name);
        assertThat(page("/leases", token).status()).isEqualTo(303);
    }

    @Test
    void whatIsWrongIsSaidBesideTheField() {
        String name = newName();
        String proof = proof(OPERATOR);
        Answer empty = send("/tokens", OPERATOR, "proof", proof, "name", " ", "role", "god");
        assertThat(empty.status()).isEqualTo(422);
        assertThat(empty.text())
                .contains("aria-describedby=\"name-error\"", "Name it, for example")
                .contains("Choose what its holder may do.");
        Answer hostile =
                send("/tokens", OPERATOR, "proof", proof, "name", "\"><script>x", "role", "job");
        assertThat(hostile.status()).isEqualTo(422);
        assertThat(hostile.text())
                .contains("A name begins with a letter or a digit")
                .contains("&lt;script&gt;x")
                .doesNotContain("<script>x");
        send("/tokens", OPERATOR, "proof", proof, "name", name, "role", "job");
        Answer again = send("/tokens", OPERATOR, "proof", proof, "name", name, "role", "job");
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("There is a token of this name.", "value=\"" + name);
    }

    @Test
    void aScopeIsMadeChangedAndRemoved() {
        String name = newName().substring(0, 20);
        String[] fields = {
            "proof",
            proof(OPERATOR),
            "name",
            name,
            "description",
            "<i>mine</i>",
            "ranges",
            "239.195.251.0/28\n239.195.252.1",
            "excluded",
            "239.195.251.3",
            "ports.first",
            "7000",
            "ports.last",
            "7010",
            "ports.step",
            "1",
            "ttl",
            "3",
            "sharing.segment",
            name,
            "quarantineSeconds",
            "0",
            "longestLeaseSeconds",
            "600",
            "picker",
            "sequential",
            "quota.groupsPerJob",
            "2"
        };
        Answer made = send("/scopes", OPERATOR, fields);
        assertThat(made.status()).as(made.text()).isBetween(302, 303);
        Answer scope = rest.get("/v1/scopes/" + name, "Authorization", "Bearer " + OPERATOR);
        assertThat(scope.json().path("capacity").asInt()).isEqualTo(16);
        assertThat(scope.json().path("ttl").asInt()).isEqualTo(3);
        assertThat(scope.json().at("/rules/quota/groupsPerJob").asInt()).isEqualTo(2);
        assertThat(page("/scopes", OPERATOR).text())
                .contains("/scopes/" + name + "/edit", "&lt;i&gt;mine");
        assertThat(page("/scopes/" + name + "/edit", OPERATOR).text())
                .contains("value=\"7010\"", "239.195.252.1", "value=\"&lt;i&gt;mine");

        fields[13] = "7020";
        Answer twice = send("/scopes", OPERATOR, fields);
        assertThat(twice.status()).isEqualTo(422);
        assertThat(twice.text()).contains("There is a scope of this name.");
        Answer changed = send("/scopes/" + name + "/edit", OPERATOR, fields);
        assertThat(changed.status()).as(changed.text()).isBetween(302, 303);
        assertThat(page("/scopes/" + name + "/edit", OPERATOR).text()).contains("value=\"7020\"");

        Answer lease =
                rest.post(
                        "/v1/leases",
                        "{\"job\":\"mine\",\"scope\":\"%s\",\"durationSeconds\":60}"
                                .formatted(name),
                        "Authorization",
                        "Bearer " + JOB);
        assertThat(lease.status()).as(lease.text()).isEqualTo(201);
        String removal = "/scopes/" + name + "/remove";
        Answer used = send(removal, OPERATOR, "proof", proof(OPERATOR));
        assertThat(used.status()).isEqualTo(422);
        assertThat(used.text()).contains("Not removed. Groups of it are leased");
        Answer released =
                rest.post(
                        "/leases/" + lease.string("id") + "/release",
                        "",
                        "HX-Request",
                        "true",
                        "Cookie",
                        "madcast-token=" + OPERATOR);
        assertThat(released.status()).as(released.text()).isEqualTo(200);
        Answer removed = send(removal, OPERATOR, "proof", proof(OPERATOR));
        assertThat(removed.status()).as(removed.text()).isBetween(302, 303);
        assertThat(rest.get("/v1/scopes/" + name, "Authorization", "Bearer " + VIEWER).status())
                .isEqualTo(404);
        assertThat(send(removal, OPERATOR, "proof", proof(OPERATOR)).status()).isEqualTo(404);
        assertThat(page("/scopes/" + name + "/edit", OPERATOR).status()).isEqualTo(404);
    }

    @Test
    void whatIsWrongWithAScopeIsSaidBesideTheField() {
        Answer wrong =
                send(
                        "/scopes",
                        OPERATOR,
                        "proof",
                        proof(OPERATOR),
                        "name",
                        "Not A Name",
                        "ranges",
                        "",
                        "ports.first",
                        "1",
                        "ports.last",
                        "70000",
                        "ports.step",
                        "x",
                        "ttl",
                        "256");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.text())
                .contains("A name begins with a letter or a digit")
                .contains("It must be a whole number.", "It must be less than or equal to 65535.")
                .contains("It must be less than or equal to 255.", "It must not be empty.")
                .contains("value=\"Not A Name\"");
        Answer ports =
                send(
                        "/scopes",
                        OPERATOR,
                        "proof",
                        proof(OPERATOR),
                        "name",
                        "x1",
                        "ranges",
                        "239.195.251.0/28",
                        "ports.first",
                        "9",
                        "ports.last",
                        "8");
        assertThat(ports.text()).contains("It must not be below ports.first.");
        Answer range =
                send(
                        "/scopes",
                        OPERATOR,
                        "proof",
                        proof(OPERATOR),
                        "name",
                        "x1",
                        "ranges",
                        "nonsense",
                        "ports.first",
                        "8",
                        "ports.last",
                        "9");
        assertThat(range.status()).isEqualTo(422);
        assertThat(range.text()).contains("nonsense</textarea>");
        Answer needed = send("/scopes/default/remove", OPERATOR, "proof", proof(OPERATOR));
        assertThat(needed.text()).contains("Jobs that name no scope lease from it.");
    }

    @Test
    void onlyOperatorsWithAPageChangeScopes() {
        String name = newName().substring(0, 20);
        for (String token : new String[] {VIEWER, JOB}) {
            assertThat(page("/scopes", token).text()).doesNotContain("/edit\"", "/scopes/new");
            assertThat(page("/scopes/default/edit", token).text())
                    .contains("with an operator's token")
                    .doesNotContain("<form class=\"edit\"");
            assertThat(send("/scopes", token, "name", name, "ranges", "239.195.253.1").status())
                    .isEqualTo(403);
        }
        for (String path :
                new String[] {"/scopes", "/scopes/default/edit", "/scopes/default/remove"}) {
            Answer refused = send(path, OPERATOR, "proof", "0", "name", name, "closed", "on");
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text()).contains("Nothing was changed");
        }
    }

    /** A viewer's own proof is no operator's; and no role but that of operators gets a form. */
    @Test
    void onlyOperatorsSeeAndSendForms() {
        for (String token : new String[] {VIEWER, JOB}) {
            assertThat(page("/tokens", token).status()).isEqualTo(403);
            assertThat(page("/", token).text()).doesNotContain("href=\"/tokens\"");
            assertThat(send("/tokens", token, "proof", "x", "name", "a", "role", "job").status())
                    .isEqualTo(403);
        }
        assertThat(page("/", OPERATOR).text()).contains("href=\"/tokens\"");
        Answer stranger = rest.get("/tokens", "Accept", PERSON);
        assertThat(stranger.status()).isEqualTo(303);
        assertThat(stranger.response().headers().firstValue("Location"))
                .contains("/sign-in?to=%2Ftokens");
    }

    /** Another site can make a browser send a form, but not with what only our pages know. */
    @Test
    void aFormWithoutThePagesProofChangesNothing() {
        String name = newName();
        for (String wrong : new String[] {"", "0".repeat(64)}) {
            Answer refused =
                    send("/tokens", OPERATOR, "proof", wrong, "name", name, "role", "operator");
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text()).contains("Nothing was changed").doesNotContain("madcast_");
        }
        // a token in a header is no browser that signed in
        Answer bearer =
                rest.post(
                        "/tokens",
                        "name=" + name + "&role=operator&proof=" + proof(OPERATOR),
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Authorization",
                        "Bearer " + OPERATOR);
        assertThat(bearer.status()).isEqualTo(403);
        assertThat(page("/tokens", OPERATOR).text()).doesNotContain(name);
    }
}
