package org.madcast.agent.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Files for a push that is made for the sake of the code which it runs. */
public final class SampleFiles {

    private static final int SMALL_BYTES = 4 << 10;

    private SampleFiles() {}

    /**
     * Makes a directory with one large file of random bytes and small ones of 4 KiB.
     *
     * @return the directory
     */
    public static Path make(Path directory, int largeBytes, int smallFiles) throws IOException {
        Files.createDirectory(directory);
        byte[] content = new byte[largeBytes];
        new Random(1).nextBytes(content);
        Files.write(directory.resolve("large"), content);
        byte[] small = new byte[SMALL_BYTES];
        for (int i = 0; i < smallFiles; i++) {
            Files.write(directory.resolve("small-" + i), small);
        }
        return directory;
    }
}
