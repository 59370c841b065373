package org.madcast.client.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
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

    /** Made once for each thread: a name needs one, and there may be a million. */
    private static final ThreadLocal<MessageDigest> DIGEST =
            ThreadLocal.withInitial(Digest::sha256);

    /**
     * A directory when it was first looked at.
     *
     * @param empty whether nothing at all was in it
     * @param partials the names of partial files in it
     */
    private record Seen(boolean empty, Set<String> partials) {}

    private final Map<Path, Seen> found =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Path, Seen> eldest) {
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
        byte[] digest = DIGEST.get().digest(file.getBytes(StandardCharsets.UTF_8));
        return PREFIX + HexFormat.of().formatHex(digest, 0, NAME_BYTES) + "-";
    }

    /** Whether nothing was in that directory. */
    boolean foundEmpty(Path directory) throws IOException {
        return seen(directory).empty();
    }

    /** Whether that partial file was there. */
    boolean has(Path partial) throws IOException {
        return seen(parent(partial)).partials().contains(String.valueOf(partial.getFileName()));
    }

    /** Deletes what interrupted transfers left of this file, except one. */
    void deleteOthers(Path file, Path except) throws IOException {
        Set<String> names = seen(parent(file)).partials();
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

    private Seen seen(Path directory) throws IOException {
        Seen seen = found.get(directory);
        if (seen == null) {
            seen = look(directory);
            found.put(directory, seen);
        }
        return seen;
    }

    private static Seen look(Path directory) throws IOException {
        boolean empty = true;
        Set<String> partials = new HashSet<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                empty = false;
                String name = String.valueOf(path.getFileName());
                if (isOurs(name) && name.endsWith(SUFFIX)) {
                    partials.add(name);
                }
            }
        } catch (DirectoryIteratorException broken) {
            throw Problems.cause(broken);
        }
        return new Seen(empty, partials);
    }
}
