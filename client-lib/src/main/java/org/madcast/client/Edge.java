package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One message of an {@linkplain Collectives#exchangeInit exchange}: a rank, and the memory that
 * goes to it or that gets what comes from it. Immutable; the memory is the library's as long as the
 * call says of its buffers.
 *
 * @param rank the other rank; this one is valid
 * @param memory of any length
 * @param memoryForBytes of what is received when only the sender knows the length: makes memory of
 *     exactly this length, which is used in place of {@code memory}. Called on any thread, it must
 *     not wait nor call the library; null for none
 */
public record Edge(
        int rank, MemorySegment memory, @Nullable LongFunction<MemorySegment> memoryForBytes) {

    /** A message of a length that both ranks know. */
    public Edge(int rank, MemorySegment memory) {
        this(rank, memory, null);
    }
}
