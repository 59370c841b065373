package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.internal.SelectionTables;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.HostModel;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.RunResult;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.Simulation;

/**
 * A job under the simulator: every rank runs the same script of broadcasts, one after the other,
 * and then leaves. After every step of a rank its engine checks its own invariants; every completed
 * buffer is compared with what the root sent.
 */
final class SimulatedJob {

    static final long TOKEN = 0x0123456789abcdefL;
    static final long DEATH_TIMEOUT_NS = 1_000_000_000;

    /** 100 Mbit/s, and 20 us from port to port. */
    static final HostModel FAST_ETHERNET = HostModel.ethernet(100_000_000, 20_000);

    /** Four times to the group, the parent and four children, and an answer at once. */
    private static final int MOST_SPREAD = 4 * 6 + 1;

    private static final long ANSWER_PAUSE_NS = 20_000_000;

    private static final byte[] GROUP = {(byte) 239, 1, 2, 3};
    private static final long GROUP_LOOK_NS = 250_000_000;

    /** How often a rank that joins looks whether multicast works. */
    private static final long VERDICT_LOOK_NS = 1_000_000;

    /** When a seed is replayed, its last events are told. */
    private static final int REPLAY_LOG_EVENTS = 100;

    /** One broadcast of the script. */
    record Step(int root, int bytes, Algorithm algorithm) {

        static final Step BARRIER = new Step(-1, 0, Algorithm.ONCE);

        boolean isBarrier() {
            return root < 0;
        }
    }

    private final Simulation simulation;
    private final IntFunction<List<Step>> scripts;
    private final List<BroadcastEngine> engines = new ArrayList<>();
    private final int[] done;
    private final List<Map<Integer, byte[]>> buffers = new ArrayList<>();

    /** The steps that a rank has called, of which {@link #done} have ended. */
    private final int[] called;

    private final boolean[] leaving;
    private final long[] finishedNs;
    private final long[] failedNs;
    private final int[] failuresTold;
    private final long[] completedNs;
    private final IntToLongFunction thinkNs;
    private final int windowFragments;
    private final boolean joining;
    private final int together;
    private final AlgorithmChoice choice;
    private final long contentSeed;
    private final int[] groupPorts;
    private IntPredicate canJoin = rank -> true;
    private IntPredicate mayBeWrong = step -> false;
    private BooleanSupplier mayEndEarly = () -> false;
    private final Map<Long, byte[]> contents = new HashMap<>();
    private long lastCompletionNs;

    SimulatedJob(int size, List<Step> script, FaultPlan faults, long seed, Shape shape) {
        this(size, rank -> script, faults, seed, shape);
    }

    /** With a script for each rank, as a wrong program would have. */
    SimulatedJob(
            int size, IntFunction<List<Step>> scripts, FaultPlan faults, long seed, Shape shape) {
        this.simulation = new Simulation(faults, seed);
        this.scripts = scripts;
        this.done = new int[size];
        this.called = new int[size];
        this.leaving = new boolean[size];
        this.finishedNs = new long[size];
        this.failedNs = new long[size];
        this.failuresTold = new int[size];
        this.completedNs = new long[size];
        this.thinkNs = shape.thinkNs;
        this.windowFragments = shape.windowFragments;
        this.joining = shape.joining;
        this.together = shape.together;
        this.choice =
                new AlgorithmChoice(
                        BroadcastParameters.defaults(),
                        SelectionTables.of(BroadcastParameters.defaults()),
                        size);
        this.contentSeed = seed;
        this.groupPorts = new int[size];
        for (int rank = 0; rank < size; rank++) {
            buffers.add(new HashMap<>());
            BroadcastEngine engine = new BroadcastEngine(config(rank, size), Arena.ofAuto(), 0);
            engines.add(engine);
            int self = rank;
            simulation.addNode(
                    new EngineNode(engine, to -> joins(self, to), type -> count(self, type)),
                    shape.hosts.apply(rank));
            schedule(rank, thinkNs.applyAsLong(rank));
        }
        simulation.afterStep(this::afterStep);
        if (System.getProperty("madcast.seed") != null) {
            simulation.keepLog(REPLAY_LOG_EVENTS);
        }
    }

