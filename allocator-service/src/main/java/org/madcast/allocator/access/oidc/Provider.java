package org.madcast.allocator.access.oidc;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.RequestEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestTemplate;

/**
 * The provider, as it describes itself. It is asked when it is needed for the first time, so that
 * the service starts without it; one that does not answer is asked again after {@link #AGAIN}. From
 * any thread.
 */
@Component
class Provider {

    /** The name of the registration, which appears nowhere. */
    static final String REGISTRATION = "oidc";

    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration READ = Duration.ofSeconds(4);
    private static final Logger LOG = LoggerFactory.getLogger(Provider.class);
    private static final ParameterizedTypeReference<Map<String, Object>> DOCUMENT =
            new ParameterizedTypeReference<>() {};

    private final OidcProperties settings;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Known known;
    private @Nullable Failed failed;

    Provider(OidcProperties settings) {
        this.settings = settings;
    }

    /**
     * What is known of it.
     *
     * @param client the service at the provider
     * @param tokens reads tokens that are shown on REST
     * @param http asks the provider
     */
    record Known(ClientRegistration client, JwtDecoder tokens, RestTemplate http) {}

    private record Failed(ProviderAwayException why, long atNs) {}

    /** What is known of it; asks it unless that is known. */
    Known known() throws ProviderAwayException {
        Known before = known;
        if (before != null) {
            return before;
        }
        asking.lock();
        try {
            Known meanwhile = known;
            if (meanwhile != null) {
                return meanwhile;
            }
            if (failed != null && System.nanoTime() - failed.atNs() < AGAIN.toNanos()) {
                throw failed.why();
            }
            Known fresh = ask();
            known = fresh;
            failed = null;
            return fresh;
        } catch (RestClientException | IllegalArgumentException | IllegalStateException away) {
            ProviderAwayException why = away(away);
            failed = new Failed(why, System.nanoTime());
            LOG.warn("{} ({})", why.getMessage(), away.toString());
            throw why;
        } finally {
            asking.unlock();
        }
    }

    /** That it does not answer, for this reason. */
    ProviderAwayException away(Exception reason) {
        return new ProviderAwayException(
                "The provider "
                        + settings.issuer()
                        + " does not answer as it should; a token of the service works meanwhile.",
                reason);
    }

    private Known ask() {
        String issuer = Objects.requireNonNull(settings.issuer());
        RestTemplate http = http();
        Map<String, Object> document =
                http.exchange(
                                RequestEntity.get(
                                                issuer.replaceFirst("/$", "")
                                                        + "/.well-known/openid-configuration")
                                        .build(),
                                DOCUMENT)
                        .getBody();
        if (document == null || !issuer.equals(document.get("issuer"))) {
            throw new IllegalStateException(
                    "it names another issuer: " + (document == null ? "" : document.get("issuer")));
        }
        ClientRegistration.Builder client =
                ClientRegistrations.fromOidcConfiguration(document)
                        .registrationId(REGISTRATION)
                        .clientId(settings.clientId() == null ? REGISTRATION : settings.clientId())
                        .clientSecret(settings.clientSecret())
                        .scope(settings.scopes())
                        .userNameAttributeName(JwtClaimNames.SUB)
                        .redirectUri(
                                settings.redirectUri() == null
                                        ? "{baseUrl}" + OidcSignIn.DONE
                                        : settings.redirectUri())
                        .clientSettings(
                                ClientRegistration.ClientSettings.builder()
                                        .requireProofKey(true)
                                        .build());
        if (settings.clientSecret() == null) {
            client.clientAuthenticationMethod(ClientAuthenticationMethod.NONE);
        }
        ClientRegistration built = client.build();
        String keys = Objects.requireNonNull(built.getProviderDetails().getJwkSetUri());
        JwtDecoder tokens =
                decoder(
                        keys,
                        http,
                        List.of(
                                new JwtTypeValidator("JWT", "at+jwt"),
                                new JwtIssuerValidator(issuer),
                                new JwtClaimValidator<List<String>>(
                                        JwtClaimNames.AUD,
                                        it ->
                                                it != null
                                                        && it.stream()
                                                                .anyMatch(
                                                                        settings.audiences()
                                                                                ::contains))));
        return new Known(built, tokens, http);
    }

    /** Reads tokens that the provider's keys have signed, and whose time is not over. */
    static JwtDecoder decoder(
            String keys, RestTemplate http, List<OAuth2TokenValidator<Jwt>> validators) {
        NimbusJwtDecoder decoder =
                NimbusJwtDecoder.withJwkSetUri(keys)
                        .restOperations(http)
                        .validateType(false)
                        // All that two keys are needed for: with one the service could sign, too.
                        .jwsAlgorithms(it -> it.addAll(Set.of(SignatureAlgorithm.values())))
                        .build();
        List<OAuth2TokenValidator<Jwt>> all = new ArrayList<>(validators);
        all.add(new JwtTimestampValidator());
        all.add(new JwtClaimValidator<Object>(JwtClaimNames.EXP, Objects::nonNull));
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(all));
        return decoder;
    }

    private static RestTemplate http() {
        JdkClientHttpRequestFactory requests =
                new JdkClientHttpRequestFactory(
                        HttpClient.newBuilder().connectTimeout(CONNECT).build());
        requests.setReadTimeout(READ);
        return new RestTemplate(requests);
    }
}
