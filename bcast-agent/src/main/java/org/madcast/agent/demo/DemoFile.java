package org.madcast.agent.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** The file that the demonstration broadcasts. */
final class DemoFile {

    /** Every JDK has one of them, of some MB; the first takes about two seconds at 100 Mbit/s. */
    private static final List<String> DEFAULTS = List.of("lib/server/libjvm.so", "lib/modules");

    private DemoFile() {}

    /**
     * The file that was named, or one that every machine with a JDK has.
     *
     * @throws CommandFailure saying what is wrong with it
     */
    static Path choose(@Nullable Path named) {
        if (named == null) {
            Path java = Path.of(System.getProperty("java.home"));
            return DEFAULTS.stream()
                    .map(java::resolve)
                    .filter(Files::isReadable)
                    .findFirst()
                    .orElseThrow(() -> refuse(java, "has no large file; name one yourself"));
        }
        if (!Files.exists(named)) {
            throw refuse(named, "does not exist; name a file that does");
        }
        if (Files.isDirectory(named)) {
            throw refuse(named, "is a directory; name a file");
        }
        if (!Files.isRegularFile(named)) {
            throw refuse(named, "is not a regular file; name one that is");
        }
        if (!Files.isReadable(named)) {
            throw refuse(
                    named, "cannot be read by this user; change its mode or name another file");
        }
        return absolute(named);
    }

    private static Path absolute(Path named) {
        try {
            return named.toRealPath();
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, named + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static CommandFailure refuse(Path file, String why) {
        return new CommandFailure(ExitCode.NO_INPUT, file + " " + why);
    }
}
