package org.madcast.allocator.access;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The roles of requests without a token, and tokens that were not made over REST, which have 20
 * characters at least.
 *
 * @param fromOwnUser the role of requests that bring no token and come from this machine, from a
 *     program of the user that runs the service, as Linux tells: {@code none}, {@code viewer},
 *     {@code job} or {@code operator}
 * @param fromLoopback the role of requests from this machine that bring no token, of all its users;
 *     also of all requests that come through a proxy on it that adds no header
 * @param fromElsewhere the role of requests from other machines that bring no token
 * @param operatorToken an operator's token; without one, the first start makes one and writes it to
 *     {@code operator-token} in the data directory
 * @param jobToken a token for jobs and agents
 * @param viewerToken a token with the role viewer
 * @param certificates which client certificates have which role: lists of subjects, such as {@code
 *     CN=ada,O=Example}, below {@code viewer}, {@code job} and {@code operator}
 */
@ConfigurationProperties("madcast.access")
public record AccessProperties(
        @DefaultValue("none") Role fromOwnUser,
        @DefaultValue("none") Role fromLoopback,
        @DefaultValue("none") Role fromElsewhere,
        @Nullable String operatorToken,
        @Nullable String jobToken,
        @Nullable String viewerToken,
        @DefaultValue Map<Role, List<String>> certificates) {

    private static final int SHORTEST = 20;

    /** Refuses tokens that can be guessed. */
    public AccessProperties {
        check("operator-token", operatorToken);
        check("job-token", jobToken);
        check("viewer-token", viewerToken);
    }

    private static void check(String setting, @Nullable String token) {
        if (token != null && !token.isEmpty() && token.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "madcast.access." + setting + " has less than " + SHORTEST + " characters");
        }
    }
}
