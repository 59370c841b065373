package org.madcast.client.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.madcast.client.Collective;
import org.madcast.client.ReduceOperation;
import org.madcast.client.internal.CallSignature.Operation;
import org.madcast.client.schedule.Counts;

/** The allreduces of a communicator with a group (MPI_Allreduce). */
final class MulticastAllreduce {

    private final CollectiveCommunicator communicator;
    private final ManyRoots.Multicast multicast;
    private final MemorySegment data;
    private final MemorySegment result;
    private final ReduceOperation operation;
    private final long call;

    /** For a call whose arguments were checked. */
    MulticastAllreduce(
            CollectiveCommunicator communicator,
            ManyRoots.Multicast multicast,
            MemorySegment data,
            MemorySegment result,
            ReduceOperation operation) {
        this.communicator = communicator;
        this.multicast = multicast;
        this.data = data;
        this.result = result;
        this.operation = operation;
        this.call = CallSignature.of(Operation.ALLREDUCE, 0, data.byteSize());
    }

    /** Each rank broadcasts its data; all get the data of all, and combine it in rank order. */
    Collective ofShort() {
        int size = communicator.size();
        long bytes = data.byteSize();
        MemorySegment all = MemorySegment.ofArray(new byte[(int) bytes * size]);
        MemorySegment[] parts = parts(all, Counts.even(size, bytes), 1);
        MemorySegment sum = parts[size - 1];
        MessageGroup group = communicator.group();
        Runnable combine =
                () -> {
                    for (int rank = size - 2; rank >= 0; rank--) {
                        group.combine(operation, parts[rank], sum);
                    }
                    result.asSlice(0, bytes).copyFrom(sum);
                };
        return new ManyRoots(group, multicast, call, data, parts, combine);
    }

    /**
     * Each rank combines one part of the elements by messages, and broadcasts it.
     *
     * @param whenBegun makes the call for a caller who does not wait
     */
    Collective ofLong(Supplier<Collective> whenBegun) {
        int elementBytes = operation.elementBytes();
        Counts counts = Counts.divided(communicator.size(), data.byteSize() / elementBytes);
        long ownBytes = counts.count(communicator.rank()) * elementBytes;
        MemorySegment own = Arena.ofAuto().allocate(ownBytes, Long.BYTES);
        Collective combine =
                new ScheduledCall(
                        communicator,
                        CallSignature.of(Operation.WAITING_ALLREDUCE, 0, data.byteSize()),
                        communicator.reduceScattering(counts),
                        data,
                        own,
                        operation);
        MemorySegment[] parts = parts(result, counts, elementBytes);
        MessageGroup group = communicator.group();
        Collective spread = new ManyRoots(group, multicast, call, own, parts, () -> {});
        List<Collective> phases = List.of(combine, spread);
        return new InPhases(group, CallSignature.kind(call), data.byteSize(), phases, whenBegun);
    }

    private static MemorySegment[] parts(MemorySegment whole, Counts counts, long elementBytes) {
        MemorySegment[] parts = new MemorySegment[counts.size()];
        Arrays.setAll(
                parts,
                rank ->
                        whole.asSlice(
                                counts.offset(rank) * elementBytes,
                                counts.count(rank) * elementBytes));
        return parts;
    }
}
