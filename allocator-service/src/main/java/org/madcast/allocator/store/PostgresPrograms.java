package org.madcast.allocator.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's programs ({@code initdb}, {@code pg_ctl}, {@code postgres}), unpacked from the class
 * path once per directory and reused afterwards. Unpacking goes to a sibling directory that is
 * renamed when complete, so that an interrupted start leaves nothing that looks whole.
 */
final class PostgresPrograms {

    private final Path directory;

    private PostgresPrograms(Path directory) {
        this.directory = directory;
    }

    /**
     * Finds the programs below {@code parent}, or unpacks them there.
     *
     * @throws StoreException when there are none for this platform
     */
    static PostgresPrograms in(Path parent) {
        String archive = archiveName();
        Path home = parent.resolve(archive.replace(".txz", ""));
        try {
            if (!Files.isExecutable(home.resolve("bin/postgres"))) {
                unpack(archive, parent, home);
            }
        } catch (IOException failure) {
            throw new StoreException(
                    "cannot unpack the database's programs to " + home + ": " + failure, failure);
        }
        return new PostgresPrograms(home);
    }

    Path program(String name) {
        return directory.resolve("bin").resolve(name);
    }

    private static String archiveName() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        @Nullable String suffix =
                switch (machine) {
                    case "amd64", "x86_64" -> "x86_64";
                    case "aarch64", "arm64" -> "arm_64";
                    default -> null;
                };
        if (suffix == null || !system.equals("linux")) {
            throw new StoreException(
                    "no embedded database for %s on %s; set spring.datasource.url to a PostgreSQL"
                            .formatted(system, machine));
        }
        return "postgres-linux-" + suffix + ".txz";
    }

    private static void unpack(String archive, Path parent, Path home) throws IOException {
        Files.createDirectories(parent);
        Path partial = Files.createTempDirectory(parent, "unpacking-");
        try (InputStream packed = open(archive);
                TarArchiveInputStream entries =
                        new TarArchiveInputStream(new XZCompressorInputStream(packed))) {
            for (TarArchiveEntry entry = entries.getNextEntry();
                    entry != null;
                    entry = entries.getNextEntry()) {
                write(entry, entries, partial);
            }
            publish(partial, home);
        } finally {
            deleteRecursively(partial);
        }
    }

    private static InputStream open(String archive) {
        InputStream stream = PostgresPrograms.class.getResourceAsStream("/" + archive);
        if (stream == null) {
            throw new StoreException(
                    archive + " is not on the class path; set spring.datasource.url instead");
        }
        return stream;
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path root)
            throws IOException {
        Path target = root.resolve(entry.getName()).normalize();
        if (!target.startsWith(root)) {
            throw new IOException("archive entry " + entry.getName() + " leaves its directory");
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            boolean executable = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(
                    target,
                    PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static void publish(Path partial, Path home) throws IOException {
        if (Files.isExecutable(home.resolve("bin/postgres"))) {
            return; // another process was faster
        }
        deleteRecursively(home);
        Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
    }

    static void deleteRecursively(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> found = Files.walk(root)) {
            List<Path> deepestFirst = found.sorted((a, b) -> b.compareTo(a)).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }
}
