package org.madcast.client.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The names under which files are written before they are whole: {@code
 * .madcast-NAME-SIZE-TIME.part}, where NAME is a digest of the file's name, and size and time those
 * of the source. So an interrupted transfer of the same version is found again, and one of another
 * version is known to be stale. For one thread.
 */
final class Partials {

    private static final String PREFIX = ".madcast-";
    private static final String SUFFIX = ".part";
    private static final int NAME_BYTES = 8;
    private static final int REMEMBERED = 64;

    /** The partial files that were in a directory when it was first looked at. */
    private final Map<Path, Set<String>> found =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Path, Set<String>> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /** True for the names that this class makes. */
    static boolean isOurs(String name) {
        return name.startsWith(PREFIX);
    }

    /** The name of the marker by which ranks recognise a directory that they share. */
    static String marker(long broadcast, int rank) {
        return PREFIX + Long.toHexString(broadcast) + "-" + rank + ".here";
    }

    /** Where this version of the file is written. */
    static Path of(Path file, Entry entry) {
        return file.resolveSibling(name(String.valueOf(file.getFileName()), entry));
    }

    /** The name under which this version of a file of that name is written. */
    static String name(String file, Entry entry) {
        return stem(file)
                + Long.toHexString(entry.sizeBytes())
                + "-"
                + Long.toHexString(entry.modifiedNs())
                + SUFFIX;
    }

    private static String stem(String file) {
        byte[] name = file.getBytes(StandardCharsets.UTF_8);
        byte[] digest = Digest.javaSha256().digest(name);
        return PREFIX + HexFormat.of().formatHex(digest, 0, NAME_BYTES) + "-";
    }

    /** Whether that partial file was there. */
    boolean has(Path partial) throws IOException {
        return namesIn(parent(partial)).contains(String.valueOf(partial.getFileName()));
    }

    /** Deletes what interrupted transfers left of this file, except one. */
    void deleteOthers(Path file, Path except) throws IOException {
        Set<String> names = namesIn(parent(file));
        if (names.isEmpty()) {
            return;
        }
        String stem = stem(String.valueOf(file.getFileName()));
        String kept = String.valueOf(except.getFileName());
        for (String name : names) {
            if (name.startsWith(stem) && name.endsWith(SUFFIX) && !name.equals(kept)) {
                Files.deleteIfExists(file.resolveSibling(name));
            }
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private Set<String> namesIn(Path directory) throws IOException {
        Set<String> names = found.get(directory);
        if (names == null) {
            names = new HashSet<>();
            try (DirectoryStream<Path> paths =
                    Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
                for (Path path : paths) {
                    names.add(String.valueOf(path.getFileName()));
                }
            } catch (DirectoryIteratorException broken) {
                throw Problems.cause(broken);
            }
            found.put(directory, names);
        }
        return names;
    }
}
