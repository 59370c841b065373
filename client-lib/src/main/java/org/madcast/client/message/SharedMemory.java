package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory that two ranks of one host have in common: a {@link SharedRing} in each direction. It has
 * a name, which only the two can know, until both have it; the kernel frees it when neither maps it
 * any more.
 */
final class SharedMemory {

    private static final System.Logger LOG = System.getLogger(SharedMemory.class.getName());

    /** Files in memory, on Linux. */
    private static final Path FOLDER = Path.of("/dev/shm");

    private static final int LEAST_RING_BYTES = 1 << 14;
    private static final int MOST_RING_BYTES = 1 << 18;

    /** What all pairs of ranks of a host together take, if the rings need not be shorter for it. */
    private static final int HOST_BYTES = 32 << 20;

    private final MemorySegment memory;
    private final Path file;

    private SharedMemory(MemorySegment memory, Path file) {
        this.memory = memory;
        this.file = file;
    }

    private static Path file(String name) {
        return FOLDER.resolve("madcast-" + name);
    }

    /** The length of a ring by the number of ranks on the host: a power of two. */
    static int ringBytes(int ranks) {
        long rings = Math.max(1, (long) ranks * (ranks - 1));
        return Math.clamp(
                Long.highestOneBit(HOST_BYTES / rings), LEAST_RING_BYTES, MOST_RING_BYTES);
    }

    /** Makes such memory; null where there is none, or little left. */
    static @Nullable SharedMemory create(String name, int ringBytes) {
        Path file = file(name);
        try {
            if (!Files.isDirectory(FOLDER)) {
                return null;
            }
            FileStore store = Files.getFileStore(FOLDER);
            if (store.getUsableSpace() < store.getTotalSpace() / 2) {
                return null;
            }
            Set<OpenOption> options =
                    Set.of(
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            try (FileChannel channel =
                    FileChannel.open(
                            file,
                            options,
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")))) {
                // Written, so that it has its memory: a mapping would find out by a signal.
                ByteBuffer zeros = ByteBuffer.allocate(2 * (SharedRing.HEADER_BYTES + ringBytes));
                while (zeros.hasRemaining()) {
                    int _ = channel.write(zeros);
                }
                return map(channel, file);
            }
        } catch (IOException | UnsupportedOperationException | SecurityException none) {
            LOG.log(Level.DEBUG, "no shared memory", none);
            delete(file);
            return null;
        }
    }

    /** Takes what another rank of this host has made; null when this one cannot. */
    static @Nullable SharedMemory open(String name) {
        Path file = file(name);
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(file, options)) {
            long ringBytes = channel.size() / 2 - SharedRing.HEADER_BYTES;
            boolean valid =
                    Long.bitCount(ringBytes) == 1
                            && ringBytes >= LEAST_RING_BYTES
                            && ringBytes <= MOST_RING_BYTES;
            return valid ? map(channel, file) : null;
        } catch (IOException | UnsupportedOperationException notHere) {
            LOG.log(Level.DEBUG, "the other rank's memory cannot be mapped", notHere);
            return null;
        }
    }

    private static SharedMemory map(FileChannel channel, Path file) throws IOException {
        // Freed by the collector, since threads look at it without a lock.
        Arena arena = Arena.ofAuto();
        return new SharedMemory(
                channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena), file);
    }

    /** The ring from the rank that has made the memory to the other, or back. */
    SharedRing ring(boolean fromMaker) {
        long half = memory.byteSize() / 2;
        return new SharedRing(memory.asSlice(fromMaker ? 0 : half, half));
    }

    /** Takes its name away. */
    void unlink() {
        delete(file);
    }

    private static void delete(Path file) {
        try {
            boolean _ = Files.deleteIfExists(file);
        } catch (IOException stays) {
            LOG.log(Level.DEBUG, "deleting {0}: {1}", file, stays.getMessage());
        }
    }
}
