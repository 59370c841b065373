package org.madcast.measure.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a rank sends and receives in a {@link MeasuredCall}, with contents that each rank can check.
 */
final class CallBuffers {

    private static final int SUM_PERIOD = 997;

    private final MeasuredCall call;
    private final int sizeBytes;
    private final int rank;
    private final int ranks;
    private final int root;
    private final MemorySegment sent;
    private final MemorySegment received;

    /** 0, 1, 2 and so on, of which each part is a section. */
    private final MemorySegment rising;

    /** Buffers that live as long as they are reachable. */
    CallBuffers(MeasuredCall call, int sizeBytes, int rank, int ranks, int root) {
        if (call.shape().isSum() && sizeBytes % Double.BYTES != 0) {
            throw new IllegalArgumentException(
                    "%s of %d bytes: a multiple of 8 is needed".formatted(call.label(), sizeBytes));
        }
        this.call = call;
        this.sizeBytes = sizeBytes;
        this.rank = rank;
        this.ranks = ranks;
        this.root = root;
        Arena arena = Arena.ofAuto();
        this.sent = arena.allocate(call.shape().sentBytes(sizeBytes, ranks), Double.BYTES);
        this.received = arena.allocate(call.shape().receivedBytes(sizeBytes, ranks), Double.BYTES);
        byte[] counted = new byte[sizeBytes + 256];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = (byte) i;
        }
        this.rising = MemorySegment.ofArray(counted);
    }

    MeasuredCall call() {
        return call;
    }

    int sizeBytes() {
        return sizeBytes;
    }

    int root() {
        return root;
    }

    MemorySegment sent() {
        return sent;
    }

    MemorySegment received() {
        return received;
    }

    /** Puts a trial's contents into what is sent, and nothing into what is received. */
    void fill(int trial) {
        received.fill((byte) 0);
        if (call.shape().isSum()) {
            long place = trial % SUM_PERIOD; // small whole numbers: their sum is exact
            for (long i = 0; i < sent.byteSize() / Double.BYTES; i++) {
                sent.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (double) (place + rank));
                place = next(place);
            }
        } else if (sizeBytes > 0) {
            for (long at = 0; at < sent.byteSize(); at += sizeBytes) {
                sent.asSlice(at, sizeBytes).copyFrom(content(trial, rank, at / sizeBytes));
            }
        }
        if (call.shape() == MeasuredCall.Shape.PART_TO_PART) {
            if (rank == root) {
                received.copyFrom(sent); // one buffer serves the root of a broadcast
            }
        }
    }

    /** True when what was received is what the trial's call has to give this rank. */
    boolean isRight(int trial) {
        return switch (call) {
            case BARRIER -> true;
            case GATHER -> rank != root || isFrom(trial, part -> part, 0);
            case SCATTER -> isFrom(trial, _ -> root, rank);
            case ALLGATHER -> isFrom(trial, part -> part, 0);
            case ALLTOALL -> isFrom(trial, part -> part, rank);
            case BCAST_TURNS, IBCAST -> isFrom(trial, _ -> root, 0);
            case PINGPONG -> rank > 1 || isFrom(trial, _ -> root, 0);
            case REDUCE -> rank != root || isSum(trial, 0, ranks);
            case ALLREDUCE -> isSum(trial, 0, ranks);
            case REDUCE_SCATTER -> isSum(trial, (long) rank * sizeBytes / Double.BYTES, ranks);
            case SCAN -> isSum(trial, 0, rank + 1);
        };
    }

    /** Where a part of what was received comes from. */
    private interface Source {
        int of(int part);
    }

    private boolean isFrom(int trial, Source source, long target) {
        if (sizeBytes == 0) {
            return true;
        }
        for (long at = 0; at < received.byteSize(); at += sizeBytes) {
            MemorySegment expected = content(trial, source.of((int) (at / sizeBytes)), target);
            if (received.asSlice(at, sizeBytes).mismatch(expected) >= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isSum(int trial, long first, int of) {
        double ranksSum = of * (of - 1) / 2.0;
        long place = (trial + first) % SUM_PERIOD;
        for (long i = 0; i < received.byteSize() / Double.BYTES; i++) {
            double expected = of * (double) place + ranksSum;
            if (received.getAtIndex(ValueLayout.JAVA_DOUBLE, i) != expected) {
                return false;
            }
            place = next(place);
        }
        return true;
    }

    private static long next(long place) {
        return place + 1 == SUM_PERIOD ? 0 : place + 1;
    }

    /** The bytes of a part: they rise by 1 each, from where trial, sender and receiver say. */
    private MemorySegment content(int trial, int from, long to) {
        long first = 7L * trial + 31L * from + 17 * to & 0xff;
        return rising.asSlice(first, sizeBytes);
    }
}
