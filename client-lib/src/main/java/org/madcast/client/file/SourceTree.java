package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.Entry.Kind;

/**
 * Walks files and trees in batches, each directory before what is in it, with memory for the
 * directories between the top and where it is, and no more. For one thread.
 */
final class SourceTree implements AutoCloseable {

    /** An entry and where it is read. */
    record Source(Entry entry, Path path) {}

    private static final int MAX_ENTRIES = 4096;
    private static final int MAX_BATCH_BYTES = 1 << 20;

    private record Level(String prefix, DirectoryStream<Path> stream, Iterator<Path> paths) {}

    private final Iterator<Path> sources;
    private final @Nullable String newName;
    private final Tally tally;
    private final Deque<Level> levels = new ArrayDeque<>();

    /**
     * What cannot be read goes to the tally.
     *
     * @param newName what the only source is called from here on; null for its own name
     */
    SourceTree(List<Path> sources, @Nullable String newName, Tally tally) {
        this.sources = sources.iterator();
        this.newName = newName;
        this.tally = tally;
    }

    /** The next entries; none at the end. */
    List<Source> nextBatch() {
        List<Source> batch = new ArrayList<>();
        int bytes = 0;
        while (batch.size() < MAX_ENTRIES && bytes < MAX_BATCH_BYTES && hasNext()) {
            Source source = next();
            if (source != null) {
                batch.add(source);
                bytes += Entry.FIXED_BYTES + source.entry().path().length();
            }
        }
        return batch;
    }

    private boolean hasNext() {
        while (!levels.isEmpty()) {
            try {
                if (levels.getLast().paths().hasNext()) {
                    return true;
                }
            } catch (DirectoryIteratorException broken) {
                tally.failed(levels.getLast().prefix(), Problems.describe(Problems.cause(broken)));
            }
            close(levels.removeLast());
        }
        return sources.hasNext();
    }

    private @Nullable Source next() {
        if (levels.isEmpty()) {
            Path top = sources.next();
            if (newName != null) {
                return source(newName, top, false);
            }
            // The file that a link on the command line leads to is what is meant; "x/." is the
            // content of x.
            Path name = top.endsWith("..") ? top.toAbsolutePath().normalize() : top;
            name = name.getFileName();
            boolean content = name == null || name.toString().equals(".");
            return source(content ? "" : name.toString(), top, false);
        }
        Level level = levels.getLast();
        Path path = level.paths().next();
        String name = String.valueOf(path.getFileName());
        if (Partials.isOurs(name)) {
            return null; // left by an interrupted transfer to here
        }
        return source(level.prefix().isEmpty() ? name : level.prefix() + "/" + name, path, true);
    }

    private @Nullable Source source(String name, Path path, boolean keepLinks) {
        try {
            PosixFileAttributes attributes =
                    keepLinks
                            ? Files.readAttributes(
                                    path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            : Files.readAttributes(path, PosixFileAttributes.class);
            if (attributes.isDirectory()) {
                DirectoryStream<Path> stream = open(path);
                levels.addLast(new Level(name, stream, stream.iterator()));
                return name.isEmpty() ? null : entry(Kind.DIRECTORY, name, path, attributes);
            }
            if (attributes.isSymbolicLink()) {
                return entry(Kind.LINK, name, path, attributes);
            }
            if (attributes.isRegularFile()) {
                return entry(Kind.FILE, name, path, attributes);
            }
            tally.failed(name, "it is neither a file, a directory nor a link");
        } catch (IOException problem) {
            tally.failed(name.isEmpty() ? path.toString() : name, Problems.describe(problem));
        }
        return null;
    }

    /** Closed when the walk has left the directory. */
    private static DirectoryStream<Path> open(Path directory) throws IOException {
        return directory.getFileSystem().provider().newDirectoryStream(directory, _ -> true);
    }

    private static Source entry(Kind kind, String name, Path path, PosixFileAttributes attributes)
            throws IOException {
        Entry entry =
                new Entry(
                        kind,
                        name,
                        kind == Kind.FILE ? attributes.size() : 0,
                        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                        Permissions.mode(attributes.permissions()),
                        kind == Kind.LINK ? Files.readSymbolicLink(path).toString() : "");
        return new Source(entry, path);
    }

    private void close(Level level) {
        try {
            level.stream().close();
        } catch (IOException problem) {
            tally.failed(level.prefix(), Problems.describe(problem));
        }
    }

    @Override
    public void close() {
        levels.forEach(this::close);
        levels.clear();
    }
}
