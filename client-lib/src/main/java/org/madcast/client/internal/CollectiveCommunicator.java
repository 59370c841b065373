package org.madcast.client.internal;

import static org.madcast.client.internal.CallArguments.checkApart;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.client.CollectiveSelection;
import org.madcast.client.Communicator;
import org.madcast.client.Edge;
import org.madcast.client.ElementType;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;
import org.madcast.client.Topology;
import org.madcast.client.internal.CallSignature.Operation;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.schedule.Counts;
import org.madcast.client.schedule.Reductions;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;

/**
 * The half of a communicator that runs collective operations as schedules. Which schedule serves
 * depends on what all ranks know alike: their number, the operation and the length.
 */
abstract class CollectiveCommunicator extends MessagingCommunicator {

    static final MemorySegment EMPTY = ScheduleRun.EMPTY;

    private final ScheduleChoice choice;

    /**
     * A communicator.
     *
     * @param hasEngine whether a broadcast engine carries its barriers
     */
    CollectiveCommunicator(MessageGroup group, boolean hasEngine) {
        super(group);
        choice = new ScheduleChoice(group, hasEngine, () -> multicast() != null);
    }

    @Override
    public Optional<Communicator> split(int color, int key) {
        checkOpen();
        return made(CallRecorder.SPLIT, splitting -> splitting.split(color, key));
    }

    @Override
    public boolean knowsSwitches() {
        return group().world().order() != null;
    }

    @Override
    public int[] numbers(List<Topology.Link> links) {
        checkNotClosed();
        return TopologyOrders.numbers(group(), links);
    }

    @Override
    public Communicator dup() {
        checkOpen();
        return made(CallRecorder.DUP, Splitting::dup);
    }

    @Override
    public Communicator createGroup(List<Integer> ranks, long id) {
        checkOpen();
        return made(CallRecorder.DUP, splitting -> splitting.ofRanks(ranks, id));
    }

    @Override
    public Communicator shrink() {
        checkNotClosed();
        return made(CallRecorder.SHRINK, it -> GroupSurvival.await(it.shrink()));
    }

    @Override
    public CompletableFuture<Communicator> ishrink() {
        checkNotClosed();
        return new Splitting(this).shrink();
    }

    @Override
    public CompletableFuture<Long> iagree(long flags) {
        checkNotClosed();
        return group().survival().begin(flags, it -> it.verdict().flags());
    }

    private <T> T made(int kind, Function<Splitting, T> how) {
        long began = group().calls().begin();
        group().calls().waits();
        try {
            return how.apply(new Splitting(this));
        } finally {
            group().ended(began, kind, 0, -1);
        }
    }

    @Override
    public int worldRank(int rank) {
        return checkRank("rank", rank);
    }

    /**
     * The broadcasts of this communicator, if one send of them reaches many hosts; all ranks answer
     * alike.
     */
    ManyRoots.@Nullable Multicast multicast() {
        return null;
    }

    /** Waits for a call that has begun. */
    static void await(CompletableFuture<Void> begun) {
        Collective call = () -> begun;
        call.run();
    }

    final Collective call(
            Operation operation,
            int root,
            long sameBytes,
            Schedule schedule,
            MemorySegment input,
            MemorySegment output) {
        return new ScheduledCall(
                this, CallSignature.of(operation, root, sameBytes), schedule, input, output, null);
    }

    final MemorySegment in(String what, MemorySegment data) {
        checkMemory(what, data);
        return data;
    }

    final MemorySegment out(String what, MemorySegment data, long leastBytes) {
        checkMemory(what, data);
        if (data.isReadOnly()) {
            throw new IllegalArgumentException(what + " is read-only");
        }
        if (data.byteSize() < leastBytes) {
            throw new IllegalArgumentException(
                    "%s has %d bytes; %d are needed".formatted(what, data.byteSize(), leastBytes));
        }
        return data;
    }

    /** Where what comes from each rank goes. */
    private Counts places(Parts parts) {
        return counts(parts).requireApart();
    }

