package org.madcast.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds and ends the processes that live in namespaces. Any thread. */
final class NamespaceProcesses {
    private static final Duration GRACE = Duration.ofMillis(250);
    private static final Duration KILLED = Duration.ofSeconds(2);

    /** A process may have forked while it was being ended. */
    private static final int ROUNDS = 5;

    private NamespaceProcesses() {}

    /** Asks every process inside to end, insists soon after, and comes back when none is left. */
    static void end(Collection<String> namespaces) {
        List<ProcessHandle> inside = find(namespaces);
        inside.forEach(ProcessHandle::destroy);
        await(inside, GRACE);
        for (int round = 0; round < ROUNDS; round++) {
            inside = find(namespaces);
            if (inside.isEmpty()) {
                return;
            }
            inside.forEach(ProcessHandle::destroyForcibly);
            await(inside, KILLED);
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
        } catch (IOException | UncheckedIOException e) {
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

    private static void await(List<ProcessHandle> processes, Duration limit) {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The next round insists.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new LabException("cannot wait for processes: " + e, e);
        }
    }
}
