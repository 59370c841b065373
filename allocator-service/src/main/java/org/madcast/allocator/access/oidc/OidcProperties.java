package org.madcast.allocator.access.oidc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Role;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The OpenID Connect provider at which people sign in, and whose tokens (JWT) are accepted on REST.
 *
 * @param issuer the provider's URL, below which it has {@code .well-known/openid-configuration};
 *     without one no person signs in there
 * @param clientId the name that the service has at the provider; without one the dashboard offers
 *     no sign-in there
 * @param clientSecret the secret of that name; without one the service is a public client, which
 *     PKCE alone protects
 * @param audiences tokens for one of these are accepted; without any, for the client id
 * @param scopes what the sign-in asks the provider for
 * @param nameClaim the claim with a person's name
 * @param roleClaim the claim with a person's roles or groups; {@code a.b} is the claim {@code b}
 *     within {@code a}
 * @param roles which values of that claim give which role: lists below {@code viewer}, {@code job}
 *     and {@code operator}; without any, the values are these words
 * @param redirectUri where the provider sends browsers back to; without one, {@code
 *     /sign-in/oidc/done} at the address by which the browser came
 * @param session how long a sign-in lasts
 * @param signOutAtProvider whether a sign-out also signs out at the provider, where that has an
 *     address for it
 */
@ConfigurationProperties("madcast.access.oidc")
public record OidcProperties(
        @Nullable String issuer,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @DefaultValue List<String> audiences,
        @DefaultValue({"openid", "profile"}) List<String> scopes,
        @DefaultValue("preferred_username") String nameClaim,
        @DefaultValue("roles") String roleClaim,
        @DefaultValue Map<Role, List<String>> roles,
        @Nullable String redirectUri,
        @DefaultValue("12h") Duration session,
        @DefaultValue("true") boolean signOutAtProvider) {

    /** Refuses a provider whose tokens could be for any service. */
    public OidcProperties {
        issuer = orNull(issuer);
        clientId = orNull(clientId);
        clientSecret = orNull(clientSecret);
        redirectUri = orNull(redirectUri);
        if (audiences.isEmpty() && clientId != null) {
            audiences = List.of(clientId);
        }
        if (issuer != null && audiences.isEmpty()) {
            throw new IllegalArgumentException(
                    "madcast.access.oidc.issuer needs madcast.access.oidc.client-id, or audiences");
        }
        if (roles.isEmpty()) {
            roles =
                    Map.of(
                            Role.VIEWER,
                            List.of(Role.VIEWER.word()),
                            Role.JOB,
                            List.of(Role.JOB.word()),
                            Role.OPERATOR,
                            List.of(Role.OPERATOR.word()));
        }
    }

    private static @Nullable String orNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    /** Whether tokens of a provider are accepted. */
    public boolean isOn() {
        return issuer != null;
    }

    /** Whether the dashboard offers the sign-in. */
    public boolean offersSignIn() {
        return issuer != null && clientId != null;
    }
}