    private Counts counts(Parts parts) {
        if (parts.counts().length != size()) {
            throw new IllegalArgumentException(
                    "%d parts for %d ranks".formatted(parts.counts().length, size()));
        }
        return new Counts(parts.counts(), parts.displacements());
    }

    @Override
    public CollectiveSelection selection(CollectiveOperation operation, long bytes) {
        return choice.select(operation, bytes);
    }

    @Override
    public void barrier() {
        barrierInit().run();
    }

    @Override
    public Collective barrierInit() {
        checkOpen();
        ManyRoots.Multicast multicast = multicast();
        CollectiveAlgorithm algorithm = selection(CollectiveOperation.BARRIER, 0).algorithm();
        if (multicast != null && algorithm == CollectiveAlgorithm.MULTICAST) {
            MemorySegment all = MemorySegment.ofArray(new byte[size()]);
            MemorySegment[] parts = parts(all, Counts.even(size(), 1));
            long call = CallSignature.of(Operation.BARRIER, 0, 0);
            return new ManyRoots(group(), multicast, call, parts[rank()], parts, () -> {});
        }
        return barrier(algorithm);
    }

    /** A barrier in which not each rank multicasts. */
    Collective barrier(CollectiveAlgorithm algorithm) {
        return call(Operation.BARRIER, 0, 0, choice.barrier(algorithm), EMPTY, EMPTY);
    }

    /**
     * Replaces each byte by the least that a rank has there, before a broadcast, as whose part it
     * shows in messages about mismatches.
     */
    final void agree(byte[] least, long bytes, int root) {
        MemorySegment both = MemorySegment.ofArray(least);
        new ScheduledCall(
                        this,
                        CallSignature.of(Operation.BCAST, root, bytes),
                        Reductions.doublingAllreduce(size(), rank(), least.length),
                        both,
                        both,
                        ReduceOperation.min(ElementType.BYTE))
                .run();
    }

    @Override
    public Collective gatherInit(MemorySegment data, MemorySegment gathered, int root) {
        int _ = checkRank("root", root);
        Counts counts = Counts.even(size(), data.byteSize());
        MemorySegment output = atRoot(root, () -> out("gathered", gathered, counts.total()));
        checkApart(data, "gathered", output, rank() == root && isOwnPart(data, output, counts));
        Schedule schedule = choice.gather(root, data.byteSize());
        return call(Operation.GATHER, root, data.byteSize(), schedule, in("data", data), output);
    }

    private MemorySegment atRoot(int root, Supplier<MemorySegment> memory) {
        return rank() == root ? memory.get() : EMPTY;
    }

    @Override
    public Collective gathervInit(
            MemorySegment data, MemorySegment gathered, Parts parts, int root) {
        int _ = checkRank("root", root);
        Schedule schedule;
        MemorySegment output = EMPTY;
        if (rank() == root) {
            Counts counts = places(parts);
            output = out("gathered", gathered, counts.extent());
            checkOwnPart(data, counts.count(rank()));
            checkApart(data, "gathered", output, isOwnPart(data, output, counts));
            schedule = Rooted.linearGather(rank(), root, counts);
        } else {
            long[] own = new long[size()];
            own[rank()] = data.byteSize();
            schedule = Rooted.linearGather(rank(), root, Counts.packed(own));
        }
        return call(Operation.GATHERV, root, 0, schedule, in("data", data), output);
    }

