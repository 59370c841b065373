package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which receivers write to the same directory of a shared file system (seed 002, section
 * 2.3): each puts a marker there, and the lowest rank whose marker others see writes for them. A
 * collective operation.
 */
final class SharedDirectory {

    private final Exchange exchange;
    private final int root;
    private final long broadcast;

    SharedDirectory(Exchange exchange, int root, long broadcast) {
        this.exchange = exchange;
        this.root = root;
        this.broadcast = broadcast;
    }

    /**
     * The rank that writes for this one: itself unless the directory is shared.
     *
     * @param directory where this rank writes; null when it does not
     */
    int writer(@Nullable Path directory) throws IOException {
        Path own = directory == null ? null : mark(directory);
        try {
            exchange.barrier();
            int writer = directory == null ? exchange.rank() : lowestSeen(directory);
            exchange.barrier();
            return writer;
        } finally {
            if (own != null) {
                Files.deleteIfExists(own);
            }
        }
    }

    /** The marker; null when there is no room for it, which only means that others don't see it. */
    private @Nullable Path mark(Path directory) {
        try {
            return Files.createFile(marker(directory, exchange.rank()));
        } catch (IOException _) {
            return null;
        }
    }

    private int lowestSeen(Path directory) {
        for (int rank = 0; rank < exchange.rank(); rank++) {
            if (rank != root && Files.exists(marker(directory, rank), LinkOption.NOFOLLOW_LINKS)) {
                return rank;
            }
        }
        return exchange.rank();
    }

    private Path marker(Path directory, int rank) {
        return directory.resolve(Partials.marker(broadcast, rank));
    }
}
