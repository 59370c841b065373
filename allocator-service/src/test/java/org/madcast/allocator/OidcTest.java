package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** People who sign in at a real provider, and the tokens that it issues. */
class OidcTest {

    private static final String OPERATOR = "the-operator-of-the-oidc-test";
    private static final String DONE = "/sign-in/oidc/done";
    private static final String PERSON = "text/html,*/*;q=0.8";

    private static int providerPort;
    private static RunningService service;
    private static RunningService replica;
    private static IdentityProvider provider;

    @BeforeAll
    static void start() throws IOException {
        providerPort = FreePort.tcp();
        service = service();
        replica = service();
        Answer away = service.rest().get("/sign-in/oidc", "Accept", PERSON);
        assertThat(away.status()).as("the provider is away").isEqualTo(503);
        assertThat(away.text()).contains("The provider " + issuer() + " does not answer");
        Answer undecided = shown(token(claims()));
        assertThat(undecided.problem()).isEqualTo("provider-unavailable");
        assertThat(undecided.response().headers().firstValue("Retry-After")).isPresent();
        provider = IdentityProvider.start(providerPort, at(service) + "/sign-in/oidc/done");
    }

    @AfterAll
    static void end() {
        provider.close();
        replica.close();
        service.close();
    }

    private static String issuer() {
        return IdentityProvider.issuer(providerPort);
    }

    private static String at(RunningService of) {
        return of.rest().origin();
    }

