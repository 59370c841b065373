package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Send;

/** The messages that this process sends: which of them go at once, and what is still to go. */
final class Outgoing {

    /** The longest message that is sent before the receiver asked for it. */
    static final int EAGER_BYTES = 32 << 10;

    /** How many pieces of a message may be queued at the carrier. */
    private static final int PIECES_UNDER_WAY = 2;

    private final Carrier carrier;
    private final long eagerBudgetBytes;
    private final Map<Long, Send> sends = new HashMap<>();

    /** What each receiver keeps of messages that it has not consumed. */
    private final Map<Integer, Long> eagerUnderWayBytes = new HashMap<>();

    private long nextId;

    Outgoing(Carrier carrier, long eagerBudgetBytes) {
        this.carrier = carrier;
        this.eagerBudgetBytes = eagerBudgetBytes;
    }

    /** Begins to send to a rank that is not known to be lost. */
    void begin(Send send) {
        send.id = nextId++;
        sends.put(send.id, send);
        long bytes = send.memory.byteSize();
        long underWay =
                eagerUnderWayBytes.getOrDefault(send.destination, 0L)
                        + bytes
                        + MessageEngine.OVERHEAD_BYTES;
        FrameHeader header;
        MemorySegment body = MemorySegment.NULL;
        Object owner = this;
        if (!send.synchronous && bytes <= EAGER_BYTES && underWay <= eagerBudgetBytes) {
            eagerUnderWayBytes.put(send.destination, underWay);
            send.framesUnderWay++;
            send.offset = bytes;
            header = FrameHeader.eager(send.context, send.tag, send.id, send.call, (int) bytes);
            body = send.memory;
            owner = send;
        } else {
            header = FrameHeader.ready(send.context, send.tag, send.id, send.call, bytes);
        }
        carrier.send(send.destination, new Frame(header, body, owner));
    }

    /** A receiver has consumed bytes. */
    void onCredit(int from, long bytes) {
        eagerUnderWayBytes.computeIfPresent(from, (_, had) -> Math.max(0, had - bytes));
    }

    /** A receiver asks for an announced message; a negative identifier refuses its bytes. */
    void onClear(int from, long sendId, long receiveId) {
        Send send = sends.get(sendId);
        if (send == null || send.destination != from) {
            return; // not ours: a peer that breaks the protocol harms only itself
        }
        send.receiveId = receiveId;
        if (receiveId < 0) {
            finish(send, null);
        } else {
            sendPieces(send);
        }
    }

    private void sendPieces(Send send) {
        while (send.framesUnderWay < PIECES_UNDER_WAY && send.remaining() > 0) {
            int bytes = (int) Math.min(send.remaining(), FrameHeader.MOST_BODY_BYTES);
            MemorySegment piece = send.memory.asSlice(send.offset, bytes);
            FrameHeader header = FrameHeader.data(send.receiveId, send.offset, bytes);
            send.offset += bytes;
            send.framesUnderWay++;
            carrier.send(send.destination, new Frame(header, piece, send));
        }
    }

    /** A frame is out of the caller's memory. */
    void onSent(Frame frame) {
        if (!(frame.owner() instanceof Send send) || !sends.containsKey(send.id)) {
            return;
        }
        send.framesUnderWay--;
        if (send.remaining() > 0 && !send.revoked) {
            sendPieces(send);
        } else if (send.framesUnderWay == 0) {
            finish(send, send.revoked ? new Outcome.Revoked() : null);
        }
    }

    private void finish(Send send, @Nullable Outcome failure) {
        sends.remove(send.id);
        send.end(
                failure != null
                        ? failure
                        : new Outcome.Complete(send.destination, send.tag, send.memory.byteSize()));
    }

    /** Nothing reaches a rank any more. */
    void onLost(int rank, Outcome lost) {
        for (Send each : List.copyOf(sends.values())) {
            if (each.destination == rank) {
                finish(each, lost);
            }
        }
    }

    /** Sends nothing more in a context; frames that are on their way are let go. */
    void revoke(long context) {
        for (Send each : List.copyOf(sends.values())) {
            if (each.context == context && each.framesUnderWay == 0) {
                finish(each, new Outcome.Revoked());
            } else if (each.context == context) {
                each.revoked = true;
            }
        }
    }

    /** Adds the ranks that messages wait for. */
    void addDestinations(Set<Integer> ranks) {
        sends.values().forEach(it -> ranks.add(it.destination));
    }
}
