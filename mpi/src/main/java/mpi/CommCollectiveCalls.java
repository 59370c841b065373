package mpi;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collective calls of both APIs, made from their arguments: what this rank sends and receives
 * follows from its part in the call.
 */
abstract class CommCollectiveCalls extends CommPacking {

    /** This rank's part in a call that has a root. */
    private enum Role {
        ROOT,
        OTHER,
        /** In the root's group of an intercommunicator, but not the root. */
        NONE
    }

    CommCollectiveCalls(@Nullable CommState state) {
        super(state);
    }

    /** Runs a call to its end. */
    final void now(Supplier<CollectiveCall> call) {
        try {
            call.get().run();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins a call. */
    final Request later(Supplier<CollectiveCall> call) {
        try {
            return call.get().begin(this);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private CollectiveMaker maker() {
        CommState state = state();
        return state.isInter() ? new InterCollectives(state) : new IntraCollectives(state.all());
    }

    private Role role(int root) {
        CommState state = state();
        if (state.isInter() && root == MPI.ROOT) {
            return Role.ROOT;
        }
        if (state.isInter() && root == MPI.PROC_NULL) {
            return Role.NONE;
        }
        if (root < 0 || root >= state.peers()) {
            throw new MPIException(
                    ErrorClass.ROOT,
                    "root is %d; it must be 0 to %d%s"
                            .formatted(
                                    root,
                                    state.peers() - 1,
                                    state.isInter() ? ", ROOT or PROC_NULL" : ""));
        }
        return !state.isInter() && state.all().rank() == root ? Role.ROOT : Role.OTHER;
    }

    /** Whether a rank of this part contributes to what the root gets. */
    private boolean contributes(Role role) {
        return role == Role.OTHER || (role == Role.ROOT && !state().isInter());
    }

    private int peers() {
        return state().peers();
    }

    /** What a call sends to each rank, or receives from each. */
    interface Side {

        Blocks blocks(int ranks, boolean receives);
    }

    /** Buffer, place, number and type of one side of a call. */
    record Place(@Nullable Object buffer, int offset, int count, Datatype type) implements Side {

        Payload sent() {
            return Payload.toSend(buffer, offset, count, type);
        }

        Payload received() {
            return Payload.toReceive(buffer, offset, count, type);
        }

        @Override
        public Blocks blocks(int ranks, boolean receives) {
            return Blocks.even(buffer, offset, count, type, ranks, receives);
        }
    }

    /** Buffer, counts, displacements and type of one side of a call. */
    @SuppressWarnings("ArrayRecordComponent") // the program's own arrays, for one call
    record Places(
            @Nullable Object buffer, int offset, int[] counts, int[] displacements, Datatype type)
            implements Side {

        @Override
        public Blocks blocks(int ranks, boolean receives) {
            return Blocks.uneven(buffer, offset, counts, displacements, type, ranks, receives);
        }
    }

    final CollectiveCall barrierCall() {
        return maker().barrier();
    }

    final CollectiveCall bcastCall(Place data, int root) {
        Role role = role(root);
        return maker().bcast(
                        role == Role.ROOT ? data.sent() : null,
                        role == Role.OTHER ? data.received() : null,
                        root);
    }

    /** A gather; what is sent is null at a root that works in place. */
    final CollectiveCall gatherCall(@Nullable Place sent, @Nullable Place received, int root) {
        Role role = role(root);
        return maker().gather(
                        sent != null && contributes(role) ? sent.sent() : null,
                        received != null && role == Role.ROOT
                                ? received.blocks(peers(), true)
                                : null,
                        root,
                        true);
    }

    /** The short form: in place at the root, the send buffer elsewhere. */
    final CollectiveCall gatherCall(Place data, int root) {
        return role(root) == Role.ROOT
                ? gatherCall(null, data, root)
                : gatherCall(data, null, root);
    }

    final CollectiveCall gathervCall(@Nullable Place sent, @Nullable Places received, int root) {
        Role role = role(root);
        if (received == null && role == Role.ROOT) {
            throw new MPIException(
                    ErrorClass.ROOT, "the root needs a receive buffer; this form has none");
        }
        if (sent == null && role == Role.OTHER) {
            throw new MPIException(
                    ErrorClass.ROOT, "only the root has no send buffer, and root is " + root);
        }
        return maker().gather(
                        sent != null && contributes(role) ? sent.sent() : null,
                        received != null && role == Role.ROOT
                                ? received.blocks(peers(), true)
                                : null,
                        root,
                        false);
    }

    /** A scatter; what is received is null at a root that works in place. */
    final CollectiveCall scatterCall(@Nullable Place sent, @Nullable Place received, int root) {
        Role role = role(root);
        return maker().scatter(
                        sent != null && role == Role.ROOT ? sent.blocks(peers(), false) : null,
                        received != null && contributes(role) ? received.received() : null,
                        root,
                        true);
    }

    /** The short form: in place at the root, the receive buffer elsewhere. */
    final CollectiveCall scatterCall(Place data, int root) {
        return role(root) == Role.ROOT
                ? scatterCall(data, null, root)
                : scatterCall(null, data, root);
    }

    final CollectiveCall scattervCall(@Nullable Places sent, @Nullable Place received, int root) {
        Role role = role(root);
        if (sent == null && role == Role.ROOT) {
            throw new MPIException(
                    ErrorClass.ROOT, "the root needs a send buffer; this form has none");
        }
        if (received == null && role == Role.OTHER) {
            throw new MPIException(
                    ErrorClass.ROOT, "only the root has no receive buffer, and root is " + root);
        }
        return maker().scatter(
                        sent != null && role == Role.ROOT ? sent.blocks(peers(), false) : null,
                        received != null && contributes(role) ? received.received() : null,
                        root,
                        false);
    }

    final CollectiveCall allGatherCall(@Nullable Place sent, Place received) {
        return maker().allgather(
                        sent == null ? null : sent.sent(), received.blocks(peers(), true), true);
    }

    final CollectiveCall allGathervCall(@Nullable Place sent, Places received) {
        return maker().allgather(
                        sent == null ? null : sent.sent(), received.blocks(peers(), true), false);
    }

    final CollectiveCall allToAllCall(Place sent, Place received) {
        return maker().alltoall(sent.blocks(peers(), false), received.blocks(peers(), true), true);
    }

    final CollectiveCall allToAllvCall(Places sent, Places received) {
        return maker().alltoall(sent.blocks(peers(), false), received.blocks(peers(), true), false);
    }

    final CollectiveCall allToAllwCall(
            @Nullable Object sendBuf,
            int[] sendCount,
            int[] sDispls,
            Datatype[] sendTypes,
            @Nullable Object recvBuf,
            int[] recvCount,
            int[] rDispls,
            Datatype[] recvTypes) {
        return maker().alltoall(
                        Blocks.typed(sendBuf, sendCount, sDispls, sendTypes, peers(), false),
                        Blocks.typed(recvBuf, recvCount, rDispls, recvTypes, peers(), true),
                        false);
    }

    /** A reduction; what is sent is null at a root that works in place. */
    final CollectiveCall reduceCall(
            @Nullable Place sent, @Nullable Place received, Place like, Op op, int root) {
        Role role = role(root);
        if (role == Role.NONE) {
            return maker().reduce(null, root);
        }
        Payload result = received != null && role == Role.ROOT ? received.received() : null;
        Payload data = sent != null && contributes(role) ? sent.sent() : null;
        return maker().reduce(new Reduction(data, result, like.type(), op), root);
    }

    final CollectiveCall reduceCall(Place sent, Place received, Op op, int root) {
        return reduceCall(sent, received, sent, op, root);
    }

    /** The short form: in place at the root, the send buffer elsewhere. */
    final CollectiveCall reduceCall(Place data, Op op, int root) {
        return role(root) == Role.ROOT
                ? reduceCall(null, data, data, op, root)
                : reduceCall(data, null, data, op, root);
    }

    private static Reduction reduction(@Nullable Place sent, Place received, Op op) {
        return new Reduction(
                sent == null ? null : sent.sent(), received.received(), received.type(), op);
    }

    final CollectiveCall allReduceCall(@Nullable Place sent, Place received, Op op) {
        return maker().allreduce(reduction(sent, received, op));
    }

    /** A reduce-scatter; the counts have one number for each rank of this group. */
    final CollectiveCall reduceScatterCall(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] counts,
            Datatype type,
            Op op,
            boolean inPlace) {
        int size = state().local().size();
        if (counts == null) {
            throw new MPIException(ErrorClass.COUNT, "the array of counts is null");
        }
        if (counts.length < size) {
            throw new MPIException(
                    ErrorClass.ARG, counts.length + " counts for " + size + " ranks");
        }
        int total = 0;
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] < 0) {
                throw new MPIException(
                        ErrorClass.COUNT,
                        "the count of rank %d is %d".formatted(rank, counts[rank]));
            }
            total = Math.addExact(total, counts[rank]);
        }
        int own = inPlace ? total : counts[state().local().rank()];
        Place sent = inPlace ? null : new Place(sendbuf, sendoffset, total, type);
        return maker().reduceScatter(
                        reduction(sent, new Place(recvbuf, recvoffset, own, type), op), counts);
    }

    /** The same with equal counts. */
    final CollectiveCall reduceScatterBlockCall(
            @Nullable Object sendbuf,
            @Nullable Object recvbuf,
            int count,
            Datatype type,
            Op op,
            boolean inPlace) {
        int[] counts = new int[state().local().size()];
        java.util.Arrays.fill(counts, count);
        return reduceScatterCall(sendbuf, 0, recvbuf, 0, counts, type, op, inPlace);
    }

    /** An inclusive or exclusive scan; what is sent is null in place. */
    final CollectiveCall scanCall(@Nullable Place sent, Place received, Op op, boolean inclusive) {
        IntraCollectives calls = new IntraCollectives(state().all());
        Reduction all = reduction(sent, received, op);
        return inclusive ? calls.scan(all) : calls.exscan(all);
    }
}