    private static RunningService service(String... more) {
        String[] settings = {
            "--madcast.access.from-loopback=none",
            "--madcast.access.operator-token=" + OPERATOR,
            "--madcast.access.oidc.issuer=" + issuer(),
            "--madcast.access.oidc.client-id=" + IdentityProvider.CLIENT,
            "--madcast.access.oidc.client-secret=" + IdentityProvider.SECRET,
            "--madcast.access.oidc.role-claim=realm_access.roles",
            "--madcast.access.oidc.roles.operator=hpc-admins",
            "--madcast.access.oidc.roles.job=slurm,cron"
        };
        return RunningService.replica(
                Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("0815")
                .audience(IdentityProvider.CLIENT)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .claim("preferred_username", "cron")
                .claim("realm_access", Map.of("roles", List.of("cron")));
    }

    private static String token(JWTClaimsSet.Builder claims) {
        return token(claims, IdentityProvider.key(), "JWT");
    }

    private static String token(JWTClaimsSet.Builder claims, RSAKey key, String type) {
        try {
            SignedJWT token =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.RS256)
                                    .keyID(key.getKeyID())
                                    .type(new JOSEObjectType(type))
                                    .build(),
                            claims.build());
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Answer shown(String token) {
        return service.rest().get("/v1/leases", "Authorization", "Bearer " + token);
    }

    private static void assertRefused(String what, String token) {
        Answer answer = shown(token);
        assertThat(answer.status()).as("%s: %s", what, answer.text()).isEqualTo(401);
        assertThat(answer.problem()).as(what).isEqualTo("token-needed");
    }

    private static Answer eventually(String token) throws InterruptedException {
        Answer answer = shown(token);
        // The provider came back just now.
        for (int i = 0; i < 300 && answer.status() == 503; i++) {
            Thread.sleep(100);
            answer = shown(token);
        }
        return answer;
    }

    @Test
    void tokensOfTheProviderAreAcceptedByTheirRoles() throws InterruptedException {
        Answer cron = eventually(token(claims()));
        assertThat(cron.status()).as(cron.text()).isEqualTo(200);
        String[] by = {"Authorization", "Bearer " + token(claims())};
        Answer lease = service.rest().post("/v1/leases", "{\"job\":\"c\"}", by);
        assertThat(lease.status()).as(lease.text()).isEqualTo(201);
        assertThat(service.rest().get("/v1/tokens", by).problem()).isEqualTo("role-needed");
        Answer audit =
                service.rest()
                        .get(
                                "/v1/audit?lease=" + lease.string("id"),
                                "Authorization",
                                "Bearer " + OPERATOR);
        assertThat(audit.text()).contains("\"oidc:cron\"");
        // What was made belongs to the person, whichever token is shown.
        String other = token(claims().subject("4711").claim("preferred_username", "cron"));
        Answer foreign =
                service.rest()
                        .delete(
                                "/v1/leases/" + lease.string("id"),
                                "Authorization",
                                "Bearer " + other,
                                OwnedThings.LEASE_SECRET,
                                lease.string("secret"));
        assertThat(foreign.problem()).isEqualTo("foreign-owner");
        Answer nobody = shown(token(claims().claim("realm_access", Map.of("roles", List.of("x")))));
        assertThat(nobody.problem()).isEqualTo("role-needed");
        assertThat(shown(token(claims(), IdentityProvider.key(), "at+jwt")).status())
                .isEqualTo(200);
    }

    @Test
    void otherTokensAreRefused() throws JOSEException, InterruptedException {
        assertThat(eventually(token(claims())).status()).isEqualTo(200);
        UnaryOperator<String> unsigned = it -> it.substring(0, it.lastIndexOf('.') + 1);
        assertRefused(
                "expired",
                token(claims().expirationTime(Date.from(Instant.now().minusSeconds(120)))));
        assertRefused("without an end", token(claims().expirationTime(null)));
        assertRefused("other issuer", token(claims().issuer("http://localhost:1")));
        assertRefused("other audience", token(claims().audience("another-service")));
        assertRefused("no audience", token(claims().audience((String) null)));
        assertRefused(
                "not valid yet",
                token(claims().notBeforeTime(Date.from(Instant.now().plusSeconds(300)))));
        assertRefused("alg none", new PlainJWT(claims().build()).serialize());
        assertRefused("no signature", unsigned.apply(token(claims())));
        assertRefused("wrong key", token(claims(), IdentityProvider.newKey(), "JWT"));
        RSAKey sameName =
                new RSAKey.Builder(IdentityProvider.newKey())
                        .keyID(IdentityProvider.key().getKeyID())
                        .build();
        assertRefused("wrong key of the right name", token(claims(), sameName, "JWT"));
        assertRefused("a notice of a sign-out", token(claims(), sameName, "logout+jwt"));
        SignedJWT mac = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims().build());
        mac.sign(new MACSigner(IdentityProvider.key().toRSAPublicKey().getEncoded()));
        assertRefused("the public key as a secret", mac.serialize());
        assertRefused("no JSON", "eyJhbGciOiJub25lIn0.e30.");
        assertRefused("no token", "eyJ");
        assertRefused("a cookie of nobody", "oidc.e30.AAAA");
    }

    @Test
    void theProvidersKeysMayChange() throws InterruptedException {
        String old = token(claims());
        assertThat(eventually(old).status()).isEqualTo(200);
        IdentityProvider.rotateKey();
        assertThat(eventually(token(claims())).status()).isEqualTo(200);
        assertRefused("by a key that is gone", old);
    }

    /** A person's browser, as far as the provider and the service can tell. */
    private static final class Person {

        private final HttpClient http =
                HttpClient.newBuilder()
                        .cookieHandler(new CookieManager())
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();

        HttpResponse<String> get(String url) {
            return send(HttpRequest.newBuilder(URI.create(url)));
        }

