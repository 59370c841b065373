package org.madcast.agent.system;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.madcast.client.Communicator;

/** A rank of a message that is much larger than its heap: the message is a mapped file. */
public final class GiantRank {

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private GiantRank() {}

    /** The arguments are the file, which is made, and the message's size in bytes. */
    public static void main(String[] arguments) throws IOException {
        long bytes = Long.parseLong(arguments[1]);
        try (Communicator communicator = Communicator.fromEnvironment();
                Arena arena = Arena.ofShared();
                FileChannel file =
                        FileChannel.open(
                                Path.of(arguments[0]),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)) {
            MemorySegment message = file.map(MapMode.READ_WRITE, 0, bytes, arena);
            if (communicator.rank() == 0) {
                generate(message);
            }
            communicator.barrier();
            long startNs = System.nanoTime();
            communicator.bcast(message, 0);
            long tookMs = (System.nanoTime() - startNs) / 1_000_000;
            System.out.println("wrong at " + firstWrong(message) + ", took " + tookMs + " ms");
        }
    }

    private static void generate(MemorySegment message) {
        for (long at = 0; at < message.byteSize(); at += Long.BYTES) {
            message.set(ValueLayout.JAVA_LONG, at, (at + 1) * GOLDEN);
        }
    }

    private static long firstWrong(MemorySegment message) {
        for (long at = 0; at < message.byteSize(); at += Long.BYTES) {
            if (message.get(ValueLayout.JAVA_LONG, at) != (at + 1) * GOLDEN) {
                return at;
            }
        }
        return -1;
    }
}
