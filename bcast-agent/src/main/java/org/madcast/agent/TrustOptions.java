package org.madcast.agent;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ServiceTrust;
import picocli.CommandLine.Option;

/** Whose certificates are trusted; shared by the commands that use the service. */
public final class TrustOptions {

    /** The files are the process's: all of its requests trust the same. */
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "Certificates in PEM of the authorities to trust when the service's address"
                            + " begins with https:// (default $MADCAST_CA, else Java's).")
    void trust(@Nullable Path file) {
        if (file != null) {
            System.setProperty(ServiceTrust.CA, file.toAbsolutePath().toString());
        }
    }

    /** What other processes need in their environment to trust the same. */
    public static Map<String, String> variables() {
        String file = System.getProperty(ServiceTrust.CA);
        return file == null ? Map.of() : Map.of("MADCAST_CA", file);
    }
}
