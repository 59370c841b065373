package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Matching.Arrival;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;

/** A message that has arrived before its receive, wholly, in part, or by its announcement. */
final class Unexpected {

    /** What all ranks together may make a process keep. */
    private static final long ALL_BYTES = 64 << 20;

    private static final long LEAST_BUDGET_BYTES = 4 << 10;
    private static final long MOST_BUDGET_BYTES = 1 << 20;

    final boolean eager;
    final long bytes;
    final long sendId;
    final long call;
    final MemorySegment kept;
    boolean whole;
    boolean dropped;
    @Nullable Receive claimedBy;

    Unexpected(boolean eager, long bytes, FrameHeader header) {
        this.eager = eager;
        this.call = header.call();
        this.bytes = bytes;
        this.sendId = header.id();
        this.kept = eager ? MemorySegment.ofArray(new byte[(int) bytes]) : MemorySegment.NULL;
        this.whole = eager && bytes == 0;
    }

    /** What each sender may make a process of a world keep of such messages. */
    static long budgetBytes(int ranks) {
        return Math.clamp(ALL_BYTES / ranks, LEAST_BUDGET_BYTES, MOST_BUDGET_BYTES);
    }

    /** A message that was taken out by a matched probe, for exactly one receive. */
    record Claimed(Arrival<Unexpected> arrival) {
        Outcome.Complete envelope() {
            return envelopeOf(arrival);
        }
    }

    static Outcome.Complete envelopeOf(Arrival<Unexpected> arrival) {
        return new Outcome.Complete(arrival.source(), arrival.tag(), arrival.message().bytes);
    }
}
