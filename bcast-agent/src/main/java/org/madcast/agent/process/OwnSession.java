package org.madcast.agent.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps the terminal's Ctrl-C from processes that their parent ends in good order: a service that
 * must outlive the ranks which give their lease back to it.
 */
public final class OwnSession {

    private static final Optional<Path> SETSID = find();

    private OwnSession() {}

    private static Optional<Path> find() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "setsid"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * The command in a session of its own, under the process id that it would have anyway; where
     * the program {@code setsid} is missing, the command as it is.
     */
    public static List<String> of(List<String> command) {
        List<String> own = new ArrayList<>();
        SETSID.ifPresent(setsid -> own.add(setsid.toString()));
        own.addAll(command);
        return own;
    }
}