        private HttpResponse<String> send(HttpRequest.Builder request) {
            try {
                return http.send(request.header("Accept", PERSON).build(), BodyHandlers.ofString());
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        }

        /** Begins at the service, and comes back from the provider with this address. */
        String returning(String name) throws InterruptedException {
            HttpResponse<String> started = get(at(service) + "/sign-in/oidc?to=/leases");
            for (int i = 0; i < 300 && started.statusCode() == 503; i++) {
                Thread.sleep(100);
                started = get(at(service) + "/sign-in/oidc?to=/leases");
            }
            String authorize = location(started);
            assertThat(authorize)
                    .startsWith(issuer())
                    .contains("code_challenge_method=S256", "nonce=", "state=");
            String login = location(get(authorize));
            Matcher csrf =
                    Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"")
                            .matcher(get(login).body());
            assertThat(csrf.find()).isTrue();
            HttpResponse<String> in =
                    send(
                            HttpRequest.newBuilder(URI.create(login))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    "username=%s&password=%s&_csrf=%s"
                                                            .formatted(
                                                                    name,
                                                                    IdentityProvider.PASSWORD,
                                                                    URLEncoder.encode(
                                                                            csrf.group(1),
                                                                            StandardCharsets
                                                                                    .UTF_8)))));
            return location(get(location(in)));
        }

        /** Where the provider sends a browser that begins to sign in. */
        String atProvider() {
            return location(get(location(get(at(service) + "/sign-in/oidc"))));
        }

        HttpResponse<String> signOut(String from) {
            return send(
                    HttpRequest.newBuilder(URI.create(from + "/sign-out"))
                            .POST(HttpRequest.BodyPublishers.noBody()));
        }

        private static String location(HttpResponse<String> answer) {
            return answer.uri()
                    .resolve(
                            answer.headers()
                                    .firstValue("Location")
                                    .orElseThrow(() -> new AssertionError(answer + answer.body())))
                    .toString();
        }
    }

    @Test
    void aBrowserSignsInAndOut() throws InterruptedException {
        assumeTrue(Browser.program().isPresent(), "no chromium");
        assertThat(eventually(token(claims())).status()).isEqualTo(200);
        try (Browser browser = Browser.start()) {
            Page page = browser.desktop(ColorScheme.LIGHT);
            page.navigate(at(service) + "/tokens");
            Browser.assertAccessible(page, "sign-in-provider");
            page.getByText("Sign in at your organization").click();
            page.locator("input[name=username]").fill("ada");
            page.locator("input[name=password]").fill(IdentityProvider.PASSWORD);
            page.locator("button[type=submit]").click();
            page.waitForURL(at(service) + "/tokens");
            assertThat(page.locator("form.who").textContent()).contains("oidc:ada");
            page.locator("#name").fill("by-ada");
            page.locator("#name").press("Enter");
            page.getByText("by-ada").first().waitFor();
            page.getByText("Sign out").click();
            page.waitForURL(at(service) + "/sign-in");
            browser.forgive("favicon");
        }
        String[] by = {"Authorization", "Bearer " + OPERATOR};
        assertThat(service.rest().get("/v1/audit?what=sign-in", by).text()).contains("oidc:ada");
        assertThat(service.rest().get("/v1/tokens", by).text())
                .contains("\"by-ada\"", "\"madeBy\":\"oidc:ada\"");
        service.rest().delete("/v1/tokens/by-ada", by);
    }

    @Test
    void anyReplicaEndsASignInOnce() throws InterruptedException {
        Person ada = new Person();
        String back = ada.returning("ada");
        assertThat(back).startsWith(at(service) + "/sign-in/oidc/done");
        // Another browser has no part of it.
        assertThat(new Person().get(back).statusCode()).isEqualTo(401);
        HttpResponse<String> wrongState = ada.get(back.replaceAll("state=[^&]+", "state=x"));
        assertThat(wrongState.statusCode()).isEqualTo(401);
        assertThat(wrongState.body()).contains("invalid_state_parameter");

        Person again = new Person();
        String done = again.returning("ada").replace(at(service), at(replica));
        HttpResponse<String> in = again.get(done);
        assertThat(in.statusCode()).as(in.body()).isEqualTo(200);
        assertThat(in.body()).contains("0;url=/leases");
        List<String> cookies = in.headers().allValues("Set-Cookie");
        assertThat(cookies)
                .anyMatch(it ->
                        it.startsWith("madcast-token=oidc.")
                                && it.contains("HttpOnly")
                                && it.contains("SameSite=Strict"));
        assertThat(again.get(at(service) + "/tokens").statusCode()).isEqualTo(200);
        assertThat(again.get(done).statusCode()).as("a second time").isEqualTo(401);
    }

    /** Else the next one at that browser would be signed in by one click. */
    @Test
    void whoSignsOutIsSignedOutAtTheProvider() throws InterruptedException {
        Person ada = new Person();
        assertThat(ada.get(ada.returning("ada")).statusCode()).isEqualTo(200);
        assertThat(ada.atProvider()).as("signed in there").startsWith(at(service) + DONE);
        HttpResponse<String> out = ada.signOut(at(service));
        assertThat(out.headers().allValues("Set-Cookie"))
                .anyMatch(it -> it.startsWith("madcast-token=;"))
                .anyMatch(
                        it -> it.startsWith("madcast-id-token=;") && it.contains("Path=/sign-out"));
        Matcher end = Pattern.compile("content=\"0;url=([^\"]+)\"").matcher(out.body());
        assertThat(end.find()).as(out.body()).isTrue();
        HttpResponse<String> ended = ada.get(end.group(1).replace("&amp;", "&"));
        assertThat(Person.location(ended)).isEqualTo(at(service) + "/sign-in");
        assertThat(ada.atProvider()).as("signed out there").contains("/login");
        assertThat(ada.get(at(service) + "/leases").statusCode()).isEqualTo(303);
    }

    @Test
    void whoSignsOutIsSignedOutHereInAnyCase() throws InterruptedException {
        Person ada = new Person();
        assertThat(ada.get(ada.returning("ada")).statusCode()).isEqualTo(200);
        try (RunningService stays = service("--madcast.access.oidc.sign-out-at-provider=false")) {
            HttpResponse<String> out = ada.signOut(at(stays));
            assertThat(Person.location(out)).isEqualTo(at(stays) + "/");
        }
        assertThat(ada.get(at(service) + "/leases").statusCode()).isEqualTo(303);
        assertThat(ada.atProvider()).as("still signed in there").startsWith(at(service) + DONE);
        // With a token there is no provider to ask.
        HttpResponse<String> out = new Person().signOut(at(service));
        assertThat(Person.location(out)).isEqualTo(at(service) + "/");
    }

    @Test
    void aPersonWithoutARoleIsTold() throws InterruptedException {
        Person bob = new Person();
        HttpResponse<String> refused = bob.get(bob.returning("bob"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("knows you as bob");
        assertThat(bob.get(at(service) + "/leases").statusCode()).isEqualTo(303);
    }

    /** Whoever changes what a browser keeps has changed it for nothing. */
    @Test
    void aSignInCannotBeChanged() throws InterruptedException {
        Person ada = new Person();
        HttpResponse<String> in = ada.get(ada.returning("ada"));
        String cookie =
                in.headers().allValues("Set-Cookie").stream()
                        .filter(it -> it.startsWith("madcast-token="))
                        .findFirst()
                        .orElseThrow()
                        .replaceFirst("madcast-token=([^;]+).*", "$1");
        assertThat(signedIn(cookie)).isEqualTo(200);
        String[] parts = cookie.split("\\.", -1);
        String fields =
                new String(
                        java.util.Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        assertThat(fields).contains("\"role\":\"operator\"").doesNotContain(OPERATOR);
        String later =
                java.util.Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(
                                fields.replace("\"until\":\"2", "\"until\":\"3")
                                        .getBytes(StandardCharsets.UTF_8));
        assertThat(signedIn("oidc." + later + "." + parts[2])).isEqualTo(303);
        assertThat(signedIn("oidc." + parts[1] + ".")).isEqualTo(303);
    }

    private static int signedIn(String cookie) {
        return service.rest()
                .get("/leases", "Cookie", "madcast-token=" + cookie, "Accept", PERSON)
                .status();
    }
}
