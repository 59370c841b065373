package org.madcast.agent.daemon;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Files for a push that is made for the sake of the code which it runs. */
public final class SampleFiles {

    private static final int SMALL_BYTES = 4 << 10;
    private static final int BLOCK_BYTES = 64 << 10;

    private SampleFiles() {}

    /**
     * Makes a directory with one large file of random bytes and small ones of 4 KiB.
     *
     * @return the directory
     */
    public static Path make(Path directory, int largeBytes, int smallFiles) throws IOException {
        Files.createDirectory(directory);
        Random random = new Random(1);
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream large = Files.newOutputStream(directory.resolve("large"))) {
            for (int left = largeBytes; left > 0; left -= BLOCK_BYTES) {
                random.nextBytes(block);
                large.write(block, 0, Math.min(left, BLOCK_BYTES));
            }
        }
        byte[] small = new byte[SMALL_BYTES];
        for (int i = 0; i < smallFiles; i++) {
            Files.write(directory.resolve("small-" + i), small);
        }
        return directory;
    }
}
