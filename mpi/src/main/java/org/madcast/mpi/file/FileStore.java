package org.madcast.mpi.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/** One rank's access to a file. Any number of threads may use it. */
public final class FileStore implements AutoCloseable {

    private static final int CHUNK_BYTES = 1 << 18;

    /** Locks of one process are not against each other: threads take turns. */
    private static final Object ATOMIC_ACCESS = new Object();

    private final FileChannel channel;
    private volatile boolean atomic;

    private FileStore(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a file. */
    public static FileStore open(Path path, Set<? extends OpenOption> options) throws IOException {
        if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "Is a directory");
        }
        return new FileStore(FileChannel.open(path, options));
    }

    /** With it, each access excludes overlapping ones of other ranks. */
    public void setAtomic(boolean wanted) {
        atomic = wanted;
    }

    /** Whether accesses exclude each other. */
    public boolean isAtomic() {
        return atomic;
    }

    /** An access to a range of the file. */
    @FunctionalInterface
    private interface Access {
        long run() throws IOException;
    }

    private long locked(View view, long offset, long bytes, boolean shared, Access access)
            throws IOException {
        if (!atomic || bytes == 0) {
            return access.run();
        }
        long first = view.byteOffset(offset);
        long end = view.position(offset * view.etypeBytes() + bytes - 1) + 1;
        synchronized (ATOMIC_ACCESS) {
            try (FileLock _ = channel.lock(first, end - first, shared)) {
                return access.run();
            } catch (OverlappingFileLockException other) {
                throw new IOException("the program itself has locked this part of the file", other);
            }
        }
    }

    /**
     * Reads data from an offset of a view on.
     *
     * @return how many bytes there were before the end of the file
     */
    public long read(View view, long offset, MemorySegment data) throws IOException {
        long[] done = {0};
        ByteBuffer chunk = chunk(data);
        return locked(
                view,
                offset,
                data.byteSize(),
                true,
                () -> {
                    view.forEachBlock(
                            offset,
                            data.byteSize(),
                            (position, bytes) -> {
                                long got = readBlock(position, data.asSlice(done[0], bytes), chunk);
                                done[0] += got;
                                return got == bytes;
                            });
                    return done[0];
                });
    }

    /** Writes data from an offset of a view on. */
    public void write(View view, long offset, MemorySegment data) throws IOException {
        long[] done = {0};
        ByteBuffer chunk = chunk(data);
        long _ =
                locked(
                        view,
                        offset,
                        data.byteSize(),
                        false,
                        () -> {
                            view.forEachBlock(
                                    offset,
                                    data.byteSize(),
                                    (position, bytes) -> {
                                        writeBlock(position, data.asSlice(done[0], bytes), chunk);
                                        done[0] += bytes;
                                        return true;
                                    });
                            return done[0];
                        });
    }

    private static ByteBuffer chunk(MemorySegment data) {
        return ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, data.byteSize()));
    }

    private long readBlock(long position, MemorySegment block, ByteBuffer chunk)
            throws IOException {
        long done = 0;
        while (done < block.byteSize()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), block.byteSize() - done));
            int got = channel.read(chunk, position + done);
            if (got <= 0) {
                break;
            }
            MemorySegment.copy(MemorySegment.ofBuffer(chunk.flip()), 0, block, done, got);
            done += got;
        }
        return done;
    }

    private void writeBlock(long position, MemorySegment block, ByteBuffer chunk)
            throws IOException {
        long done = 0;
        while (done < block.byteSize()) {
            int length = (int) Math.min(chunk.capacity(), block.byteSize() - done);
            chunk.clear().limit(length);
            MemorySegment.copy(block, done, MemorySegment.ofBuffer(chunk), 0, length);
            while (chunk.hasRemaining()) {
                done += channel.write(chunk, position + done);
            }
        }
    }

    /** The file's length. */
    public long size() throws IOException {
        return channel.size();
    }

    /** Shortens the file, or makes it longer with zeros that need no space. */
    public void resize(long size) throws IOException {
        if (size <= channel.size()) {
            FileChannel _ = channel.truncate(size);
        } else {
            MemorySegment zero = MemorySegment.ofArray(new byte[1]);
            writeBlock(size - 1, zero, chunk(zero));
        }
    }

    /** Makes the file at least as long; the new part is written, so that it has its space. */
    public void preallocate(long size) throws IOException {
        MemorySegment zeros = MemorySegment.ofArray(new byte[CHUNK_BYTES]);
        ByteBuffer chunk = chunk(zeros);
        for (long at = channel.size(); at < size; at += CHUNK_BYTES) {
            writeBlock(at, zeros.asSlice(0, Math.min(CHUNK_BYTES, size - at)), chunk);
        }
    }

    /** Returns when what was written is on the device. */
    public void sync() throws IOException {
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
