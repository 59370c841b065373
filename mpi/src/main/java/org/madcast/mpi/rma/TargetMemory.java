package org.madcast.mpi.rma;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.madcast.client.ReduceOperation;
import org.madcast.mpi.datatype.Packer;
import org.madcast.mpi.datatype.TypeMap;

/**
 * The memory of a rank's window. That of a dynamic window is what is attached: the first part
 * begins at address 0, each other one behind that which was attached before it, on a multiple of 8.
 */
public final class TargetMemory {

    /** The operations of accumulations, by the numbers that travel. */
    @FunctionalInterface
    public interface Operations {
        /** The operation on elements of a predefined type; null replaces nothing: MPI_NO_OP. */
        ReduceOperation of(int operation, int basic);
    }

    private record Region(long address, MemorySegment memory) {
        boolean holds(long first, long end) {
            return first >= address && end <= address + memory.byteSize();
        }
    }

    private final List<Region> regions = new CopyOnWriteArrayList<>();
    private final long unit;
    private final Operations operations;
    private long next;

    /**
     * No memory yet.
     *
     * @param unit the bytes of a unit of displacement
     */
    public TargetMemory(long unit, Operations operations) {
        this.unit = unit;
        this.operations = operations;
    }

    /** Attaches memory. */
    public synchronized void attach(MemorySegment memory) {
        regions.add(new Region(next, memory));
        next += Math.ceilDiv(memory.byteSize(), (long) Long.BYTES) * Long.BYTES;
    }

    /** Takes memory away that begins where this does; false when none does. */
    public synchronized boolean detach(MemorySegment memory) {
        return regions.removeIf(it -> it.memory.address() == memory.address());
    }

    private Region find(Frame frame) {
        TypeMap type = frame.type();
        long place = frame.displacement() * unit;
        long far = Math.max(0, frame.count() - 1) * type.extent();
        long first = place + Math.min(0, far) + type.trueLb();
        long end = place + Math.max(0, far) + type.trueUb();
        for (Region region : regions) {
            if (region.holds(first, end)) {
                return region;
            }
        }
        long bytes = regions.stream().mapToLong(it -> it.memory.byteSize()).sum();
        throw new RmaException(
                RmaException.Kind.RANGE,
                "displacement %d with %d elements means the bytes %d to %d of a window of %d bytes"
                        .formatted(frame.displacement(), frame.count(), first, end, bytes));
    }

    /** Does what an origin asks for, and returns the data of the answer. */
    MemorySegment apply(Frame frame) {
        if (frame.count() * frame.type().size() == 0) {
            return Frame.allocate(0);
        }
        Region region = find(frame);
        long place = frame.displacement() * unit - region.address;
        return switch (frame.action()) {
            case PUT -> {
                Packer.unpack(frame.type(), frame.data(), region.memory, place, frame.count());
                yield Frame.allocate(0);
            }
            case GET -> packed(frame, region, place);
            case ACCUMULATE -> {
                accumulate(frame, region, place, packed(frame, region, place));
                yield Frame.allocate(0);
            }
            case GET_ACCUMULATE -> {
                MemorySegment before = packed(frame, region, place);
                accumulate(frame, region, place, copy(before));
                yield before;
            }
            case COMPARE_AND_SWAP -> {
                MemorySegment before = packed(frame, region, place);
                long bytes = before.byteSize();
                if (before.mismatch(frame.data().asSlice(0, bytes)) == -1) {
                    MemorySegment.copy(frame.data(), bytes, region.memory, place, bytes);
                }
                yield before;
            }
            default -> throw new IllegalArgumentException("no access: " + frame.action());
        };
    }

    private static MemorySegment copy(MemorySegment data) {
        return Frame.allocate(data.byteSize()).copyFrom(data);
    }

    private static MemorySegment packed(Frame frame, Region region, long place) {
        MemorySegment packed = Frame.allocate(frame.count() * frame.type().size());
        Packer.pack(frame.type(), region.memory, place, frame.count(), packed);
        return packed;
    }

    private void accumulate(Frame frame, Region region, long place, MemorySegment target) {
        operations.of(frame.operation(), frame.basic()).combine(frame.data(), target);
        Packer.unpack(frame.type(), target, region.memory, place, frame.count());
    }
}
