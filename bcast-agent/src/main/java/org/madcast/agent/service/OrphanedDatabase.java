package org.madcast.agent.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A PostgreSQL whose service was killed before it could stop it: found by the file in which it
 * notes its process id, and recognised by its command line before it is ended.
 */
final class OrphanedDatabase {

    private static final String PID_FILE = "postmaster.pid";
    private static final int DEPTH = 4;
    private static final long LONGEST_STOP_SECONDS = 5;

    private OrphanedDatabase() {}

    /** Ends every database whose data are below this directory. */
    static void end(Path directory) {
        try (Stream<Path> files =
                Files.find(directory, DEPTH, (file, _) -> file.endsWith(PID_FILE))) {
            files.forEach(OrphanedDatabase::endOne);
        } catch (IOException | UncheckedIOException _) {
            // No data directory, or it is being deleted: then there is no database either.
        }
    }

    private static void endOne(Path pidFile) {
        process(pidFile).filter(OrphanedDatabase::isPostgres).ifPresent(OrphanedDatabase::end);
    }

    private static Optional<ProcessHandle> process(Path pidFile) {
        try {
            List<String> lines = Files.readAllLines(pidFile);
            return lines.isEmpty()
                    ? Optional.empty()
                    : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("postgres");
    }

    private static void end(ProcessHandle postmaster) {
        postmaster.destroy();
        try {
            postmaster.onExit().get(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException _) {
            postmaster.destroyForcibly();
        } catch (InterruptedException _) {
            postmaster.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
