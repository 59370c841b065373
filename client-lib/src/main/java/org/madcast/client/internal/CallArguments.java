package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import org.madcast.client.ReduceOperation;

/** What is asked of what a call is given. */
final class CallArguments {

    private CallArguments() {}

    static void checkTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + " is negative");
        }
    }

    /** The library's own thread must be able to reach the memory, too. */
    static void checkAccess(String what, MemorySegment memory, Thread by) {
        if (!memory.isAccessibleBy(by)) {
            throw new IllegalArgumentException(
                    what
                            + " belongs to one thread; use a heap array or a shared or automatic"
                            + " arena");
        }
    }

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

    /** Refuses a result that lies over the data, unless that is the call in place. */
    static void checkApart(
            MemorySegment data, String what, MemorySegment result, boolean mayBeSame) {
        if (data.byteSize() > 0 && data.asOverlappingSlice(result).isPresent() && !mayBeSame) {
            throw new IllegalArgumentException("data and " + what + " overlap");
        }
    }
}
