package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Matching.Arrival;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;

/** A message that has arrived before its receive, wholly, in part, or by its announcement. */
final class Unexpected {
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
