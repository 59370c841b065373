package org.madcast.agent.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** A file for a result that takes minutes to measure. */
public final class ResultFile {

    private ResultFile() {}

    /**
     * Better to know before the measurement than after.
     *
     * @param file where the result is to go; null for nowhere
     * @param option by which it was named
     * @throws CommandFailure when it cannot be written
     */
    public static void requireWritable(@Nullable Path file, String option) {
        if (file == null) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        boolean writable =
                Files.exists(file)
                        ? Files.isRegularFile(file) && Files.isWritable(file)
                        : parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
        if (!writable) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    file + " cannot be written; name another file with " + option);
        }
    }
}
