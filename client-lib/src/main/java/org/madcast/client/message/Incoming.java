package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Carrier.Landing;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;

/** The announced messages that this process receives: what it has asked for, and what has come. */
final class Incoming {

    /** Bytes on their way into a receive's memory. */
    record Piece(long receiveId, Receive receive, int bytes) {}

    private record Answer(int peer, FrameHeader header) {}

    private final Carrier carrier;
    private final Map<Long, Receive> receives = new HashMap<>();
    private final ArrayDeque<Answer> held = new ArrayDeque<>();
    private long nextId;

    Incoming(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Asks for the bytes of an announced message, or refuses them when there is no room. */
    void begin(int source, long sendId, Receive receive) {
        boolean wants = receive.isStored() && receive.messageBytes > 0;
        long receiveId = wants ? nextId++ : -1;
        if (wants) {
            receives.put(receiveId, receive);
        }
        held.add(new Answer(source, FrameHeader.clear(sendId, receiveId)));
        if (!wants) {
            receive.complete();
        }
    }

    /**
     * Sends the answers that {@link #begin} has left. They wait, since a rank that exchanges long
     * messages announces its own first: the other side's answer to it then leaves before the bytes
     * that this one has asked for, rather than behind them.
     */
    void release() {
        for (Answer each = held.poll(); each != null; each = held.poll()) {
            carrier.send(each.peer(), new Frame(each.header(), MemorySegment.NULL, this));
        }
    }

    /** Whether there are such answers. */
    boolean holds() {
        return !held.isEmpty();
    }

    /** Where the bytes of a frame go; null for a frame that was not asked for. */
    @Nullable Landing land(int from, FrameHeader header) {
        Receive receive = receives.get(header.id());
        long offset = header.other();
        if (receive == null
                || receive.matchedSource != from
                || offset != receive.arrivedBytes
                || offset + header.bodyBytes() > receive.messageBytes) {
            return null;
        }
        return new Landing(
                receive.memory.asSlice(offset, header.bodyBytes()),
                new Piece(header.id(), receive, header.bodyBytes()));
    }

    /** The bytes have come. */
    void onBody(Piece piece, boolean revoked) {
        Receive receive = piece.receive();
        receive.arrivedBytes += piece.bytes();
        if (revoked) {
            receives.remove(piece.receiveId());
            receive.end(new Outcome.Revoked());
        } else if (receive.arrivedBytes == receive.messageBytes) {
            receives.remove(piece.receiveId());
            receive.complete();
        }
    }

    /** Ends the receives from a rank. */
    void onLost(int rank, Outcome lost) {
        for (Map.Entry<Long, Receive> each : List.copyOf(receives.entrySet())) {
            if (each.getValue().matchedSource == rank) {
                end(each, lost);
            }
        }
    }

    /**
     * Ends the receives of a context.
     *
     * @param arriving what arrives at present, by rank: memory of which bytes are on their way is
     *     its transfer's until they have come
     */
    void revoke(long context, IntFunction<@Nullable Object> arriving) {
        for (Map.Entry<Long, Receive> each : List.copyOf(receives.entrySet())) {
            Receive receive = each.getValue();
            boolean arrives =
                    arriving.apply(receive.matchedSource) instanceof Piece piece
                            && piece.receive().equals(receive);
            if (receive.context == context && !arrives) {
                end(each, new Outcome.Revoked());
            }
        }
    }

    private void end(Map.Entry<Long, Receive> receive, Outcome how) {
        receives.remove(receive.getKey());
        receive.getValue().end(how);
    }

    /** Adds the ranks whose bytes are awaited. */
    void addSources(Set<Integer> ranks) {
        receives.values().forEach(it -> ranks.add(it.matchedSource));
    }
}
