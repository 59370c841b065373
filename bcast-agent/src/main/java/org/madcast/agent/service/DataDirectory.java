package org.madcast.agent.service;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return directory;
    }

    private static CommandFailure unusable(Path named, String why) {
        return new CommandFailure(
                ExitCode.NO_INPUT, "--data-dir " + named + " " + why + "; name another");
    }
}
