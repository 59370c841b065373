package org.madcast.measure.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Parent;
import org.madcast.client.MadcastException;

/**
 * One rank of a measurement, a process of its own, whatever system it measures. It joins, says
 * {@code joined}, then does what its parent says, line by line:
 *
 * <ul>
 *   <li>{@code warm ALGORITHM BYTES COUNT ROOT}, answered by {@code warm};
 *   <li>{@code prepare ALGORITHM BYTES NUMBER ROOT}, answered by {@code ready SENT-BYTES REPAIRS
 *       REPAIR-TIMES NOW-NS}. Repair times are {@code EDGE-NS:COUNT,...} or {@code -};
 *   <li>{@code go START-NS DEADLINE-NS CALLS [all] [meet]}, answered by {@code exit END-NS
 *       ok|corrupt|missing BEGAN-NS ANSWERED-NS}; {@code all}: receivers wait for the start, too;
 *       {@code meet}: after a barrier;
 *   <li>{@code overlap START-NS COMPUTE-NS busy|idle}, answered likewise, but with how long the
 *       rank was held up in the place of the last time;
 *   <li>{@code clock-open}, answered by {@code clock PORT}, and {@code clock HOST PORT}, answered
 *       by {@code difference CLOCK-NS SHORTEST-NS USUAL-NS AT-NS};
 *   <li>{@code done HOST PORT NUMBER}: tells the clock there when the next call is over, and {@code
 *       await NUMBER}: the next call is over when this rank was told so; both have no answer;
 *   <li>{@code quit}.
 * </ul>
 *
 * <p>Instants are on this rank's monotonic clock, or, after a {@code +}, from now on. The root of a
 * broadcast starts at the instant that it is given; the receivers are in the call already. Where
 * all ranks send, all start at their instants. Bytes are compared after the end is taken.
 */
public final class BenchRank implements AutoCloseable {

    private static final int FLOOR_ROOT = 0;

    /** A sleep may end 0.1 ms late, so the last of the wait is not slept. */
    private static final long YIELD_NS = 2_000_000;

    private static final long SPIN_NS = 60_000;

    /** After its end a rank keeps still so long, lest it takes the processor from those behind. */
    private static final long SETTLE_NS = 20_000_000;

    /** Which rank is to be told that this one is done. */
    private record Told(InetSocketAddress place, long number) {}

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
    private @Nullable ClockPort clock;
    private @Nullable Told told;
    private long awaited = -1;

