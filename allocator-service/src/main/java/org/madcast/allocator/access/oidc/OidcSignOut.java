package org.madcast.allocator.access.oidc;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.AccessRules;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.stereotype.Component;

/**
 * Signs people out at the provider (OpenID Connect RP-Initiated Logout), by Spring Security's
 * client. From any thread.
 */
@Component
class OidcSignOut {

    private static final String END_SESSION = "end_session_endpoint";

    private final OidcProperties settings;
    private final Provider provider;

    OidcSignOut(OidcProperties settings, Provider provider) {
        this.settings = settings;
        this.provider = provider;
    }

    /**
     * Where a browser ends its person's session at the provider, which then sends it to the sign-in
     * page. Empty when the provider has no such address or does not answer, when this was no
     * sign-in there, or its ID token was not kept: it is not ended then.
     *
     * @param session what the browser showed until now
     * @param idToken what the provider said of the person
     */
    Optional<String> atProvider(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable String session,
            @Nullable String idToken) {
        if (!settings.offersSignIn()
                || !settings.signOutAtProvider()
                || session == null
                || !session.startsWith(Seals.PREFIX)
                || idToken == null
                || idToken.isEmpty()) {
            return Optional.empty();
        }
        try {
            ClientRegistration client = provider.known().client();
            return client.getProviderDetails().getConfigurationMetadata().get(END_SESSION) == null
                    ? Optional.empty()
                    : Optional.of(address(request, response, client, idToken));
        } catch (ProviderAwayException away) {
            return Optional.empty();
        }
    }

    private String address(
            HttpServletRequest request,
            HttpServletResponse response,
            ClientRegistration client,
            String idToken) {
        AtomicReference<String> address = new AtomicReference<>(AccessRules.SIGN_IN);
        OidcClientInitiatedLogoutSuccessHandler handler =
                new OidcClientInitiatedLogoutSuccessHandler(_ -> client);
        handler.setPostLogoutRedirectUri(back());
        handler.setRedirectStrategy((_, _, url) -> address.set(url));
        OidcIdToken hint =
                new OidcIdToken(
                        idToken, null, null, Map.of(JwtClaimNames.SUB, Provider.REGISTRATION));
        try {
            handler.onLogoutSuccess(
                    request,
                    response,
                    new OAuth2AuthenticationToken(
                            new DefaultOidcUser(List.of(), hint),
                            List.of(),
                            Provider.REGISTRATION));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (ServletException failed) {
            throw new IllegalStateException(failed);
        }
        return Objects.requireNonNull(address.get());
    }

    /** The sign-in page, at the address by which the provider sends browsers back. */
    private String back() {
        String done = settings.redirectUri();
        return done != null && done.endsWith(OidcSignIn.DONE)
                ? done.substring(0, done.length() - OidcSignIn.DONE.length()) + AccessRules.SIGN_IN
                : "{baseUrl}" + AccessRules.SIGN_IN;
    }
}