    private void checkOwnPart(MemorySegment data, long bytes) {
        if (data.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    "data has %d bytes, but rank %d's part %d"
                            .formatted(data.byteSize(), rank(), bytes));
        }
    }

    @Override
    public Collective scatterInit(MemorySegment data, MemorySegment part, int root) {
        int _ = checkRank("root", root);
        Counts counts = Counts.even(size(), part.byteSize());
        if (rank() == root) {
            CallArguments.checkLength("data", data, counts.total());
        }
        MemorySegment input = atRoot(root, () -> in("data", data));
        checkApart(input, "part", part, rank() == root && isOwnPart(part, input, counts));
        Schedule schedule = choice.scatter(root, part.byteSize());
        return call(
                Operation.SCATTER, root, part.byteSize(), schedule, input, out("part", part, 0));
    }

    @Override
    public Collective scattervInit(MemorySegment data, Parts parts, MemorySegment part, int root) {
        int _ = checkRank("root", root);
        Schedule schedule;
        MemorySegment input = EMPTY;
        if (rank() == root) {
            Counts counts = counts(parts);
            CallArguments.checkLength("data", data, counts.extent());
            input = in("data", data);
            checkOwnPart(part, counts.count(rank()));
            checkApart(input, "part", part, isOwnPart(part, input, counts));
            schedule = Rooted.linearScatter(rank(), root, counts);
        } else {
            long[] own = new long[size()];
            own[rank()] = part.byteSize();
            schedule = Rooted.linearScatter(rank(), root, Counts.packed(own));
        }
        return call(Operation.SCATTERV, root, 0, schedule, input, out("part", part, 0));
    }

    @Override
    public Collective allgatherInit(MemorySegment data, MemorySegment gathered) {
        return allgather(
                Operation.ALLGATHER,
                data,
                gathered,
                Counts.even(size(), data.byteSize()),
                data.byteSize());
    }

    @Override
    public Collective allgathervInit(MemorySegment data, MemorySegment gathered, Parts parts) {
        Counts counts = places(parts);
        checkOwnPart(data, counts.count(rank()));
        return allgather(
                Operation.ALLGATHERV, data, gathered, counts, Arrays.hashCode(parts.counts()));
    }

    private Collective allgather(
            Operation operation,
            MemorySegment data,
            MemorySegment gathered,
            Counts counts,
            long signature) {
        MemorySegment output = out("gathered", gathered, counts.extent());
        checkApart(in("data", data), "gathered", output, isOwnPart(data, output, counts));
        ManyRoots.Multicast multicast = multicast();
        CollectiveAlgorithm algorithm =
                selection(CollectiveOperation.ALLGATHER, counts.total()).algorithm();
        if (multicast != null && algorithm == CollectiveAlgorithm.MULTICAST) {
            long call = CallSignature.of(operation, 0, signature);
            return new ManyRoots(group(), multicast, call, data, parts(output, counts), () -> {});
        }
        return call(operation, 0, signature, choice.allgather(counts), data, output);
    }

    private MemorySegment[] parts(MemorySegment whole, Counts counts) {
        MemorySegment[] parts = new MemorySegment[size()];
        Arrays.setAll(parts, rank -> whole.asSlice(counts.offset(rank), counts.count(rank)));
        return parts;
    }

    private boolean isOwnPart(MemorySegment data, MemorySegment output, Counts counts) {
        MemorySegment part = output.asSlice(counts.offset(rank()), counts.count(rank()));
        return CallArguments.isSame(data, part);
    }

    @Override
    public Collective alltoallInit(MemorySegment data, MemorySegment received) {
        if (data.byteSize() % size() != 0) {
            throw new IllegalArgumentException(
                    "%d bytes are no parts of equal length for %d ranks"
                            .formatted(data.byteSize(), size()));
        }
        long part = data.byteSize() / size();
        MemorySegment output = out("received", received, data.byteSize());
        checkApart(data, "received", output, false);
        Schedule schedule = choice.alltoall(part);
        return call(Operation.ALLTOALL, 0, part, schedule, in("data", data), output);
    }

    @Override
    public Collective alltoallvInit(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        Counts out = counts(sent);
        Counts back = places(receivedParts);
        if (out.count(rank()) != back.count(rank())) {
            throw new IllegalArgumentException(
                    "rank %d sends itself %d bytes, but receives %d"
                            .formatted(rank(), out.count(rank()), back.count(rank())));
        }
        CallArguments.checkLength("data", data, out.extent());
        MemorySegment output = out("received", received, back.extent());
        checkApart(data, "received", output, false);
        Schedule schedule = choice.alltoallv(out, back);
        return call(Operation.ALLTOALLV, 0, 0, schedule, in("data", data), output);
    }

    @Override
    public Collective exchangeInit(List<Edge> sent, List<Edge> received) {
        EdgeExchange edges = new EdgeExchange(sent, received);
        edges.check(this);
        return new ScheduledCall(this, edges);
    }

    private Collective reduction(
            Operation call,
            int root,
            Schedule schedule,
            MemorySegment data,
            MemorySegment result,
            ReduceOperation operation) {
        checkApart(data, "result", result, CallArguments.isSame(data, result));
        return new ScheduledCall(
                this,
                CallSignature.of(call, root, data.byteSize()),
                schedule,
                in("data", data),
                result,
                operation);
    }

    @Override
    public Collective reduceInit(
            MemorySegment data, MemorySegment result, ReduceOperation operation, int root) {
        int _ = checkRank("root", root);
        long _ = CallArguments.elements(data, operation);
        MemorySegment output = atRoot(root, () -> out("result", result, data.byteSize()));
        Schedule schedule = choice.reduce(root, data, operation);
        return reduction(Operation.REDUCE, root, schedule, data, output, operation);
    }

    @Override
    public Collective allreduceInit(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        long _ = CallArguments.elements(data, operation);
        MemorySegment output = out("result", result, data.byteSize());
        ManyRoots.Multicast multicast = multicast();
        CollectiveAlgorithm algorithm =
                choice.reducing(CollectiveOperation.ALLREDUCE, data, operation);
        if (multicast != null && algorithm == CollectiveAlgorithm.MULTICAST) {
            checkApart(in("data", data), "result", output, CallArguments.isSame(data, output));
            return manyRootsAllreduce(multicast, data, output, operation);
        }
        Schedule schedule = choice.allreduce(data, operation);
        return reduction(Operation.ALLREDUCE, 0, schedule, data, output, operation);
    }

    /** Each rank gets all parts, and combines them in the order of ranks. */
    private Collective manyRootsAllreduce(
            ManyRoots.Multicast multicast,
            MemorySegment data,
            MemorySegment result,
            ReduceOperation operation) {
        long bytes = data.byteSize();
        MemorySegment all = MemorySegment.ofArray(new byte[(int) bytes * size()]);
        MemorySegment[] parts = parts(all, Counts.even(size(), bytes));
        MemorySegment sum = parts[size() - 1];
        Runnable combine =
                () -> {
                    for (int rank = size() - 2; rank >= 0; rank--) {
                        Combining.combine(operation, parts[rank], sum, rank());
                    }
                    result.asSlice(0, bytes).copyFrom(sum);
                };
        long call = CallSignature.of(Operation.ALLREDUCE, 0, bytes);
        return new ManyRoots(group(), multicast, call, data, parts, combine);
    }

    @Override
    public Collective reduceScatterInit(
            MemorySegment data, MemorySegment part, ReduceOperation operation, long... counts) {
        long total = CallArguments.elements(data, operation);
        Counts parts = reduceScatterCounts(total, counts);
        long own = parts.count(rank()) * operation.elementBytes();
        MemorySegment output = out("part", part, own);
        checkApart(data, "part", output, false);
        Schedule schedule = choice.reduceScatter(parts, data, operation);
        return reduction(Operation.REDUCE_SCATTER, 0, schedule, data, output, operation);
    }

    private Counts reduceScatterCounts(long total, long... counts) {
        if (counts.length == 0 && total % size() == 0) {
            return Counts.even(size(), total / size());
        }
        Counts parts = counts(Parts.packed(counts));
        if (Arrays.stream(counts).sum() != total) {
            throw new IllegalArgumentException(
                    "data has %d elements, the parts have %d"
                            .formatted(total, Arrays.stream(counts).sum()));
        }
        return parts;
    }

    @Override
    public Collective scanInit(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        long count = CallArguments.elements(data, operation);
        MemorySegment output = out("result", result, data.byteSize());
        Schedule schedule = Reductions.scan(size(), rank(), count);
        return reduction(Operation.SCAN, 0, schedule, data, output, operation);
    }

    @Override
    public Collective exscanInit(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        long count = CallArguments.elements(data, operation);
        MemorySegment output = out("result", result, data.byteSize());
        Schedule schedule = Reductions.exclusiveScan(size(), rank(), count);
        return reduction(Operation.EXSCAN, 0, schedule, data, output, operation);
    }
}
