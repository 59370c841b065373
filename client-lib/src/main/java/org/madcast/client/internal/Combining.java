package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import org.madcast.client.OperationException;
import org.madcast.client.ReduceOperation;

/** Calls of a reduction's operation, which is the program's and may throw. */
final class Combining {

    private Combining() {}

    /**
     * Combines a part of a lower rank with what follows.
     *
     * @param rank this one
     */
    static void combine(
            ReduceOperation operation, MemorySegment left, MemorySegment right, int rank) {
        try {
            operation.combine(left, right);
        } catch (RuntimeException | Error thrown) {
            throw failure(rank, thrown);
        }
    }

    /** What a call ends with when its operation threw on this rank. */
    static OperationException failure(int rank, Throwable thrown) {
        return new OperationException(
                "the operation threw on rank %d: %s".formatted(rank, thrown), thrown);
    }
}
