package org.madcast.measure.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What is measured besides a broadcast from rank 0: one collective call, or an exchange of
 * messages.
 */
public enum MeasuredCall {
    /** MPI_Barrier; its size means nothing. */
    BARRIER(Shape.NOTHING),
    /** MPI_Gather to the root; the size is that of a rank's part. */
    GATHER(Shape.PART_TO_ALL),
    /** MPI_Scatter from the root; the size is that of a rank's part. */
    SCATTER(Shape.ALL_TO_PART),
    /** MPI_Allgather; the size is that of a rank's part. */
    ALLGATHER(Shape.PART_TO_ALL),
    /** MPI_Alltoall; the size is what a rank sends to one other. */
    ALLTOALL(Shape.ALL_TO_ALL),
    /** MPI_Reduce of doubles to the root; the size is that of a rank's contribution. */
    REDUCE(Shape.SUM),
    /** MPI_Allreduce of doubles; the size is that of a rank's contribution. */
    ALLREDUCE(Shape.SUM),
    /** MPI_Reduce_scatter_block of doubles; the size is that of a rank's part of the result. */
    REDUCE_SCATTER(Shape.SUM_OF_PARTS),
    /** MPI_Scan of doubles; the size is that of a rank's contribution. */
    SCAN(Shape.SUM),
    /** MPI_Bcast by each rank in turn, where a time is measured over several calls. */
    BCAST_TURNS(Shape.PART_TO_PART),
    /** MPI_Ibcast from the root, with up to 64 under way. */
    IBCAST(Shape.PART_TO_PART),
    /** A message from rank 0 to rank 1 and back: half of it is what is told. */
    PINGPONG(Shape.PART_TO_PART);

    /** How large its buffers are. */
    enum Shape {
        NOTHING,
        PART_TO_PART,
        PART_TO_ALL,
        ALL_TO_PART,
        ALL_TO_ALL,
        SUM,
        SUM_OF_PARTS;

        long sentBytes(long sizeBytes, int ranks) {
            return switch (this) {
                case NOTHING -> 0;
                case PART_TO_PART, PART_TO_ALL, SUM -> sizeBytes;
                case ALL_TO_PART, ALL_TO_ALL, SUM_OF_PARTS -> sizeBytes * ranks;
            };
        }

        long receivedBytes(long sizeBytes, int ranks) {
            return switch (this) {
                case NOTHING -> 0;
                case PART_TO_PART, ALL_TO_PART, SUM, SUM_OF_PARTS -> sizeBytes;
                case PART_TO_ALL, ALL_TO_ALL -> sizeBytes * ranks;
            };
        }

        boolean isSum() {
            return this == SUM || this == SUM_OF_PARTS;
        }
    }

    private final Shape shape;

    MeasuredCall(Shape shape) {
        this.shape = shape;
    }

    Shape shape() {
        return shape;
    }

    /** Its name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The call that a cell is about; empty for a broadcast from rank 0.
     *
     * @param algorithm the cell's: a label, or a label, a slash and the name of an algorithm
     */
    public static Optional<MeasuredCall> of(String algorithm) {
        int slash = algorithm.indexOf('/');
        String label = slash < 0 ? algorithm : algorithm.substring(0, slash);
        return Arrays.stream(values()).filter(call -> call.label().equals(label)).findFirst();
    }

    /** True for those that name a root. */
    boolean hasRoot() {
        return this == GATHER || this == SCATTER || this == REDUCE || this == IBCAST;
    }

    /** True for those that one call begins and another ends. */
    boolean canOverlap() {
        return this != BCAST_TURNS && this != PINGPONG;
    }

    /** How many times its duration lie between start and end. */
    int durations() {
        return this == PINGPONG ? 2 : 1;
    }
}
