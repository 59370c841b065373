package org.madcast.agent.demo;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Parent;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MadcastException;

/**
 * One rank of the demonstration, a process of its own: rank 0 broadcasts a file, every rank
 * compares what it got with the digest that rank 0 broadcast before. It tells its parent one JSON
 * object a line: {@code joined}, {@code progress}, then {@code done} or {@code failed}.
 *
 * <p>The first message has 40 bytes: the file's length, 8 bytes in network order, and its SHA-256.
 * The file follows in pieces of {@link #PIECE_BYTES}, so that memory is bounded and a rank that is
 * told to end can leave between two of them.
 */
public final class DemoRank {

    static final long PIECE_BYTES = 8L << 20;
    private static final int ROOT = 0;
    private static final long LONGEST_LEAVE_SECONDS = 3;
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Communicator communicator;

    private DemoRank(Communicator communicator) {
        this.communicator = communicator;
    }

    /** Takes part; the argument is the file, which only rank 0 reads. */
    public static void main(String[] arguments) {
        CountDownLatch over = new CountDownLatch(1);
        Thread participant = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> leaveEarly(participant, over)));
        new Parent().endWithIt(ExitCode.INTERRUPTED.code());
        ExitCode code = run(Path.of(arguments[0]));
        over.countDown();
        System.exit(code.code());
    }

    /** Lets a rank that is told to end leave in good order: the group goes back to the service. */
    private static void leaveEarly(Thread participant, CountDownLatch over) {
        participant.interrupt();
        try {
            boolean _ = over.await(LONGEST_LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExitCode run(Path file) {
        try (Communicator communicator = Communicator.fromEnvironment()) {
            Parent.tell(JsonWriter.string(joined(communicator.info())));
            return new DemoRank(communicator).broadcast(file);
        } catch (MadcastException | IllegalArgumentException | IOException e) {
            return fail(e);
        }
    }

    private static ExitCode fail(Exception e) {
        JsonObject failed = new JsonObject();
        failed.put("event", "failed");
        failed.put("message", String.valueOf(e.getMessage()));
        Parent.tell(JsonWriter.string(failed));
        return ExitCode.RANK;
    }

    private static JsonObject joined(CommunicatorInfo info) {
        JsonObject joined = new JsonObject();
        joined.put("event", "joined");
        joined.put("group", info.group().toString());
        joined.put("groupSource", info.groupSource().name());
        joined.put("scope", info.scope());
        joined.put("leaseId", info.leaseId());
        joined.put(
                "leaseExpiresAt",
                info.leaseExpiresAt() == null ? null : String.valueOf(info.leaseExpiresAt()));
        joined.put("datagramBytes", info.local().datagramBytes());
        joined.put("socketPath", info.local().socketPath());
        return joined;
    }

    private ExitCode broadcast(Path file) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            if (communicator.rank() != ROOT) {
                return receive(arena);
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return send(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena), arena);
            }
        }
    }

    private ExitCode send(MemorySegment content, Arena arena) {
        Sha256 digest = new Sha256();
        digest.update(content);
        MemorySegment sha256 = MemorySegment.ofArray(digest.finish());
        MemorySegment header = arena.allocate(Long.BYTES + Sha256.BYTES);
        header.set(LENGTH, 0, content.byteSize());
        header.asSlice(Long.BYTES).copyFrom(sha256);
        communicator.bcast(header, ROOT);
        long startNs = System.nanoTime();
        for (long offset = 0; offset == 0 || offset < content.byteSize(); offset += PIECE_BYTES) {
            long pieceBytes = Math.min(PIECE_BYTES, content.byteSize() - offset);
            communicator.bcast(content.asSlice(offset, pieceBytes), ROOT);
            if (Thread.currentThread().isInterrupted()) {
                return ExitCode.INTERRUPTED;
            }
        }
        return done(startNs, System.nanoTime(), content.byteSize(), sha256, sha256);
    }

    private ExitCode receive(Arena arena) {
        MemorySegment header = arena.allocate(Long.BYTES + Sha256.BYTES);
        communicator.bcast(header, ROOT);
        long startNs = System.nanoTime();
        long lengthBytes = header.get(LENGTH, 0);
        MemorySegment buffer = arena.allocate(Math.clamp(lengthBytes, 1, PIECE_BYTES));
        Sha256 digest = new Sha256();
        long endNs = startNs;
        try (Progress _ = new Progress(communicator, lengthBytes)) {
            for (long offset = 0; offset == 0 || offset < lengthBytes; offset += PIECE_BYTES) {
                long pieceBytes = Math.min(PIECE_BYTES, lengthBytes - offset);
                MemorySegment piece = buffer.asSlice(0, pieceBytes);
                communicator.bcast(piece, ROOT);
                endNs = System.nanoTime();
                digest.update(piece);
                if (Thread.currentThread().isInterrupted()) {
                    return ExitCode.INTERRUPTED;
                }
            }
        }
        MemorySegment expected = header.asSlice(Long.BYTES);
        return done(startNs, endNs, lengthBytes, MemorySegment.ofArray(digest.finish()), expected);
    }

    private ExitCode done(
            long startNs, long endNs, long bytes, MemorySegment actual, MemorySegment expected) {
        boolean agrees = actual.mismatch(expected) == -1;
        CommunicatorStatistics statistics = communicator.statistics();
        JsonObject done = new JsonObject();
        done.put("event", "done");
        done.put("startNs", startNs);
        done.put("endNs", endNs);
        done.put("bytes", bytes);
        done.put("sha256", HexFormat.of().formatHex(actual.toArray(ValueLayout.JAVA_BYTE)));
        done.put("checksumOk", agrees);
        done.put("datagramsSent", statistics.datagramsSent());
        done.put("datagramsReceived", statistics.datagramsReceived());
        done.put("fragmentsLost", statistics.fragmentsLost());
        done.put("repairsReceived", statistics.repairsReceived());
        done.put("repairsSent", statistics.repairsSent());
        Parent.tell(JsonWriter.string(done));
        return agrees ? ExitCode.OK : ExitCode.CHECKSUM;
    }
}
