package org.madcast.agent.process;

import java.io.File;
import java.io.IOException;
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

    private static final Optional<Path> SETSID = find("setsid");

    private OwnSession() {}

    private static Optional<Path> find(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
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

    /**
     * Whether a process that was started by {@link #of} leads a session, which is also a process
     * group of its process id, or has led one: not before {@code setsid} has made it.
     */
    static boolean isLedBy(long pid) {
        if (SETSID.isEmpty()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // Behind the program's name, which may have spaces: state, parent, process group.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4);
            return fields[2].equals(Long.toString(pid));
        } catch (IOException _) {
            return true; // it has ended, what it has started may not
        }
    }

    /**
     * As {@link #of}, and killed by the system when this process is gone, however that went; where
     * the program {@code setpriv} of util-linux is missing, only in a session of its own.
     *
     * @throws IOException if the command's program is missing or not executable
     */
    public static List<String> ofBound(List<String> command) throws IOException {
        String program = command.getFirst();
        boolean bare = program.indexOf(File.separatorChar) < 0;
        if (bare ? find(program).isEmpty() : !Files.isExecutable(Path.of(program))) {
            throw new IOException(program + " is missing or not executable");
        }
        List<String> bound = new ArrayList<>();
        find("setpriv")
                .filter(OwnSession::isUtilLinux)
                .ifPresent(setpriv ->
                        bound.addAll(List.of(setpriv.toString(), "--pdeathsig", "KILL", "--")));
        bound.addAll(command);
        return of(bound);
    }

    /** That of BusyBox has no such option. */
    private static boolean isUtilLinux(Path setpriv) {
        try {
            return !setpriv.toRealPath().endsWith("busybox");
        } catch (IOException _) {
            return false;
        }
    }
}