    private BenchRank(BroadcastSystem system, int largestBytes) throws IOException {
        this.system = system;
        buffers = new MessageBuffers(arena, largestBytes);
        link = new LinkCounter(system.interfaceName());
        floor = new Floor(system.interfaceName(), system.datagramBytes());
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
                case "warm" -> warm(cell(words), Integer.parseInt(words[3]));
                case "go" -> go(words);
                case "overlap" -> overlap(words);
                case "clock-open" -> Parent.tell("clock " + clock().port());
                case "clock" -> compare(words[1], Integer.parseInt(words[2]));
                case "done" -> told = told(words);
                case "await" -> awaited = Long.parseLong(words[1]);
                default -> {
                    return;
                }
            }
        }
    }

    /** The cell of a line {@code WORD ALGORITHM BYTES NUMBER ROOT}. */
    private static Cell cell(String[] words) {
        return new Cell(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[4]));
    }

    private static Told told(String[] words) {
        InetSocketAddress place = new InetSocketAddress(words[1], Integer.parseInt(words[2]));
        return new Told(place, Long.parseLong(words[3]));
    }

    private ClockPort clock() throws IOException {
        ClockPort opened = clock;
        if (opened == null) {
            opened = new ClockPort(environment("MADCAST_JOB_ID", ""));
            clock = opened;
        }
        return opened;
    }

    private void compare(String host, int port) throws IOException {
        ClockPort.Difference found = clock().compare(host, port);
        Parent.tell(
                "difference %d %d %d %d"
                        .formatted(
                                found.differenceNs(),
                                found.roundTripNs(),
                                found.usualNs(),
                                found.atNs()));
    }

    private void warm(Cell cell, int count) throws IOException {
        Optional<MeasuredCall> call = MeasuredCall.of(cell.algorithm());
        if (call.isPresent()) {
            CallBuffers of = buffersOf(call.get(), cell);
            system.call(cell.algorithm(), of.sent(), of.received(), cell.root(), count);
        } else {
            for (int i = count; i > 0; i--) {
                MemorySegment emptied = buffers.emptied(i, cell.sizeBytes());
                system.broadcast(cell.algorithm(), emptied, cell.root());
            }
        }
        Parent.tell("warm");
    }

    /** The buffers of a call, which are kept until another call is measured. */
    private CallBuffers buffersOf(MeasuredCall call, Cell cell) {
        CallBuffers kept = calls;
        if (kept == null
                || kept.call() != call
                || kept.sizeBytes() != cell.sizeBytes()
                || kept.root() != cell.root()) {
            kept = new CallBuffers(call, cell.sizeBytes(), rank, ranks, cell.root());
            calls = kept;
        }
        return kept;
    }

    private Optional<CallBuffers> buffersOfCurrent() {
        Cell cell = current.cell();
        return MeasuredCall.of(cell.algorithm()).map(call -> buffersOf(call, cell));
    }

    private void prepare(String[] words) throws IOException {
        current = new Trial(cell(words), false, Integer.parseInt(words[3]));
        Cell cell = current.cell();
        Optional<CallBuffers> call = buffersOfCurrent();
        if (cell.isFloor()) {
            if (rank != FLOOR_ROOT) {
                floor.prepareToReceive();
            }
        } else if (call.isPresent()) {
            call.get().fill(current.number());
        } else if (rank == cell.root()) {
            message = buffers.filled(current.number(), cell.sizeBytes());
        } else {
            message = buffers.emptied(current.number(), cell.sizeBytes());
        }
        Parent.tell(
                "ready %d %d %s %d"
                        .formatted(
                                link.sentBytes(),
                                system.repairs(),
                                RepairTimes.written(system.repairTimes()),
                                System.nanoTime()));
    }

    private void go(String[] words) throws IOException {
        long heardNs = System.nanoTime();
        long deadlineNs = instant(words[2], heardNs);
        List<String> flags = List.of(words).subList(4, words.length);
        Cell cell = current.cell();
        if (rank == cell.root()
                || MeasuredCall.of(cell.algorithm()).isPresent()
                || flags.contains("all")) {
            awaitInstant(instant(words[1], heardNs));
        }
        if (flags.contains("meet")) {
            system.meet(cell.algorithm());
        }
        long beganNs = System.nanoTime();
        boolean complete = perform(Integer.parseInt(words[3]), deadlineNs);
        long endNs = System.nanoTime();
        exit(endNs, complete, beganNs, answeredNs());
    }

    /** Tells the rank that times this one, or waits for the one that this one times. */
    private long answeredNs() throws IOException {
        Told to = told;
        if (to != null) {
            clock().sayDone(to.place(), to.number());
            told = null;
        }
        long number = awaited;
        awaited = -1;
        return number < 0 ? 0 : clock().awaitDone(number);
    }

    private static long instant(String word, long nowNs) {
        return word.startsWith("+")
                ? nowNs + Long.parseLong(word.substring(1))
                : Long.parseLong(word);
    }

    /** Makes the calls; false when something did not arrive before the deadline. */
    private boolean perform(int count, long deadlineNs) throws IOException {
        Cell cell = current.cell();
        Optional<CallBuffers> call = buffersOfCurrent();
        if (call.isPresent()) {
            CallBuffers of = call.get();
            system.call(cell.algorithm(), of.sent(), of.received(), cell.root(), count);
        } else if (!cell.isFloor()) {
            for (int i = 0; i < count; i++) {
                system.broadcast(cell.algorithm(), message, cell.root());
            }
        } else if (rank == FLOOR_ROOT) {
            floor.send(current.number(), cell.sizeBytes());
        } else {
            return floor.receive(current.number(), cell.sizeBytes(), deadlineNs);
        }
        return true;
    }

    private void overlap(String[] words) {
        awaitInstant(instant(words[1], System.nanoTime()));
        Cell cell = current.cell();
        Optional<CallBuffers> call = buffersOfCurrent();
        MemorySegment sent = call.map(CallBuffers::sent).orElse(message);
        MemorySegment received = call.map(CallBuffers::received).orElse(message);
        long beganNs = System.nanoTime();
        CompletableFuture<Void> underWay =
                system.begin(cell.algorithm(), sent, received, cell.root());
        long begunNs = System.nanoTime();
        Computation.run(Long.parseLong(words[2]), words[3].equals("idle"));
        long computedNs = System.nanoTime();
        underWay.join();
        long endNs = System.nanoTime();
        exit(endNs, true, beganNs, begunNs - beganNs + endNs - computedNs);
    }

    private void exit(long endNs, boolean complete, long beganNs, long furtherNs) {
        LockSupport.parkNanos(SETTLE_NS);
        boolean right =
                buffersOfCurrent()
                        .map(it -> it.isRight(current.number()))
                        .orElseGet(() ->
                                current.cell().isFloor()
                                        || buffers.isRight(message, current.number()));
        String how = !complete ? "missing" : right ? "ok" : "corrupt";
        Parent.tell("exit %d %s %d %d".formatted(endNs, how, beganNs, furtherNs));
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
        if (clock != null) {
            clock.close();
        }
        floor.close();
        arena.close();
    }
}