    /**
     * What the hosts are and how the ranks behave.
     *
     * @param hosts each rank's host
     * @param windowFragments the engines' window
     * @param thinkNs how long a rank computes before each call
     * @param joining whether ranks wait for the verdict on multicast before their first call and
     *     then choose as a communicator does; else they call at once what the script names
     * @param together how many steps a rank calls at once
     */
    record Shape(
            IntFunction<HostModel> hosts,
            int windowFragments,
            IntToLongFunction thinkNs,
            boolean joining,
            int together) {
        Shape(
                IntFunction<HostModel> hosts,
                int windowFragments,
                IntToLongFunction thinkNs,
                boolean joining) {
            this(hosts, windowFragments, thinkNs, joining, 1);
        }

        static Shape fastEthernet() {
            return new Shape(rank -> FAST_ETHERNET, 256, rank -> 0, false);
        }

        Shape withWindow(int fragments) {
            return new Shape(hosts, fragments, thinkNs, joining, together);
        }

        Shape thinking(IntToLongFunction pauseNs) {
            return new Shape(hosts, windowFragments, pauseNs, joining, together);
        }

        /** With another host for one rank. */
        Shape with(int rank, HostModel host) {
            return new Shape(
                    r -> r == rank ? host : hosts.apply(r),
                    windowFragments,
                    thinkNs,
                    joining,
                    together);
        }

        Shape joined() {
            return new Shape(hosts, windowFragments, thinkNs, true, together);
        }

        Shape callingTogether(int steps) {
            return new Shape(hosts, windowFragments, thinkNs, joining, steps);
        }
    }

    /** Which ranks can join another group; before the run. */
    SimulatedJob joiningOnly(IntPredicate ranks) {
        canJoin = ranks;
        return this;
    }

    /**
     * What forged datagrams can do without being noticed.
     *
     * @param mayBeWrong of which steps the bytes may differ from what the root sent
     * @param mayEndEarly whether barriers may end before all have called
     */
    SimulatedJob tolerating(IntPredicate mayBeWrong, BooleanSupplier mayEndEarly) {
        this.mayBeWrong = mayBeWrong;
        this.mayEndEarly = mayEndEarly;
        return this;
    }

    /**
     * Rank 0 brings back ranks that follow moves which it did not begin, as a communicator does.
     */
    SimulatedJob keepingGroup() {
        simulation.at(simulation.nowNs() + GROUP_LOOK_NS, this::keepGroup);
        return this;
    }

    private void keepGroup() {
        BroadcastEngine top = engines.getFirst();
        if (top.hasStrayedRank()) {
            top.moveTo(simulation.nowNs(), GroupAddress.of(GROUP, groupPorts[0] + 1, 0));
            simulation.touch(0);
        }
        if (!isOver()) {
            keepingGroup();
        }
    }

    private boolean joins(int rank, GroupAddress to) {
        boolean can = canJoin.test(rank);
        groupPorts[rank] = can ? to.port() : -1;
        return can;
    }

    private void count(int rank, DatagramType type) {
        failuresTold[rank] += type == DatagramType.FAILURE ? 1 : 0;
    }

    /** Telling of a failure is no storm, whoever asks for it and however often. */
    private void checkFailuresTold(int rank) {
        if (failedNs[rank] == 0) {
            failedNs[rank] = simulation.nowNs();
        }
        long sinceNs = simulation.nowNs() - failedNs[rank];
        if (failuresTold[rank] > MOST_SPREAD + sinceNs / ANSWER_PAUSE_NS) {
            throw new AssertionError(
                    "rank %d sent %d FAILUREs in %d ns"
                            .formatted(rank, failuresTold[rank], sinceNs));
        }
    }

    /** Which group the rank is in: the port of the one that it moved to last, 0 before. */
    int groupPort(int rank) {
        return groupPorts[rank];
    }

    /** Adds a host that is no rank; before the run. Its number is that behind the ranks'. */
    void addForeigner(SimulatedNode foreigner) {
        simulation.addNode(foreigner, FAST_ETHERNET);
    }

    private EngineConfig config(int rank, int size) {
        return new EngineConfig(
                rank,
                size,
                TOKEN,
                1472,
                windowFragments,
                true,
                DEATH_TIMEOUT_NS,
                100_000_000,
                RateLimits.NONE,
                500_000,
                Disseminations.byCode(),
                Algorithm.CHAIN.code());
    }

    private void schedule(int rank, long delayNs) {
        simulation.at(simulation.nowNs() + delayNs, () -> next(rank));
    }

    private void next(int rank) {
        BroadcastEngine engine = engines.get(rank);
        if (simulation.isCrashed(rank) || engine.failure() != null) {
            return;
        }
        if (joining && engine.groupState() == GroupState.PROBING) {
            schedule(rank, VERDICT_LOOK_NS);
            return;
        }
        List<Step> script = scripts.apply(rank);
        if (done[rank] == script.size()) {
            leaving[rank] = true;
            engine.leave(simulation.nowNs());
        }
        for (int last = Math.min(done[rank] + together, script.size()); called[rank] < last; ) {
            int number = called[rank]++;
            Step step = script.get(number);
            byte[] buffer =
                    rank == step.root ? content(number, step.bytes).clone() : new byte[step.bytes];
            buffers.get(rank).put(number, buffer);
            call(engine, step, MemorySegment.ofArray(buffer));
        }
        simulation.touch(rank);
        afterStep(rank);
    }

