package org.madcast.client.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.nativecalls.FileCalls;

/**
 * Gives files that are complete their names, which is the instant at which they take the place of
 * what was there. Small files do so in groups, since each must be on the disk before: a group costs
 * one {@code syncfs} instead of thousands of {@code fsync}s. For one thread.
 */
final class Commit {

    /** Files from this size on are brought to the disk, and named, one by one. */
    static final long LARGE_BYTES = 8L << 20;

    private static final int MAX_FILES = 4096;
    private static final long MAX_BYTES = 128L << 20;
    private static final int FEW = 16;

    private record Ready(Path directory, String from, String to, Entry entry) {

        Path partial() {
            return directory.resolve(from);
        }

        Path file() {
            return directory.resolve(to);
        }
    }

    private final Path root;
    private final Tally tally;
    private final @Nullable SmallFiles small;
    private final List<Ready> group = new ArrayList<>();
    private long groupBytes;

    /**
     * For files below a directory.
     *
     * @param small what renames quickly, if there is something
     */
    Commit(Path root, Tally tally, @Nullable SmallFiles small) {
        this.root = root;
        this.tally = tally;
        this.small = small;
    }

    /** Whether a file of this size must be on the disk before it is added. */
    static boolean isLarge(Entry entry) {
        return entry.sizeBytes() >= LARGE_BYTES;
    }

    /** Adds a complete file; it is named now or with its group. */
    void add(Path partial, Path file, Entry entry, boolean onDisk) {
        Path directory = file.getParent();
        Ready ready =
                new Ready(
                        directory == null ? root : directory,
                        String.valueOf(partial.getFileName()),
                        String.valueOf(file.getFileName()),
                        entry);
        if (isLarge(entry)) {
            Set<Path> directories = new HashSet<>();
            if (onDisk || bringToDisk(ready)) {
                name(ready, directories);
            }
            directories.forEach(Commit::force);
            return;
        }
        add(ready);
    }

    /** Adds a complete small file, of which nothing is on the disk yet. */
    void add(Path directory, String partial, String file, Entry entry) {
        add(new Ready(directory, partial, file, entry));
    }

    private void add(Ready ready) {
        group.add(ready);
        groupBytes += ready.entry().sizeBytes();
        if (group.size() >= MAX_FILES || groupBytes >= MAX_BYTES) {
            flush();
        }
    }

    /** Names the files that wait. */
    void flush() {
        Collection<Path> fileSystems =
                group.size() > FEW
                        ? onePerFileSystem(group.stream().map(Ready::directory).toList())
                        : List.of();
        boolean atOnce = group.size() > FEW && bringToDisk(fileSystems);
        Set<Path> directories = new HashSet<>();
        for (Ready ready : group) {
            if (atOnce || bringToDisk(ready)) {
                name(ready, directories);
            }
        }
        if (!atOnce || !bringToDisk(fileSystems)) {
            directories.forEach(Commit::force);
        }
        group.clear();
        groupBytes = 0;
    }

    private static boolean bringToDisk(Collection<Path> fileSystems) {
        return fileSystems.stream().allMatch(FileCalls::syncFileSystem);
    }

    /** One of the directories for each file system: others may be mounted below the root. */
    static Collection<Path> onePerFileSystem(Collection<Path> directories) {
        Map<Object, Path> byDevice = new HashMap<>();
        for (Path directory : new HashSet<>(directories)) {
            byDevice.putIfAbsent(device(directory), directory);
        }
        return byDevice.values();
    }

    /** What cannot be asked counts as a file system of its own. */
    private static Object device(Path directory) {
        try {
            return Files.getAttribute(directory, "unix:dev");
        } catch (IOException | UnsupportedOperationException _) {
            return directory;
        }
    }

    /** The file has its permissions already, which may keep its owner from opening it. */
    private boolean bringToDisk(Ready ready) {
        try {
            if (!force(ready.partial(), StandardOpenOption.READ)
                    && !force(ready.partial(), StandardOpenOption.WRITE)
                    && !FileCalls.syncFileSystem(ready.directory())) {
                throw new AccessDeniedException(ready.entry().path());
            }
            return true;
        } catch (IOException problem) {
            tally.failed(ready.entry().path(), Problems.describe(problem));
            return false;
        }
    }

    /** False when it must not be opened so. */
    private static boolean force(Path file, OpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(file, access)) {
            channel.force(true);
            return true;
        } catch (AccessDeniedException _) {
            return false;
        }
    }

    private void name(Ready ready, Set<Path> directories) {
        try {
            if (small == null || !small.rename(ready.directory(), ready.from(), ready.to())) {
                Files.move(ready.partial(), ready.file(), StandardCopyOption.ATOMIC_MOVE);
            }
            tally.written(ready.entry().sizeBytes());
            directories.add(ready.directory());
        } catch (IOException problem) {
            tally.failed(ready.entry().path(), Problems.describe(problem));
        }
    }

    /** Brings the names in a directory to the disk, where the file system lets us. */
    static void force(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException refused) {
            System.getLogger(Commit.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "the names in {0} may be lost when the power fails now: {1}",
                            directory,
                            refused.getMessage());
        }
    }
}
