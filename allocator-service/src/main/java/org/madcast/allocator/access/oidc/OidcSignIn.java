package org.madcast.allocator.access.oidc;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.AccessRules;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.store.StoreClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginAuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.core.user.OAuth2User;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;

/**
 * The sign-in at the provider: authorization code with PKCE, by Spring Security's client. What has
 * to be known when the browser comes back is in a sealed cookie, so any replica can go on. From any
 * thread.
 */
@Component
class OidcSignIn {

    /** Where browsers are sent to the provider from. */
    public static final String START = AccessRules.SIGN_IN + "/oidc";

    /** Where it sends them back to. */
    public static final String DONE = START + "/done";

    /** How long a person may take at the provider. */
    public static final Duration UNDER_WAY = Duration.ofMinutes(15);

    private static final Logger LOG = LoggerFactory.getLogger(OidcSignIn.class);
    private static final String PURPOSE = "oidc sign-in";
    private static final Set<String> REASONS =
            Set.of(
                    OAuth2ErrorCodes.ACCESS_DENIED,
                    OAuth2ErrorCodes.INVALID_CLIENT,
                    OAuth2ErrorCodes.INVALID_GRANT,
                    OAuth2ErrorCodes.INVALID_SCOPE,
                    "invalid_state_parameter",
                    "invalid_nonce",
                    "invalid_id_token");
    private static final String TO = "to";
    private static final String REDIRECT = "redirect";

    private final OidcProperties settings;
    private final Provider provider;
    private final OidcPeople people;
    private final Seals seals;
    private final StoreClock clock;

    OidcSignIn(
            OidcProperties settings,
            Provider provider,
            OidcPeople people,
            Seals seals,
            StoreClock clock) {
        this.settings = settings;
        this.provider = provider;
        this.people = people;
        this.seals = seals;
        this.clock = clock;
    }

    /**
     * A browser to be sent to the provider.
     *
     * @param uri where
     * @param cookie what it keeps meanwhile
     */
    public record Started(String uri, String cookie) {}

    /** What came of it. */
    public sealed interface Finished {

        /**
         * A person signed in.
         *
         * @param person who; the role {@code none} if no claim gives one
         * @param session what the browser shows from now on
         * @param idToken what the provider said of the person, which it wants to see again when
         *     that person signs out
         * @param to the page that it came from
         */
        record SignedIn(Caller person, String session, @Nullable String idToken, String to)
                implements Finished {}

        /** The sign-in failed; the word is the reason, such as {@code access_denied}. */
        record Refused(String reason) implements Finished {}
    }

    /** Whether it can be offered. */
    public boolean isOffered() {
        return settings.offersSignIn();
    }

    /** How long what {@link Finished.SignedIn} has is good. */
    public Duration session() {
        return settings.session();
    }

    /**
     * Begins.
     *
     * @param to the page to show at the end
     */
    public Started start(HttpServletRequest request, String to) throws ProviderAwayException {
        ClientRegistration client = provider.known().client();
        OAuth2AuthorizationRequest asked =
                Objects.requireNonNull(
                        new DefaultOAuth2AuthorizationRequestResolver(_ -> client)
                                .resolve(request, Provider.REGISTRATION));
        Map<String, String> kept = new HashMap<>();
        kept.put(TO, to);
        kept.put(OAuth2ParameterNames.STATE, asked.getState());
        kept.put(REDIRECT, asked.getRedirectUri());
        for (String name : List.of(OidcParameterNames.NONCE, PkceParameterNames.CODE_VERIFIER)) {
            kept.put(name, Objects.requireNonNull(asked.<String>getAttribute(name)));
        }
        return new Started(
                asked.getAuthorizationRequestUri(),
                seals.seal(PURPOSE, kept, clock.now().plus(UNDER_WAY)));
    }

