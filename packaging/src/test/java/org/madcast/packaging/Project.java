package org.madcast.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of this repository, from whichever directory the tests are started. */
public final class Project {

    private static final Path HOME = find();

    private Project() {}

    /** A file or directory by its path from the root. */
    public static Path path(String fromRoot) {
        return HOME.resolve(fromRoot);
    }

    /** The text of a file. */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path find() {
        Path start = Path.of("").toAbsolutePath();
        return Stream.iterate(start, Path::getParent)
                .takeWhile(directory -> directory != null)
                .filter(directory -> Files.isExecutable(directory.resolve("madcast")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no launcher above " + start));
    }
}
