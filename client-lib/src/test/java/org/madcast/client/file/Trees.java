package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes and compares trees of files. */
final class Trees {

    static final Instant LONG_AGO = Instant.parse("2020-02-29T12:34:56.123456789Z");

    private Trees() {}

    static Path file(Path path, int bytes) throws IOException {
        Path parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        return Files.write(path, content(path.hashCode(), bytes));
    }

    static byte[] content(long seed, int bytes) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return content;
    }

    static void age(Path path, Instant time) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(time));
    }

    static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Every path below with kind, permissions, time and a hash of the content. */
    static SortedMap<String, String> describe(Path root) throws IOException {
        SortedMap<String, String> found = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(path -> !path.equals(root)).toList()) {
                PosixFileAttributes attributes =
                        Files.readAttributes(
                                path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                String what =
                        attributes.isSymbolicLink()
                                ? "-> " + Files.readSymbolicLink(path)
                                : PosixFilePermissions.toString(attributes.permissions())
                                        + " "
                                        + attributes.lastModifiedTime();
                if (attributes.isRegularFile()) {
                    what += " " + Digest.of(path);
                }
                found.put(root.relativize(path).toString(), what);
            }
        }
        return found;
    }

    static void assertSame(Path expected, Path actual) throws IOException {
        assertThat(describe(actual)).isEqualTo(describe(expected));
    }

    /** Nothing temporary is left. */
    static void assertTidy(Path root) throws IOException {
        assertThat(describe(root).keySet()).noneMatch(path -> path.contains(".madcast-"));
    }
}
