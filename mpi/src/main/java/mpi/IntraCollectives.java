package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;

/** Collective calls of the ranks of one communicator. */
final class IntraCollectives implements CollectiveMaker {

    private static final Parts NO_PARTS = Parts.packed();

    private final Communicator ranks;
    private final ObjectCollectives objects;

    IntraCollectives(Communicator ranks) {
        this.ranks = ranks;
        this.objects = new ObjectCollectives(ranks);
    }

    @Override
    public CollectiveCall barrier() {
        return CollectiveCall.of(new CollectiveCall.TwoWays(ranks::ibarrier, ranks::barrier));
    }

    @Override
    public CollectiveCall bcast(@Nullable Payload sent, @Nullable Payload received, int root) {
        Payload data = Objects.requireNonNull(sent == null ? received : sent);
        if (data.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.bcast(data, root));
        }
        MemorySegment memory = data.memory();
        return new CollectiveCall(
                new CollectiveCall.TwoWays(
                        () -> ranks.ibcast(memory, root), () -> ranks.bcast(memory, root)),
                () -> {
                    if (sent == null) {
                        data.arrived(data.size());
                    }
                });
    }

    @Override
    public CollectiveCall gather(
            @Nullable Payload sent, @Nullable Blocks received, int root, boolean even) {
        if (received == null) {
            Payload data = Objects.requireNonNull(sent);
            if (data.isObjects()) {
                return CollectiveCall.inSteps(() -> objects.gather(data, null, root));
            }
            return CollectiveCall.of(
                    even
                            ? ranks.gatherInit(data.memory(), Payload.EMPTY, root)
                            : ranks.gathervInit(data.memory(), Payload.EMPTY, NO_PARTS, root));
        }
        if (received.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.gather(sent, received, root));
        }
        MemorySegment own = own(sent, received);
        return new CollectiveCall(
                even
                        ? ranks.gatherInit(own, received.evenMemory(), root)
                        : ranks.gathervInit(own, received.memory(), received.parts(), root),
                received::arrived);
    }

    /** What this rank contributes to what it receives. */
    private MemorySegment own(@Nullable Payload sent, Blocks received) {
        if (sent == null) {
            return received.inPlace(ranks.rank());
        }
        checkOwn(sent.size(), received.size(ranks.rank()));
        MemorySegment data = sent.memory();
        return Payload.isSame(data, received.part(ranks.rank()))
                ? data
                : Payload.apart(data, received.memory());
    }

    private void checkOwn(long sent, long received) {
        if (sent != received) {
            throw new MPIException(
                    sent > received ? ErrorClass.TRUNCATE : ErrorClass.COUNT,
                    "rank %d sends itself %d bytes, but receives %d"
                            .formatted(ranks.rank(), sent, received));
        }
    }

    @Override
    public CollectiveCall scatter(
            @Nullable Blocks sent, @Nullable Payload received, int root, boolean even) {
        if (sent == null) {
            Payload data = Objects.requireNonNull(received);
            if (data.isObjects()) {
                return CollectiveCall.inSteps(() -> objects.scatter(null, data, root));
            }
            MemorySegment memory = data.memory();
            return new CollectiveCall(
                    even
                            ? ranks.scatterInit(Payload.EMPTY, memory, root)
                            : ranks.scattervInit(Payload.EMPTY, NO_PARTS, memory, root),
                    () -> data.arrived(data.size()));
        }
        if (sent.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.scatter(sent, received, root));
        }
        int self = ranks.rank();
        MemorySegment there = sent.part(self);
        if (received == null) {
            MemorySegment part = there.isReadOnly() ? Payload.allocate(there.byteSize()) : there;
            return scatter(sent, part, root, even, () -> {});
        }
        checkOwn(sent.size(self), received.size());
        MemorySegment part = received.memory();
        if (Payload.isSame(part, there) || part.asOverlappingSlice(sent.memory()).isEmpty()) {
            return scatter(sent, part, root, even, () -> received.arrived(received.size()));
        }
        MemorySegment apart = Payload.allocate(part.byteSize());
        return scatter(sent, apart, root, even, () -> received.storeFirst(apart));
    }

    /** A scatter at the root. */
    private CollectiveCall scatter(
            Blocks sent, MemorySegment part, int root, boolean even, Runnable store) {
        return new CollectiveCall(
                even
                        ? ranks.scatterInit(sent.evenMemory(), part, root)
                        : ranks.scattervInit(sent.memory(), sent.parts(), part, root),
                store);
    }

    @Override
    public CollectiveCall allgather(@Nullable Payload sent, Blocks received, boolean even) {
        if (received.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.allgather(sent, received));
        }
        MemorySegment own = own(sent, received);
        return new CollectiveCall(
                even
                        ? ranks.allgatherInit(own, received.evenMemory())
                        : ranks.allgathervInit(own, received.memory(), received.parts()),
                received::arrived);
    }

    @Override
    public CollectiveCall alltoall(Blocks sent, Blocks received, boolean even) {
        if (sent.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.alltoall(sent, received));
        }
        int self = ranks.rank();
        checkOwn(sent.size(self), received.size(self));
        MemorySegment into = even ? received.evenMemory() : received.memory();
        MemorySegment data = Payload.apart(even ? sent.evenMemory() : sent.memory(), into);
        return new CollectiveCall(
                even
                        ? ranks.alltoallInit(data, into)
                        : ranks.alltoallvInit(data, sent.parts(), into, received.parts()),
                received::arrived);
    }

    @Override
    public CollectiveCall reduce(@Nullable Reduction reduction, int root) {
        Reduction all = Objects.requireNonNull(reduction);
        if (all.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.reduce(all, root));
        }
        ReduceOperation operation = all.operation();
        return new CollectiveCall(
                ranks.reduceInit(all.input(), all.output(), operation, root), all::arrived);
    }

    @Override
    public CollectiveCall allreduce(Reduction all) {
        if (all.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.allreduce(all));
        }
        ReduceOperation operation = all.operation();
        return new CollectiveCall(
                ranks.allreduceInit(all.input(), all.output(), operation), all::arrived);
    }

    @Override
    public CollectiveCall reduceScatter(Reduction all, int[] counts) {
        if (all.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.reduceScatter(all, counts));
        }
        ReduceOperation operation = all.operation();
        long[] elements = Arrays.stream(counts).limit(ranks.size()).asLongStream().toArray();
        MemorySegment data = all.input();
        if (!all.isInPlace()) {
            MemorySegment own = all.output();
            return new CollectiveCall(
                    ranks.reduceScatterInit(Payload.apart(data, own), own, operation, elements),
                    all::arrived);
        }
        MemorySegment part = Payload.allocate(elements[ranks.rank()] * operation.elementBytes());
        return new CollectiveCall(
                ranks.reduceScatterInit(data, part, operation, elements),
                () -> all.resultPayload().storeFirst(part));
    }

    CollectiveCall scan(Reduction all) {
        if (all.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.scan(all, true));
        }
        ReduceOperation operation = all.operation();
        return new CollectiveCall(
                ranks.scanInit(all.input(), all.output(), operation), all::arrived);
    }

    CollectiveCall exscan(Reduction all) {
        if (all.isObjects()) {
            return CollectiveCall.inSteps(() -> objects.scan(all, false));
        }
        ReduceOperation operation = all.operation();
        return new CollectiveCall(
                ranks.exscanInit(all.input(), all.output(), operation),
                () -> {
                    if (ranks.rank() > 0) {
                        all.arrived();
                    }
                });
    }
}
