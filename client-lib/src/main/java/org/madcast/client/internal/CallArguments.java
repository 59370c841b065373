package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import org.madcast.client.ReduceOperation;

/** What is asked of the memory that a collective call is given. */
final class CallArguments {

    private CallArguments() {}

    static void checkLength(String what, MemorySegment data, long bytes) {
        if (data.byteSize() < bytes) {
            throw new IllegalArgumentException(
                    "%s has %d bytes; %d are needed".formatted(what, data.byteSize(), bytes));
        }
    }

    /** Whether two segments are the same memory. */
    static boolean isSame(MemorySegment a, MemorySegment b) {
        return a.byteSize() == b.byteSize()
                && a.asOverlappingSlice(b).map(it -> it.byteSize() == a.byteSize()).orElse(false);
    }

    /** How many elements of an operation a segment has. */
    static long elements(MemorySegment data, ReduceOperation operation) {
        if (data.byteSize() % operation.elementBytes() != 0) {
            throw new IllegalArgumentException(
                    "%d bytes are no whole elements of %d bytes"
                            .formatted(data.byteSize(), operation.elementBytes()));
        }
        return data.byteSize() / operation.elementBytes();
    }
}
