package org.madcast.agent.service;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.TrustOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The service of those commands that work without one, too. */
public final class ServiceAccess {

    @Option(
            names = "--service",
            paramLabel = "URI",
            defaultValue = "${env:MADCAST_SERVICE}",
            description = "The allocation service (default $MADCAST_SERVICE, else none).")
    private @Nullable URI service;

    @Option(
            names = "--service-token",
            paramLabel = "TOKEN",
            defaultValue = "${env:MADCAST_TOKEN}",
            description = "Bearer token for the service (default $MADCAST_TOKEN).")
    private @Nullable String token;

    @Mixin private TrustOptions unusedButForItsOption = new TrustOptions();

    /** Where it is, or null. */
    public @Nullable URI uri() {
        return service == null || service.toString().isEmpty() ? null : service;
    }

    /** The bearer token for it, or null. */
    public @Nullable String token() {
        return token == null || token.isEmpty() ? null : token;
    }

    /** A client for it; empty without a service. */
    public Optional<ServiceClient> client() {
        return Optional.ofNullable(uri()).map(uri -> new ServiceClient(uri, token()));
    }
}
