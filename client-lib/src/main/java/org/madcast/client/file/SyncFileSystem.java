package org.madcast.client.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code syncfs(2)}: everything that was written to a file system, at once, instead of one {@code
 * fsync} for each of thousands of small files. Any thread.
 */
final class SyncFileSystem {

    /** {@code open}; public since native calls can only take the shape of public interfaces. */
    public interface Open {
        /** Calls it. */
        int call(MemorySegment path, int flags);
    }

    /** A call with a file descriptor. */
    public interface Descriptor {
        /** Calls it. */
        int call(int descriptor);
    }

    private static final int O_RDONLY = 0;
    private static final Optional<SyncFileSystem> INSTANCE = bindAll();

    private final Open open;
    private final Descriptor syncfs;
    private final Descriptor close;

    private SyncFileSystem(Open open, Descriptor syncfs, Descriptor close) {
        this.open = open;
        this.syncfs = syncfs;
        this.close = close;
    }

    private static Optional<SyncFileSystem> bindAll() {
        SymbolLookup symbols = NativeFunctions.ofSystem();
        boolean linux = System.getProperty("os.name", "").equals("Linux");
        if (!linux || symbols.find("syncfs").isEmpty()) {
            return Optional.empty();
        }
        FunctionDescriptor ofDescriptor = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
        return Optional.of(
                new SyncFileSystem(
                        NativeFunctions.bind(
                                symbols,
                                Open.class,
                                "open",
                                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                                Linker.Option.firstVariadicArg(2)),
                        NativeFunctions.bind(symbols, Descriptor.class, "syncfs", ofDescriptor),
                        NativeFunctions.bind(symbols, Descriptor.class, "close", ofDescriptor)));
    }

    /** Writes the file system that holds this directory to its disk; false when it cannot. */
    static boolean holding(Path directory) {
        return INSTANCE.isPresent() && INSTANCE.get().sync(directory);
    }

    private boolean sync(Path directory) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = open.call(arena.allocateFrom(directory.toString()), O_RDONLY);
            if (descriptor < 0) {
                return false;
            }
            try {
                return syncfs.call(descriptor) == 0;
            } finally {
                int _ = close.call(descriptor);
            }
        }
    }
}
