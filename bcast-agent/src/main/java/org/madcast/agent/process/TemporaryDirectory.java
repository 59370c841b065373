package org.madcast.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that goes away with all that is in it. */
public final class TemporaryDirectory {

    private TemporaryDirectory() {}

    /** Makes one, readable by its owner only. */
    public static Path make(String purpose) throws IOException {
        return Files.createTempDirectory("madcast-" + purpose + "-");
    }

    /** Deletes it; what cannot be deleted stays, since no program is left to report it. */
    public static void delete(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.getLogger(TemporaryDirectory.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + directory + ": " + e);
        }
    }
}
