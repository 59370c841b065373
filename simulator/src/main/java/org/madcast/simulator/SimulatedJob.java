package org.madcast.simulator;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.DurationDistribution;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.internal.SelectionTables;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.Dissemination;
import org.madcast.client.protocol.DurationHistogram;
import org.madcast.client.protocol.EngineConfig;
import org.madcast.client.protocol.Failure;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.protocol.RateLimits;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.RunResult;
import org.madcast.netsim.Simulation;

/**
 * A job whose ranks have met: broadcasts from rank 0, one at a time, each isolated as those of
 * {@code madcast bench} are. For one thread; closing frees the engines' memory.
 */
public final class SimulatedJob implements AutoCloseable {

    private static final int ROOT = 0;
    private static final int PART_OF_A_CALL = 1;
    private static final long TOKEN = 0x6d616463617374L;
    private static final long PROBE_TIMEOUT_NS = 1_000_000_000;
    private static final long LOOK_NS = 1_000_000;
    private static final long LONGEST_JOINING_NS = 60_000_000_000L;
    private static final long LONGEST_CALL_NS = 24L * 3600 * 1_000_000_000;

    /** Between two broadcasts: by then all that belongs to the one before is over. */
    private static final long SETTLE_NS = 20_000_000;

    private final JobSettings settings;
    private final Simulation simulation;
    private final Arena arena = Arena.ofConfined();
    private final List<BroadcastEngine> engines = new ArrayList<>();
    private final AlgorithmChoice choice;
    private final RandomStream random;
    private final List<Dissemination> disseminations;
    private final boolean[] inCall;

    /** Of a stream, how many broadcasts each rank is still to call after the present one. */
    private final int[] left;

    private final long[] begunNs;
    private final long[] doneNs;

    /** How long each rank has been in its calls. */
    private final long[] heldNs;

    private IntConsumer nextCall = _ -> {};
    private int callsPending;
    private int broadcasts;

    /** Makes the job and lets its ranks meet. */
    public SimulatedJob(JobSettings settings) {
        this(settings, Ways.byRank());
    }

    /**
     * The same with other ways of the algorithms.
     *
     * @param ways along which ranks data goes
     */
    public SimulatedJob(JobSettings settings, Ways ways) {
        this.settings = settings;
        this.disseminations = ways.byCode();
        left = new int[settings.ranks()];
        int size = settings.ranks();
        BroadcastParameters parameters = BroadcastParameters.defaults();
        choice = new AlgorithmChoice(parameters, SelectionTables.of(parameters), size);
        random = RandomStream.of(settings.seed(), "calls");
        inCall = new boolean[size];
        begunNs = new long[size];
        doneNs = new long[size];
        heldNs = new long[size];
        for (int rank = 0; rank < size; rank++) {
            engines.add(new BroadcastEngine(config(rank, parameters), arena, 0));
        }
        simulation = SimulatedHosts.of(settings, engines.stream().map(EngineNode::new).toList());
        simulation.afterStep(this::afterStep);
        join();
    }

    private EngineConfig config(int rank, BroadcastParameters parameters) {
        return new EngineConfig(
                rank,
                settings.ranks(),
                TOKEN,
                JobSettings.DATAGRAM_BYTES,
                settings.window(),
                parameters.useCrcChecking(),
                parameters.deathTimeout().toNanos(),
                PROBE_TIMEOUT_NS,
                new RateLimits(
                        parameters.rateBitsPerSecond(),
                        parameters.followsSlowest(),
                        parameters.catchUp().toNanos()),
                parameters.gatherTime().toNanos(),
                disseminations,
                Algorithm.CHAIN.code());
    }

    /** Until every rank knows whether multicast works. */
    private void join() {
        while (engines.stream().anyMatch(it -> it.groupState() == GroupState.PROBING)) {
            RunResult result = simulation.run(simulation.nowNs() + LOOK_NS);
            if (result == RunResult.IDLE || simulation.nowNs() > LONGEST_JOINING_NS) {
                throw new SimulationFailure("the ranks do not agree whether multicast works");
            }
        }
    }

