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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Parent;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MadcastException;

/**
 * One rank of the demonstration, a process of its own: rank 0 broadcasts a file, every rank
 * compares what it got with the digest that rank 0 broadcast before. It joins when its parent sends
 * a line, and sends its parent one JSON object a line: {@code joined}, {@code progress}, then
 * {@code done} or {@code failed}.
 *
 * <p>The first message has 40 bytes: the file's length, 8 bytes in network order, and its SHA-256.
 * The file follows in pieces of {@link #PIECE_BYTES}, so that memory is bounded and a rank that is
 * asked to end can leave between two of them. A piece is digested while the next one arrives.
 */
public final class DemoRank {

    static final long PIECE_BYTES = 4L << 20;
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
        Parent parent = new Parent();
        ExitCode code;
        try (Arena arena = Arena.ofShared()) {
            CommunicatorConfig config = CommunicatorConfig.fromEnvironment();
            Source source =
                    config.rank() == ROOT ? Source.read(Path.of(arguments[0]), arena) : null;
            if (parent.nextLine() == null) {
                System.exit(ExitCode.INTERRUPTED.code());
            }
            CountDownLatch over = new CountDownLatch(1);
            Thread participant = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> leaveEarly(participant, over)));
            parent.endWithIt(ExitCode.INTERRUPTED.code());
            code = run(config, source, arena);
            over.countDown();
        } catch (IllegalArgumentException | IOException e) {
            code = fail(e);
        }
        System.exit(code.code());
    }

    /** Lets a rank that is asked to end leave in good order: the group goes back to the service. */
    private static void leaveEarly(Thread participant, CountDownLatch over) {
        participant.interrupt();
        try {
            boolean _ = over.await(LONGEST_LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExitCode run(CommunicatorConfig config, @Nullable Source source, Arena arena) {
        try (Communicator communicator = Communicator.join(config)) {
            Parent.tell(JsonWriter.string(joined(communicator.info())));
            DemoRank rank = new DemoRank(communicator);
            return source == null ? rank.receive(arena) : rank.send(source, arena);
        } catch (MadcastException e) {
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
        joined.put("group", String.valueOf(info.group()));
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

    /**
     * The file and its digest.
     *
     * @param content mapped
     */
    private record Source(MemorySegment content, MemorySegment sha256) {

        static Source read(Path file, Arena arena) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                MemorySegment content = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
                try (Sha256 digest = new Sha256()) {
                    digest.update(content);
                    return new Source(content, MemorySegment.ofArray(digest.finish()));
                }
            }
        }
    }

    private ExitCode send(Source source, Arena arena) {
        MemorySegment content = source.content();
        MemorySegment header = arena.allocate(Long.BYTES + Sha256.BYTES);
        header.set(LENGTH, 0, content.byteSize());
        header.asSlice(Long.BYTES).copyFrom(source.sha256());
        communicator.bcast(header, ROOT);
        long startNs = System.nanoTime();
        for (long offset = 0; offset == 0 || offset < content.byteSize(); offset += PIECE_BYTES) {
            long pieceBytes = Math.min(PIECE_BYTES, content.byteSize() - offset);
            communicator.bcast(content.asSlice(offset, pieceBytes), ROOT);
            if (Thread.currentThread().isInterrupted()) {
                return ExitCode.INTERRUPTED;
            }
        }
        long endNs = System.nanoTime();
        return done(startNs, endNs, content.byteSize(), source.sha256(), source.sha256());
    }

    private ExitCode receive(Arena arena) {
        MemorySegment header = arena.allocate(Long.BYTES + Sha256.BYTES);
        communicator.bcast(header, ROOT);
        long startNs = System.nanoTime();
        long lengthBytes = header.get(LENGTH, 0);
        long bufferBytes = Math.clamp(lengthBytes, 1, PIECE_BYTES);
        MemorySegment[] buffers = {arena.allocate(bufferBytes), arena.allocate(bufferBytes)};
        long endNs = startNs;
        try (Sha256 digest = new Sha256();
                Progress _ = new Progress(communicator, lengthBytes)) {
            for (long offset = 0; offset == 0 || offset < lengthBytes; offset += PIECE_BYTES) {
                long pieceBytes = Math.min(PIECE_BYTES, lengthBytes - offset);
                MemorySegment buffer = buffers[(int) (offset / PIECE_BYTES % buffers.length)];
                MemorySegment piece = buffer.asSlice(0, pieceBytes);
                communicator.bcast(piece, ROOT);
                endNs = System.nanoTime();
                // Waits for the piece before, so that its buffer is free for the next one.
                digest.update(piece);
                if (Thread.currentThread().isInterrupted()) {
                    return ExitCode.INTERRUPTED;
                }
            }
            MemorySegment expected = header.asSlice(Long.BYTES);
            MemorySegment actual = MemorySegment.ofArray(digest.finish());
            return done(startNs, endNs, lengthBytes, actual, expected);
        }
    }

    /** Reports ten times a second which part of the file has arrived; on one rank only. */
    private static final class Progress implements AutoCloseable {

        private static final long PERIOD_MS = 100;
        private static final int REPORTER = 1;

        private final Communicator communicator;
        private final double fragments;
        private final Thread reporter;

        Progress(Communicator communicator, long lengthBytes) {
            this.communicator = communicator;
            this.fragments = (double) lengthBytes / communicator.info().local().datagramBytes();
            Thread.Builder builder = Thread.ofPlatform().daemon().name("progress");
            this.reporter = builder.unstarted(this::report);
            if (communicator.rank() == REPORTER) {
                reporter.start();
            }
        }

        private void report() {
            try {
                while (true) {
                    Thread.sleep(PERIOD_MS);
                    double part = communicator.statistics().fragmentsUseful() / fragments;
                    Parent.tell(
                            String.format(
                                    Locale.ROOT,
                                    "{\"event\":\"progress\",\"part\":%.3f}",
                                    Math.min(1, part)));
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            reporter.interrupt();
        }
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

    /** Computes a SHA-256 on a thread of its own. */
    private static final class Sha256 implements AutoCloseable {

        static final int BYTES = 32;

        private static final long STEP_BYTES = 1 << 20;

        private final ExecutorService thread =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
        private final MessageDigest digest;
        private Future<?> pending = CompletableFuture.completedFuture(null);

        Sha256() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Begins with this part when the one before is done, and returns then. */
        void update(MemorySegment content) {
            await();
            pending = thread.submit(() -> add(content));
        }

        private void add(MemorySegment content) {
            for (long offset = 0; offset < content.byteSize(); offset += STEP_BYTES) {
                long stepBytes = Math.min(STEP_BYTES, content.byteSize() - offset);
                digest.update(content.asSlice(offset, stepBytes).asByteBuffer());
            }
        }

        byte[] finish() {
            await();
            return digest.digest();
        }

        private void await() {
            boolean interrupted = false;
            while (true) {
                try {
                    pending.get();
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits for the part that is being digested: its memory may be freed afterwards. */
        @Override
        public void close() {
            await();
            thread.shutdown();
        }
    }
}
