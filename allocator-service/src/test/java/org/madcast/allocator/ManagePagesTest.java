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