    /** How many events the network has seen. */
    public long eventCount() {
        return simulation.eventCount();
    }

    /**
     * Broadcasts a message from rank 0 to all others and waits for the last of them.
     *
     * @throws SimulationFailure when a rank ends its call without the message
     */
    public Outcome broadcast(Algorithm algorithm, int sizeBytes) {
        int number = broadcasts++;
        MessageMemory memory =
                new MessageMemory(engines.size(), sizeBytes, settings.seed(), number);
        return run(
                "%s of %d bytes".formatted(algorithm.label(), sizeBytes),
                rank -> begin(rank, it -> call(it, algorithm, memory.of(it), ROOT)),
                ROOT,
                memory::corrupt);
    }

    /**
     * Has each rank broadcast a part to all, in one call.
     *
     * @throws SimulationFailure when a rank ends its call without all parts
     */
    Outcome allgather(int partBytes) {
        MemorySegment part = MemorySegment.ofArray(new byte[partBytes]);
        return run(
                "a part of %d bytes of each rank".formatted(partBytes),
                rank -> begin(rank, it -> callParts(it, part)),
                Outcome.ALL,
                () -> 0);
    }

    /** Has all ranks wait for each other. */
    Outcome barrier() {
        return run(
                "a barrier",
                rank ->
                        begin(
                                rank,
                                it -> {
                                    long _ = engines.get(it).barrier(simulation.nowNs());
                                }),
                Outcome.ALL,
                () -> 0);
    }

    /** Has every rank start what becomes a call of it. */
    private Outcome run(String what, IntConsumer start, int sender, IntSupplier corrupt) {
        long quietNs = SETTLE_NS + random.nextLong(SETTLE_NS);
        RunResult _ = simulation.run(simulation.nowNs() + quietNs);
        RankTotals before = totals();
        long startNs = simulation.nowNs();
        callsPending = engines.size();
        for (int rank = 0; rank < engines.size(); rank++) {
            int self = rank;
            simulation.at(startNs + lateNs(rank), () -> spend(self, () -> start.accept(self)));
        }
        RunResult result = simulation.runUntil(() -> callsPending == 0, startNs + LONGEST_CALL_NS);
        if (result != RunResult.DONE) {
            throw new SimulationFailure(what + " does not end");
        }
        RankTotals counted = totals().minus(before);
        return Outcome.of(
                startNs,
                doneNs,
                sender,
                counted.rootTxBytes(),
                counted.repairs(),
                counted.repairTimes(),
                corrupt.getAsInt());
    }

    /**
     * Broadcasts a message {@code n} times, each rank calling as soon as its call before has ended.
     *
     * @return the time until the last rank's last call ended, divided by their number
     * @throws SimulationFailure when a rank ends its call without the message
     */
    public double stream(Algorithm algorithm, int sizeBytes, int count) {
        Arrays.fill(left, count - 1);
        nextCall =
                rank ->
                        begin(
                                rank,
                                it ->
                                        call(
                                                it,
                                                algorithm,
                                                MemorySegment.ofArray(new byte[sizeBytes]),
                                                ROOT));
        Outcome outcome = broadcast(algorithm, sizeBytes);
        nextCall = _ -> {};
        return (double) outcome.lastNs() / count;
    }

