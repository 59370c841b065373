package org.madcast.lab;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Finds and ends the processes that live in namespaces. Any thread. */
final class NamespaceProcesses {
    private static final Duration GRACE = Duration.ofMillis(250);
    private static final Duration INSISTENCE = Duration.ofSeconds(3);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private NamespaceProcesses() {}

    /**
     * Asks every process inside to end, insists soon after, and comes back when none is left. What
     * a process forks while it is being ended is found in the next look; one that has ended and
     * waits for its parent has no namespace any more.
     */
    static void end(Collection<String> namespaces) {
        find(namespaces).forEach(ProcessHandle::destroy);
        long insistNs = System.nanoTime() + GRACE.toNanos();
        long giveUpNs = insistNs + INSISTENCE.toNanos();
        List<ProcessHandle> left = find(namespaces);
        while (!left.isEmpty() && System.nanoTime() - giveUpNs < 0) {
            if (System.nanoTime() - insistNs > 0) {
                left.forEach(ProcessHandle::destroyForcibly);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
            left = find(namespaces);
        }
    }

    /**
     * Sends every process inside a signal.
     *
     * @param signal as kill(1) calls it, such as {@code STOP}
     */
    static void signal(Collection<String> namespaces, String signal) {
        List<String> arguments = new ArrayList<>(List.of("-" + signal));
        find(namespaces).forEach(process -> arguments.add(Long.toString(process.pid())));
        if (arguments.size() == 1) {
            return;
        }
        try {
            Commands.run("kill", arguments);
        } catch (LabException e) {
            // It complains about one that has ended meanwhile; the others got theirs.
            if (find(namespaces).size() == arguments.size() - 1) {
                throw e;
            }
        }
    }

    /** The processes whose network is one of these namespaces; never the calling one. */
    static List<ProcessHandle> find(Collection<String> namespaces) {
        Set<String> wanted = identities(namespaces);
        List<ProcessHandle> found = new ArrayList<>();
        if (wanted.isEmpty()) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
            for (Path entry : entries) {
                if (wanted.contains(networkOf(entry))) {
                    ProcessHandle.of(Long.parseLong(entry.getFileName().toString()))
                            .filter(process -> !process.equals(ProcessHandle.current()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new LabException("cannot list processes: " + e, e);
        }
        return found;
    }

    private static Set<String> identities(Collection<String> namespaces) {
        Set<String> identities = new HashSet<>();
        for (String name : namespaces) {
            try {
                Object inode = Files.getAttribute(Namespaces.path(name), "unix:ino");
                identities.add("net:[" + inode + "]");
            } catch (IOException e) {
                // Gone, so nothing is inside.
            }
        }
        return identities;
    }

    private static String networkOf(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/net")).toString();
        } catch (IOException e) {
            return ""; // ended meanwhile
        }
    }
}