    /**
     * Ends it, when the browser is back.
     *
     * @param cookie what {@link #start} gave it, if it still has that
     */
    public Finished finish(HttpServletRequest request, @Nullable String cookie)
            throws ProviderAwayException {
        Seals.Opened kept = cookie == null ? null : seals.open(PURPOSE, cookie);
        if (kept == null || clock.now().isAfter(kept.until())) {
            return new Finished.Refused("sign-in-over");
        }
        Provider.Known known = provider.known();
        OAuth2AuthorizationExchange exchange =
                new OAuth2AuthorizationExchange(
                        asked(known.client(), kept), answered(request, kept));
        try {
            Authentication done =
                    Objects.requireNonNull(
                            client(known)
                                    .authenticate(
                                            new OAuth2LoginAuthenticationToken(
                                                    known.client(), exchange)));
            OAuth2User user = (OAuth2User) Objects.requireNonNull(done.getPrincipal());
            Map<String, Object> claims = user.getAttributes();
            Caller person = Claims.caller(claims, settings);
            return new Finished.SignedIn(
                    person,
                    people.session(person),
                    user instanceof OidcUser told ? told.getIdToken().getTokenValue() : null,
                    kept.field(TO));
        } catch (AuthenticationException refused) {
            if (refused.getCause() instanceof RestClientException away
                    && !(away instanceof RestClientResponseException)) {
                throw provider.away(away);
            }
            LOG.info(
                    "A sign-in at {} failed: {}",
                    settings.issuer(),
                    // Parts of it come from the browser.
                    String.valueOf(refused.getMessage()).replaceAll("\\p{Cntrl}", " "));
            return new Finished.Refused(reason(refused));
        }
    }

    /** The word of the standard, if it is one that people can do something about. */
    private static String reason(AuthenticationException refused) {
        String code =
                refused instanceof OAuth2AuthenticationException oauth
                        ? oauth.getError().getErrorCode()
                        : "";
        return REASONS.contains(code) ? code : "refused";
    }

    private static OAuth2AuthorizationRequest asked(ClientRegistration client, Seals.Opened kept) {
        String nonce = kept.field(OidcParameterNames.NONCE);
        return OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri(
                        Objects.requireNonNull(client.getProviderDetails().getAuthorizationUri()))
                .clientId(client.getClientId())
                .redirectUri(kept.field(REDIRECT))
                .scopes(client.getScopes())
                .state(kept.field(OAuth2ParameterNames.STATE))
                .attributes(
                        Map.of(
                                OAuth2ParameterNames.REGISTRATION_ID,
                                Provider.REGISTRATION,
                                OidcParameterNames.NONCE,
                                nonce,
                                PkceParameterNames.CODE_VERIFIER,
                                kept.field(PkceParameterNames.CODE_VERIFIER)))
                .build();
    }

    private static OAuth2AuthorizationResponse answered(
            HttpServletRequest request, Seals.Opened kept) {
        String code = request.getParameter(OAuth2ParameterNames.CODE);
        String error = request.getParameter(OAuth2ParameterNames.ERROR);
        OAuth2AuthorizationResponse.Builder answer =
                code != null && !code.isEmpty()
                        ? OAuth2AuthorizationResponse.success(code)
                        : OAuth2AuthorizationResponse.error(
                                error == null || error.isEmpty() ? "no-code" : error);
        String state = request.getParameter(OAuth2ParameterNames.STATE);
        return answer.redirectUri(kept.field(REDIRECT)).state(state == null ? "" : state).build();
    }

    private static OidcAuthorizationCodeAuthenticationProvider client(Provider.Known known) {
        DefaultOAuth2UserService users = new DefaultOAuth2UserService();
        users.setRestOperations(known.http());
        OidcUserService people = new OidcUserService();
        people.setOauth2UserService(users);
        RestClientAuthorizationCodeTokenResponseClient codes =
                new RestClientAuthorizationCodeTokenResponseClient();
        codes.setRestClient(
                RestClient.builder()
                        .requestFactory(known.http().getRequestFactory())
                        .configureMessageConverters(it ->
                                it.registerDefaults()
                                        .addCustomConverter(
                                                new OAuth2AccessTokenResponseHttpMessageConverter())
                                        .addCustomConverter(new FormHttpMessageConverter()))
                        .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                        .build());
        OidcAuthorizationCodeAuthenticationProvider client =
                new OidcAuthorizationCodeAuthenticationProvider(codes, people);
        client.setJwtDecoderFactory(it ->
                Provider.decoder(
                        Objects.requireNonNull(it.getProviderDetails().getJwkSetUri()),
                        known.http(),
                        List.of(new OidcIdTokenValidator(it))));
        return client;
    }
}
