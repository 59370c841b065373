package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directory below which everything is written, and nothing elsewhere: names like {@code ..} are
 * refused, and so is a link where a directory should be. For one thread. A local user who may write
 * below the directory and swaps directories for links meanwhile can still mislead it.
 */
final class Destination {

    private static final int REMEMBERED = 10_000;
    private static final int MAX_PATH_LENGTH = 4096;

    private final Path root;

    private String lastName = "";
    private Path last;

    /** Directories that were looked at: true when they are there. */
    private final Map<String, Boolean> directories =
            new LinkedHashMap<>(256, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /**
     * Below this directory.
     *
     * @param root its real path
     */
    Destination(Path root) {
        this.root = root;
        this.last = root;
    }

    Path root() {
        return root;
    }

    /**
     * The directory in which the entry is or would be; null when it is not there.
     *
     * @throws IOException when the path leads elsewhere
     */
    @Nullable Path findDirectory(String path) throws IOException {
        return reach(path, false) ? directoryOf(path) : null;
    }

    /**
     * Where the entry is to be; its directory is made.
     *
     * @throws IOException when the path leads elsewhere, or the directory cannot be made
     */
    Path prepare(String path) throws IOException {
        boolean _ = reach(path, true);
        return root.resolve(path);
    }

    /**
     * The directory in which the entry is to be; it is made.
     *
     * @throws IOException when the path leads elsewhere, or the directory cannot be made
     */
    Path prepareDirectory(String path) throws IOException {
        boolean _ = reach(path, true);
        return directoryOf(path);
    }

    /** Mostly that of the entry before. */
    private Path directoryOf(String path) {
        int length = Math.max(0, path.lastIndexOf('/'));
        if (length != lastName.length() || !path.startsWith(lastName)) {
            lastName = path.substring(0, length);
            last = root.resolve(lastName);
        }
        return last;
    }

    private boolean reach(String path, boolean make) throws IOException {
        requireHarmless(path);
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String directory = path.substring(0, slash);
            Boolean known = directories.get(directory);
            if (known == null || (!known && make)) {
                known = look(directory, make);
                directories.put(directory, known);
            }
            if (!known) {
                return false;
            }
        }
        return true;
    }

    private boolean look(String directory, boolean make) throws IOException {
        Path path = root.resolve(directory);
        if (make) {
            try {
                Files.createDirectory(path);
                return true;
            } catch (FileAlreadyExistsException _) {
                // Then it must be a directory.
            }
        }
        try {
            if (attributes(path).isDirectory()) {
                return true;
            }
        } catch (NoSuchFileException _) {
            return false;
        }
        throw new FileSystemException(
                directory, null, "'" + directory + "' exists and is not a directory");
    }

    static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Null when there is nothing; in a new tree that is so often that an exception costs too much.
     */
    static @Nullable BasicFileAttributes attributesIfThere(Path path) throws IOException {
        return path.getFileSystem()
                .provider()
                .readAttributesIfExists(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private void requireHarmless(String path) throws IOException {
        if (path.isEmpty() || path.length() > MAX_PATH_LENGTH) {
            throw refused(path);
        }
        for (int start = 0; start <= path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String name = path.substring(start, end);
            if (name.isEmpty() || name.equals(".") || name.equals("..") || Partials.isOurs(name)) {
                throw refused(path);
            }
            start = end + 1;
        }
        if (isPlain(path)) {
            return; // names like these lead nowhere else, and paths need not be made of them
        }
        try {
            if (!root.resolve(path).startsWith(root)) {
                throw refused(path);
            }
        } catch (InvalidPathException _) {
            throw refused(path);
        }
    }

    /** Whether a path is of plain letters only, which are the same in every encoding. */
    static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == 0 || c >= 127) {
                return false;
            }
        }
        return true;
    }

    private static FileSystemException refused(String path) {
        return new FileSystemException(path, null, "this name is not allowed");
    }

    /**
     * Whether a link leads to a place below the directory and never leaves it on its way; absolute
     * targets do not. Upwards it may lead at its beginning only, where real directories are: behind
     * the name of another link {@code ..} is above the place to which that one leads.
     *
     * @param path of the link
     */
    static boolean staysBelow(String path, String target) {
        int depth = (int) path.chars().filter(c -> c == '/').count();
        boolean named = false;
        for (String name : target.split("/", -1)) {
            if (name.equals("..")) {
                depth--;
                if (named || depth < 0) {
                    return false;
                }
            } else {
                named |= !name.isEmpty() && !name.equals(".");
            }
        }
        return !target.isEmpty() && !target.startsWith("/");
    }
}
