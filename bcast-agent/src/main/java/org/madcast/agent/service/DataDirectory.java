package org.madcast.agent.service;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** What a user names with {@code --data-dir}. */
public final class DataDirectory {

    private DataDirectory() {}

    /**
     * Makes it unless it is there.
     *
     * @return its absolute path
     * @throws CommandFailure when it cannot be used, before a service finds out in its own words
     */
    public static Path make(Path named) {
        Path directory = named.toAbsolutePath();
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw unusable(named, "is not a directory");
        }
        try {
            Files.createDirectories(directory);
        } catch (AccessDeniedException _) {
            throw unusable(named, "cannot be made: permission denied");
        } catch (IOException _) {
            throw unusable(named, "cannot be made");
        }
        if (!Files.isWritable(directory)) {
            throw unusable(named, "cannot be written");
        }
        requireUnused(named);
        return directory;
    }

    /** Where a service keeps its data by default. */
    static Path usual() {
        return Path.of(System.getProperty("user.home"), ".local", "share", "madcast");
    }

    /** A service locks this file of its directory as long as it runs. */
    static void requireUnused(Path named) {
        Path lock = named.toAbsolutePath().resolve("lock");
        if (!Files.isWritable(lock)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock own = channel.tryLock()) {
            if (own == null) {
                throw unusable(named, "is in use by another allocation service");
            }
        } catch (OverlappingFileLockException _) {
            throw unusable(named, "is in use by another allocation service");
        } catch (IOException _) {
            // Then the service says what is wrong with it.
        }
    }

    private static CommandFailure unusable(Path named, String why) {
        return new CommandFailure(
                ExitCode.NO_INPUT,
                named.equals(usual())
                        ? named + " " + why + "; name another with --data-dir"
                        : "--data-dir " + named + " " + why + "; name another");
    }
}