    /**
     * Carries out rounds of a program. Ranks compute on processors of their own: what arrives
     * meanwhile is taken and handed on as it is otherwise.
     *
     * @param count how many, from round 0 on
     * @throws SimulationFailure when a rank ends its call without the message
     */
    public RoundTimes rounds(Algorithm algorithm, RoundProgram program, int count) {
        int longest = IntStream.range(0, count).map(program::bytes).max().orElse(0);
        List<MemorySegment> memory =
                engines.stream().map(_ -> MemorySegment.ofArray(new byte[longest])).toList();
        IntConsumer round =
                rank -> {
                    int number = count - 1 - left[rank];
                    MemorySegment message = memory.get(rank).asSlice(0, program.bytes(number));
                    int root = program.root(number);
                    simulation.compute(
                            rank,
                            program.computingNs(rank, number),
                            () -> begin(rank, it -> call(it, algorithm, message, root)));
                };
        Arrays.fill(left, count - 1);
        Arrays.fill(heldNs, 0);
        nextCall = round;
        Outcome outcome = run(count + " rounds", round, Outcome.ALL, () -> 0);
        nextCall = _ -> {};
        double heldMeanNs = Arrays.stream(heldNs).average().orElse(0);
        return new RoundTimes(
                outcome.lastNs(), heldMeanNs + (double) count * settings.costs().overheadNs());
    }

    private long lateNs(int rank) {
        return rank == ROOT ? 0 : random.nextLong(settings.skewNs() + 1);
    }

    private void begin(int rank, IntConsumer call) {
        inCall[rank] = true;
        begunNs[rank] = simulation.nowNs();
        call.accept(rank);
        simulation.touch(rank);
    }

    private void call(int rank, Algorithm named, MemorySegment message, int root) {
        BroadcastEngine engine = engines.get(rank);
        long _ = engine.call(simulation.nowNs(), message, root, code(engine, named, message));
    }

    private int code(BroadcastEngine engine, @Nullable Algorithm named, MemorySegment message) {
        boolean works = engine.groupState() == GroupState.MULTICAST;
        Algorithm used = choice.algorithm(named, message.byteSize(), works);
        return choice.code(used, named, message.byteSize());
    }

    private void callParts(int rank, MemorySegment part) {
        BroadcastEngine engine = engines.get(rank);
        int code = code(engine, null, part);
        for (int root = 0; root < engines.size(); root++) {
            long _ = engine.callPart(simulation.nowNs(), part, root, code, PART_OF_A_CALL);
        }
    }

    private void afterStep(int rank) {
        if (!inCall[rank]) {
            return;
        }
        BroadcastEngine engine = engines.get(rank);
        Failure failure = engine.failure();
        if (failure != null) {
            throw new SimulationFailure("rank " + rank + ": " + failure.describe());
        }
        if (engine.callPending()) {
            return;
        }
        inCall[rank] = false;
        spend(rank, () -> done(rank));
    }

    /** The overhead of a call's begin or end, and then what is behind it. */
    private void spend(int rank, Runnable then) {
        simulation.compute(rank, settings.costs().overheadNs(), then);
    }

    private void done(int rank) {
        doneNs[rank] = simulation.nowNs();
        heldNs[rank] += doneNs[rank] - begunNs[rank];
        if (left[rank] > 0) {
            left[rank]--;
            spend(rank, () -> nextCall.accept(rank));
        } else {
            callsPending--;
        }
    }

    private RankTotals totals() {
        long repairs = 0;
        Map<Long, Long> times = new TreeMap<>();
        for (BroadcastEngine engine : engines) {
            repairs += engine.counters().repairsReceived();
            DurationHistogram histogram = engine.repairTimes();
            for (int i = 0; histogram.count() > 0 && i < histogram.buckets(); i++) {
                times.merge(histogram.edgeNs(i), histogram.count(i), Long::sum);
            }
        }
        return new RankTotals(
                simulation.counters(ROOT).sentWireBytes(), repairs, DurationDistribution.of(times));
    }

    /** What has been counted since the job was made. */
    private record RankTotals(long rootTxBytes, long repairs, DurationDistribution repairTimes) {

        RankTotals minus(RankTotals earlier) {
            return new RankTotals(
                    rootTxBytes - earlier.rootTxBytes,
                    repairs - earlier.repairs,
                    repairTimes.minus(earlier.repairTimes));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
