package org.madcast.measure.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Parent;
import org.madcast.client.MadcastException;

/**
 * One rank of a measurement, a process of its own, whatever system it measures. It joins, says
 * {@code joined}, then does what its parent says, line by line: {@code warm ALGORITHM BYTES COUNT},
 * answered by {@code warm}; {@code prepare ALGORITHM BYTES NUMBER}, answered by {@code ready
 * SENT-BYTES REPAIRS REPAIR-TIMES}; {@code go START-NS DEADLINE-NS CALLS}, answered by {@code exit
 * END-NS ok|corrupt|missing}; {@code quit}. Repair times are {@code EDGE-NS:COUNT,...} or {@code
 * -}.
 *
 * <p>The root of a broadcast starts at the instant that it is given, on the monotonic clock which
 * all processes of a machine share; the receivers are in the call already. Where all ranks send,
 * all start at that instant. Bytes are compared after the end is taken.
 */
public final class BenchRank implements AutoCloseable {

    private static final int ROOT = 0;

    /** A sleep may end 0.1 ms late, so the last of the wait is not slept. */
    private static final long YIELD_NS = 2_000_000;

    private static final long SPIN_NS = 60_000;

    /** After its end a rank keeps still so long, lest it takes the processor from those behind. */
    private static final long SETTLE_NS = 20_000_000;

    private final int rank = Integer.parseInt(environment("MADCAST_RANK", "0"));
    private final BroadcastSystem system;
    private final MessageBuffers buffers;
    private final LinkCounter link;
    private final Arena arena = Arena.ofShared();
    private final Floor floor;
    private final int ranks = Integer.parseInt(environment("MADCAST_SIZE", "1"));
    private Trial current = new Trial(new Cell(Cell.FLOOR, 0), true, 0);
    private MemorySegment message = MemorySegment.NULL;
    private @Nullable CallBuffers calls;

    private BenchRank(BroadcastSystem system, int largestBytes) throws IOException {
        String interfaceName = environment("MADCAST_INTERFACE", "");
        this.system = system;
        buffers = new MessageBuffers(arena, largestBytes);
        link = new LinkCounter(interfaceName);
        floor = new Floor(interfaceName, system.datagramBytes());
    }

    private static String environment(String name, String fallback) {
        return System.getenv().getOrDefault(name, fallback);
    }

    /**
     * Takes part until the parent wants no more; a failure is told to the parent and ends the
     * process. Rank and interface come from the environment.
     *
     * @param arguments the largest message in bytes, then the algorithms
     */
    public static void run(String[] arguments, BroadcastSystem.CommunicatorFactory joining) {
        List<String> words = List.of(arguments);
        int largestBytes = Integer.parseInt(words.getFirst());
        List<String> algorithms = words.subList(1, words.size());
        Parent parent = new Parent();
        try (BroadcastSystem system = joining.join(algorithms);
                BenchRank rank = new BenchRank(system, largestBytes)) {
            Parent.tell("joined");
            rank.obey(parent);
        } catch (MadcastException | IllegalArgumentException | IOException e) {
            Parent.tell("failed " + String.valueOf(e.getMessage()).replace('\n', ' '));
            System.exit(ExitCode.RANK.code());
        }
    }

    private void obey(Parent parent) throws IOException {
        while (true) {
            @Nullable String line = parent.nextLine();
            if (line == null) {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
                return;
            }
            String[] words = line.split(" ");
            switch (words[0]) {
                case "prepare" -> prepare(words);
                case "warm" -> warm(words[1], Integer.parseInt(words[2]), words[3]);
                case "go" ->
                        go(
                                Long.parseLong(words[1]),
                                Long.parseLong(words[2]),
                                Integer.parseInt(words[3]));
                default -> {
                    return;
                }
            }
        }
    }

    private void warm(String algorithm, int sizeBytes, String count) throws IOException {
        Optional<MeasuredCall> call = MeasuredCall.of(algorithm);
        if (call.isPresent()) {
            CallBuffers of = buffersOf(call.get(), sizeBytes);
            system.call(of.call(), of.sent(), of.received(), Integer.parseInt(count));
        } else {
            for (int i = Integer.parseInt(count); i > 0; i--) {
                system.broadcast(algorithm, buffers.emptied(i, sizeBytes));
            }
        }
        Parent.tell("warm");
    }

    /** The buffers of a call, which are kept until another call is measured. */
    private CallBuffers buffersOf(MeasuredCall call, int sizeBytes) {
        CallBuffers kept = calls;
        if (kept == null || kept.call() != call || kept.sizeBytes() != sizeBytes) {
            kept = new CallBuffers(call, sizeBytes, rank, ranks);
            calls = kept;
        }
        return kept;
    }

    private void prepare(String[] words) throws IOException {
        Cell cell = new Cell(words[1], Integer.parseInt(words[2]));
        current = new Trial(cell, false, Integer.parseInt(words[3]));
        Optional<MeasuredCall> call = MeasuredCall.of(cell.algorithm());
        if (cell.isFloor()) {
            if (rank != ROOT) {
                floor.prepareToReceive();
            }
        } else if (call.isPresent()) {
            buffersOf(call.get(), cell.sizeBytes()).fill(current.number());
        } else if (rank == ROOT) {
            message = buffers.filled(current.number(), cell.sizeBytes());
        } else {
            message = buffers.emptied(current.number(), cell.sizeBytes());
        }
        Parent.tell(
                "ready "
                        + link.sentBytes()
                        + " "
                        + system.repairs()
                        + " "
                        + RepairTimes.written(system.repairTimes()));
    }

    private void go(long startNs, long deadlineNs, int count) throws IOException {
        Cell cell = current.cell();
        Optional<CallBuffers> call =
                MeasuredCall.of(cell.algorithm()).map(it -> buffersOf(it, cell.sizeBytes()));
        if (rank == ROOT || call.isPresent()) {
            awaitInstant(startNs);
        }
        boolean complete = true;
        if (call.isPresent()) {
            CallBuffers of = call.get();
            system.call(of.call(), of.sent(), of.received(), count);
        } else if (!cell.isFloor()) {
            for (int i = 0; i < count; i++) {
                system.broadcast(cell.algorithm(), message);
            }
        } else if (rank == ROOT) {
            floor.send(current.number(), cell.sizeBytes());
        } else {
            complete = floor.receive(current.number(), cell.sizeBytes(), deadlineNs);
        }
        long endNs = System.nanoTime();
        LockSupport.parkNanos(SETTLE_NS);
        boolean right =
                call.map(it -> it.isRight(current.number()))
                        .orElseGet(
                                () -> cell.isFloor() || buffers.isRight(message, current.number()));
        Parent.tell("exit " + endNs + " " + (!complete ? "missing" : right ? "ok" : "corrupt"));
    }

    /** Sleeps, then gives way to who wants to run, then spins: begins neither early nor late. */
    @SuppressWarnings("ThreadPriorityCheck") // the loop ends by the clock, whoever runs
    private static void awaitInstant(long instantNs) {
        long leftNs;
        while ((leftNs = instantNs - System.nanoTime()) > 0) {
            if (leftNs > YIELD_NS) {
                LockSupport.parkNanos(leftNs - YIELD_NS);
            } else if (leftNs > SPIN_NS) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        floor.close();
        arena.close();
    }
}
