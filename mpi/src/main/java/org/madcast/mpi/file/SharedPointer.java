package org.madcast.mpi.file;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The pointer that all ranks of an open file share. It is in a hidden file beside the file, which
 * is made when a rank first moves the pointer: the ranks need no other connection for it, and none
 * has to serve the others. With one rank there is no file.
 */
public final class SharedPointer implements AutoCloseable {

    /** Locks of one process are not against each other: threads take turns. */
    private static final Object ACCESS = new Object();

    private final Path path;
    private final boolean alone;
    private @Nullable FileChannel channel;
    private long start;

    /**
     * The pointer of a file.
     *
     * @param id differs between programs that have the same file open
     * @param alone whether one rank has the file open
     * @param start where it is first
     */
    public SharedPointer(Path file, long id, boolean alone, long start) {
        String name = ".%s.shared-%x".formatted(file.getFileName(), id);
        this.path = file.resolveSibling(name);
        this.alone = alone;
        this.start = start;
    }

    /** Moves it and returns where it was. */
    public long getAndAdd(long etypes) throws IOException {
        synchronized (ACCESS) {
            if (alone) {
                long was = start;
                start += etypes;
                return was;
            }
            if (channel == null) {
                channel = FileChannel.open(path, CREATE, READ, WRITE);
            }
            try (FileLock _ = channel.lock()) {
                ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
                int got = channel.read(number, 0);
                long was = got == Long.BYTES ? number.getLong(0) : start;
                if (etypes != 0 || got != Long.BYTES) {
                    int _ = channel.write(number.clear().putLong(0, was + etypes), 0);
                }
                return was;
            }
        }
    }

    /** Deletes the file. Of all ranks, one calls it, and none moves the pointer meanwhile. */
    public void delete() throws IOException {
        boolean _ = Files.deleteIfExists(path);
    }

    /** Every rank calls it after {@link #delete}, with the same number: where the pointer is. */
    public void reset(long to) throws IOException {
        synchronized (ACCESS) {
            close();
            start = to;
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (ACCESS) {
            if (channel != null) {
                channel.close();
                channel = null;
            }
        }
    }
}
