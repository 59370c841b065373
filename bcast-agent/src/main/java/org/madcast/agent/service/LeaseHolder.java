package org.madcast.agent.service;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** A lease and the secret that proves that one holds it. */
final class LeaseHolder {

    @Parameters(
            index = "0",
            paramLabel = "ID",
            converter = IdConverter.class,
            description = "The lease's id.")
    private @Nullable UUID id;

    @Option(
            names = "--secret",
            paramLabel = "SECRET",
            defaultValue = "${env:MADCAST_LEASE_SECRET}",
            description =
                    "The secret that the grant printed (default $MADCAST_LEASE_SECRET). Other users of"
                            + " this machine can see options, so prefer the variable.")
    private @Nullable String secret;

    /** Reads a lease's id. */
    static final class IdConverter implements ITypeConverter<UUID> {
        @Override
        public UUID convert(String text) {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "'" + text + "' is not a lease's id; 'madcast lease list' shows them");
            }
        }
    }

    String path() {
        return "/v1/leases/" + id;
    }

    Map<String, String> headers() {
        if (secret == null || secret.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "the lease's secret is missing; set MADCAST_LEASE_SECRET or use --secret");
        }
        return Map.of("Madcast-Lease-Secret", secret);
    }
}
