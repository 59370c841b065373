package mpi;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ports by names that programs agree on: a file for each in a directory that only the user can
 * read, {@code MADCAST_NAMES} or one of the host's temporary directory.
 */
final class PublishedNames {

    private static final int LONGEST = 200;

    /** What this process has published. */
    private static final Map<Path, String> OWN = new ConcurrentHashMap<>();

    private PublishedNames() {}

    private static Path directory() throws IOException {
        String given = System.getenv().getOrDefault("MADCAST_NAMES", "").strip();
        String user = System.getProperty("user.name", "");
        Path directory =
                given.isEmpty()
                        ? Path.of(System.getProperty("java.io.tmpdir"), "madcast-names-" + user)
                        : Path.of(given);
        if (!Files.isDirectory(directory)) {
            try {
                Files.createDirectory(
                        directory,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException _) {
                // Another process was first.
            }
        }
        if (given.isEmpty() && !Files.getOwner(directory).getName().equals(user)) {
            throw new IOException(directory + " belongs to another user");
        }
        return directory;
    }

    private static Path file(String service) throws IOException {
        String name = URLEncoder.encode(service, StandardCharsets.UTF_8);
        if (name.isEmpty() || name.length() > LONGEST) {
            throw new MPIException(
                    ErrorClass.SERVICE,
                    "the name '%s' has %d characters, not 1 to %d"
                            .formatted(service, name.length(), LONGEST));
        }
        return directory().resolve(name + ".port");
    }

    private static MPIException failed(String service, IOException why) {
        return new MPIException(
                ErrorClass.SERVICE,
                "the name '%s' can be neither published nor read: %s".formatted(service, why),
                why);
    }

    static void publish(String service, String port) {
        try {
            Path file = file(service);
            if (Files.exists(file) && !Port.isOpen(Files.readString(file))) {
                Files.deleteIfExists(file); // of a process that is gone
            }
            Files.writeString(file, port, CREATE_NEW, WRITE);
            OWN.put(file, port);
        } catch (FileAlreadyExistsException taken) {
            throw new MPIException(
                    ErrorClass.SERVICE, "the name '" + service + "' is published already", taken);
        } catch (IOException why) {
            throw failed(service, why);
        }
    }

    static void unpublish(String service, String port) {
        try {
            Path file = file(service);
            if (!Files.readString(file).equals(port)) {
                throw new MPIException(
                        ErrorClass.SERVICE,
                        "the name '%s' is published for another port".formatted(service));
            }
            Files.deleteIfExists(file);
            OWN.remove(file);
        } catch (NoSuchFileException missing) {
            throw new MPIException(
                    ErrorClass.SERVICE, "the name '" + service + "' is not published", missing);
        } catch (IOException why) {
            throw failed(service, why);
        }
    }

    static String lookup(String service) {
        try {
            String port = Files.readString(file(service));
            if (!port.isEmpty()) {
                return port;
            }
        } catch (NoSuchFileException _) {
            // It is reported below.
        } catch (IOException why) {
            throw failed(service, why);
        }
        throw new MPIException(ErrorClass.NAME, "the name '" + service + "' is not published");
    }

    /** Takes back what this process has published and not taken back. */
    static void withdraw() {
        OWN.forEach((file, port) -> {
            try {
                if (Files.readString(file).equals(port)) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException gone) {
                System.getLogger(PublishedNames.class.getName())
                        .log(System.Logger.Level.DEBUG, "taking back a name", gone);
            }
        });
        OWN.clear();
    }
}
