package org.madcast.agent.service;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The token that a service's first start leaves for its operator, on the machine where it runs: a
 * user that can read the file may use it without naming it.
 */
final class OperatorToken {

    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String FILE = "operator-token";
    private static final Path INSTALLED = Path.of("/var/lib/madcast");

    private OperatorToken() {}

    /** The token of a service of this machine, if this user can read it. */
    static Optional<String> find(URI service) {
        return HERE.contains(service.getHost())
                ? Stream.of(ownDataDirectory(), INSTALLED)
                        .flatMap(it -> read(it.resolve(FILE)).stream())
                        .findFirst()
                : Optional.empty();
    }

    private static Path ownDataDirectory() {
        String data = System.getenv("XDG_DATA_HOME");
        return data == null || data.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "share", "madcast")
                : Path.of(data, "madcast");
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException notThereOrNotOurs) {
            return Optional.empty();
        }
    }
}