    private void call(BroadcastEngine engine, Step step, MemorySegment message) {
        if (step.isBarrier()) {
            engine.barrier(simulation.nowNs());
        } else {
            engine.call(simulation.nowNs(), message, step.root, code(engine, step));
        }
    }

    private int code(BroadcastEngine engine, Step step) {
        boolean works = engine.groupState() == GroupState.MULTICAST;
        Algorithm wanted = step.algorithm;
        Algorithm used = joining ? choice.algorithm(wanted, step.bytes, works) : wanted;
        return choice.code(used, wanted, step.bytes);
    }

    /** Whoever ends a barrier sees that every rank has come to it. */
    private void checkBarrier(int rank, int step) {
        if (scripts.apply(rank).get(step).isBarrier() && !mayEndEarly.getAsBoolean()) {
            for (int other = 0; other < engines.size(); other++) {
                if (called[other] <= step) {
                    throw new AssertionError(
                            "rank " + rank + " ended barrier " + step + " without rank " + other);
                }
            }
        }
    }

    private byte[] content(int step, int bytes) {
        return contents.computeIfAbsent(((long) step << 32) + bytes, key -> draw(step, bytes));
    }

    private byte[] draw(int step, int bytes) {
        byte[] content = new byte[bytes];
        RandomStream random = RandomStream.of(contentSeed, "content " + step);
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) random.nextInt(256);
        }
        return content;
    }

    private void afterStep(int rank) {
        if (rank >= engines.size()) {
            return;
        }
        BroadcastEngine engine = engines.get(rank);
        engine.checkInvariants();
        while (done[rank] < called[rank]
                && engine.failure() == null
                && !engine.isPending(done[rank])) {
            ended(rank, done[rank]++);
        }
        if (engine.failure() != null) {
            checkFailuresTold(rank);
        }
        if (finishedNs[rank] == 0 && (leaving[rank] || engine.failure() != null)) {
            finishedNs[rank] = simulation.nowNs();
        }
    }

    private void ended(int rank, int step) {
        checkBarrier(rank, step);
        byte[] right = content(step, scripts.apply(rank).get(step).bytes);
        if (!Arrays.equals(buffers.get(rank).remove(step), right) && !mayBeWrong.test(step)) {
            throw new AssertionError("rank " + rank + " got wrong bytes in broadcast " + step);
        }
        completedNs[rank] = simulation.nowNs();
        lastCompletionNs = simulation.nowNs();
        if (done[rank] == called[rank]) {
            schedule(rank, thinkNs.applyAsLong(rank));
        }
    }

    /** Runs until every living rank has finished its script and left, or has failed. */
    SimulatedJob run(long limitNs) {
        RunResult result = simulation.runUntil(this::isOver, limitNs);
        if (result != RunResult.DONE) {
            throw new AssertionError(result + " at " + simulation.nowNs() + " ns: " + describe());
        }
        return this;
    }

    private boolean isOver() {
        for (int rank = 0; rank < engines.size(); rank++) {
            boolean left = leaving[rank] && engines.get(rank).hasLeft();
            boolean failed = engines.get(rank).failure() != null;
            if (!left && !failed && !simulation.isCrashed(rank)) {
                return false;
            }
        }
        return true;
    }

    /** Every rank got everything and nobody failed. */
    SimulatedJob assertAllComplete() {
        for (int rank = 0; rank < engines.size(); rank++) {
            if (engines.get(rank).failure() != null || done[rank] != scripts.apply(rank).size()) {
                throw new AssertionError(describe());
            }
        }
        return this;
    }

    Simulation simulation() {
        return simulation;
    }

    BroadcastEngine engine(int rank) {
        return engines.get(rank);
    }

    /** The rank that this rank believes to be dead, or -1. */
    int lostRank(int rank) {
        Failure failure = engines.get(rank).failure();
        return failure == null || failure.kind() != Failure.Kind.RANK_DIED ? -1 : failure.rank();
    }

    int size() {
        return engines.size();
    }

    int done(int rank) {
        return done[rank];
    }

    long finishedNs(int rank) {
        return finishedNs[rank];
    }

    /** When each of the ranks completed its last broadcast. */
    long completedNs(int rank) {
        return completedNs[rank];
    }

    long lastCompletionNs() {
        return lastCompletionNs;
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < engines.size(); rank++) {
            Failure failure = engines.get(rank).failure();
            text.append("\nrank ")
                    .append(rank)
                    .append(": ")
                    .append(done[rank])
                    .append(" of ")
                    .append(scripts.apply(rank).size())
                    .append(" done, ")
                    .append(failure == null ? "sound" : failure.describe())
                    .append(engines.get(rank).hasLeft() ? ", left" : "")
                    .append(simulation.isCrashed(rank) ? ", crashed" : "")
                    .append(", ")
                    .append(engines.get(rank));
        }
        for (String event : simulation.log()) {
            text.append('\n').append(event);
        }
        return text.toString();
    }
}
