package org.madcast.client.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Carrier.Landing;
import org.madcast.client.message.Incoming.Piece;
import org.madcast.client.message.Matching.Arrival;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;

/**
 * Sends and receives of one process, as a state machine over frames. Pure: no socket, thread, lock
 * or clock; called under its endpoint's lock.
 *
 * <p><b>Eager.</b> A message of at most {@link Outgoing#EAGER_BYTES} is sent at once (EAGER),
 * together with its bytes, as long as the receiver keeps less than {@code eagerBudgetBytes} of this
 * sender's messages that no receive has taken; it tells by CREDIT what it has consumed. So what
 * strangers to the receiver's program order can make it keep is bounded.
 *
 * <p><b>Rendezvous.</b> A longer message, a synchronous one, and one without credit is announced
 * (READY). When a receive matches it the receiver answers (CLEAR), and the bytes go from the
 * sender's memory to the receiver's (DATA), in pieces, so that other messages pass in between.
 *
 * <p><b>Order.</b> EAGER and READY of one sender are matched in the order in which they were sent,
 * since a {@link Carrier} keeps it: messages do not overtake.
 *
 * <p>Numbers of ranks are those of the world: the communicator in which the processes met.
 */
final class MessageEngine implements Carrier.Events {

    /** What keeping a message costs the receiver besides its bytes. */
    static final int OVERHEAD_BYTES = 128;

    private static final int MOST_REASON_BYTES = 1 << 10;

    private static final MemorySegment NOTHING = MemorySegment.NULL;

    /** What is known of another rank. */
    private static final class Peer {
        long consumedBytes;

        /** What the body that arrives at present belongs to: there is one at a time. */
        @Nullable Object arriving;

        @Nullable String lost;
    }

    private final Carrier carrier;
    private final long eagerBudgetBytes;
    private final Matching<Receive, Unexpected> matching = new Matching<>();
    private final Outgoing outgoing;
    private final Incoming incoming;
    private final Map<Integer, Peer> peers = new HashMap<>();

    private final Contexts contexts = new Contexts();

    /**
     * An engine without any transfer.
     *
     * @param eagerBudgetBytes what each sender may make this process keep, bodies and 128 bytes
     *     each
     */
    MessageEngine(Carrier carrier, long eagerBudgetBytes) {
        this.carrier = carrier;
        this.eagerBudgetBytes = eagerBudgetBytes;
        this.outgoing = new Outgoing(carrier, eagerBudgetBytes);
        this.incoming = new Incoming(carrier);
    }

    /** Makes contexts known; see {@link Contexts#open}. */
    void open(Contexts.Context of, long... known) {
        contexts.open(of, known);
    }

    /** Reports to a rank that the collective calls of a context have failed. */
    void abort(int rank, long context, byte[] why) {
        tell(rank, FrameHeader.abort(context, why.length), why);
    }

    /** Says something to the other half of a context. */
    void notice(int rank, long context, byte[] notice) {
        tell(rank, FrameHeader.notice(context, notice.length), notice);
    }

    private void tell(int rank, FrameHeader header, byte[] body) {
        if (peer(rank).lost == null) {
            carrier.send(rank, new Frame(header, MemorySegment.ofArray(body), this));
        }
    }

    /** Drops what has arrived for a context and ends its receives. */
    void close(long context) {
        contexts.close(context);
        drop(context, new Outcome.Cancelled());
    }

    /**
     * Ends what is under way in a context, and all that begins in it later. Memory of which bytes
     * are on their way is its transfer's until they have gone or come.
     */
    void revoke(long context) {
        contexts.revoke(context);
        drop(context, new Outcome.Revoked());
        outgoing.revoke(context);
        incoming.revoke(context, rank -> peer(rank).arriving);
    }

    private void drop(long context, Outcome why) {
        matching.removePosted((of, _) -> of == context).forEach(it -> it.end(why));
        for (Arrival<Unexpected> each : matching.removeAll(context)) {
            Unexpected message = each.message();
            if (!message.eager) {
                refuse(each.source(), message.sendId, context);
            } else if (message.whole) {
                consumed(each.source(), message.bytes);
            } else {
                message.dropped = true;
            }
        }
    }

    /** Ends a send well, as one to a closed context; its rank hears of a revocation by itself. */
    private void refuse(int source, long sendId, long context) {
        if (!contexts.isRevoked(context)) {
            answer(source, FrameHeader.clear(sendId, -1));
        }
    }

    private Peer peer(int rank) {
        return peers.computeIfAbsent(rank, _ -> new Peer());
    }

    /** Begins to send. */
    void send(Send send) {
        Peer peer = peer(send.destination);
        if (peer.lost != null) {
            send.end(new Outcome.Lost(send.destination, peer.lost));
            return;
        }
        if (contexts.isRevoked(send.context)) {
            send.end(new Outcome.Revoked());
            return;
        }
        outgoing.begin(send);
    }

    private void answer(int peer, FrameHeader header) {
        carrier.send(peer, new Frame(header, NOTHING, this));
    }

    /** Begins to receive. */
    void receive(Receive receive) {
        if (contexts.isRevoked(receive.context)) {
            receive.end(new Outcome.Revoked());
            return;
        }
        Arrival<Unexpected> found =
                matching.post(receive.context, receive.source, receive.tag, receive);
        if (found != null) {
            take(found, receive);
            return;
        }
        int lost = lostSource(receive);
        if (lost >= 0) {
            matching.cancel(receive.context, receive.source, receive.tag, receive);
            receive.end(new Outcome.Lost(lost, reason(lost)));
        }
    }

    private int lostSource(Receive receive) {
        if (receive.source != Matching.ANY) {
            return peer(receive.source).lost == null ? -1 : receive.source;
        }
        for (Map.Entry<Integer, Peer> each : peers.entrySet()) {
            if (each.getValue().lost != null && contexts.isMember(receive.context, each.getKey())) {
                return each.getKey();
            }
        }
        return -1;
    }

    private String reason(int rank) {
        String reason = peer(rank).lost;
        return reason == null ? "" : reason;
    }

    /**
     * Receives a message that was taken out by {@link #claim}; the receive's envelope is ignored.
     */
    void receive(Unexpected.Claimed claimed, Receive receive) {
        take(claimed.arrival(), receive);
    }

    private void take(Arrival<Unexpected> arrival, Receive receive) {
        Unexpected message = arrival.message();
        receive.match(arrival.source(), arrival.tag(), message.bytes, message.call);
        if (!message.eager) {
            clear(arrival.source(), message.sendId, receive);
        } else if (message.whole) {
            deliver(arrival.source(), message, receive);
        } else if (peer(arrival.source()).lost == null) {
            message.claimedBy = receive;
        } else {
            receive.end(new Outcome.Lost(arrival.source(), reason(arrival.source())));
        }
    }

    private void deliver(int source, Unexpected message, Receive receive) {
        if (receive.isStored()) {
            MemorySegment.copy(message.kept, 0, receive.memory, 0, message.bytes);
        }
        consumed(source, message.bytes);
        receive.complete();
    }

    /** Asks for the bytes of an announced message, or refuses them when there is no room. */
    private void clear(int source, long sendId, Receive receive) {
        String lost = peer(source).lost;
        if (lost != null) {
            receive.end(new Outcome.Lost(source, lost));
            return;
        }
        incoming.begin(source, sendId, receive);
    }

    /** Sends the answers of receives; see {@link Incoming#release}. */
    void release() {
        incoming.release();
    }

    /** Whether there are such answers. */
    boolean holds() {
        return incoming.holds();
    }

    /** Takes a receive back; false when a message has matched it already. */
    boolean cancel(Receive receive) {
        boolean cancelled = matching.cancel(receive.context, receive.source, receive.tag, receive);
        if (cancelled) {
            receive.end(new Outcome.Cancelled());
        }
        return cancelled;
    }

    /** The message that such a receive would get now, if any (MPI_Iprobe). */
    Outcome.@Nullable Complete probe(long context, int source, int tag) {
        Arrival<Unexpected> found = matching.find(context, source, tag);
        return found == null ? null : Unexpected.envelopeOf(found);
    }

    /** Takes out the message that such a receive would get now, if any (MPI_Improbe). */
    Unexpected.@Nullable Claimed claim(long context, int source, int tag) {
        Arrival<Unexpected> found = matching.find(context, source, tag);
        if (found == null) {
            return null;
        }
        matching.remove(found);
        return new Unexpected.Claimed(found);
    }

    /** Why a rank is lost; null while it is not known to be. */
    @Nullable String lost(int rank) {
        Peer peer = peers.get(rank);
        return peer == null ? null : peer.lost;
    }

    @Override
    public Landing onFrame(int from, FrameHeader header) {
        Landing landing = land(from, header);
        peer(from).arriving = header.bodyBytes() > 0 ? landing.owner() : null;
        return landing;
    }

    private Landing land(int from, FrameHeader header) {
        return switch (header.type()) {
            case EAGER -> onEager(from, header);
            case READY -> onReady(from, header);
            case CLEAR -> {
                outgoing.onClear(from, header.id(), header.other());
                yield nowhere();
            }
            case DATA -> onData(from, header);
            case CREDIT -> {
                outgoing.onCredit(from, header.other());
                yield nowhere();
            }
            case PING -> {
                answer(from, FrameHeader.bare(FrameHeader.Type.PONG, 0));
                yield nowhere();
            }
            case PONG -> nowhere();
            case LEAVE -> {
                boolean closed = header.other() == FrameHeader.CLOSED;
                onLost(from, closed ? MessageEndpoint.LEFT : MessageEndpoint.GIVES_UP);
                yield nowhere();
            }
            case ABORT -> {
                byte[] why = new byte[Math.min(header.bodyBytes(), MOST_REASON_BYTES)];
                MemorySegment target = MemorySegment.ofArray(why);
                yield new Landing(target, new Abort(header.context(), target));
            }
            case NOTICE -> onNotice(from, header);
        };
    }

    private static Landing nowhere() {
        return new Landing(NOTHING, NOTHING);
    }

    private Landing onNotice(int from, FrameHeader header) {
        if (header.bodyBytes() == 0) {
            contexts.onClosed(header.context(), from);
        } else if (contexts.isClosed(header.context())) {
            answer(from, FrameHeader.notice(header.context(), 0));
        } else {
            MemorySegment target = MemorySegment.ofArray(new byte[header.bodyBytes()]);
            return new Landing(target, new Notice(header.context(), target));
        }
        return nowhere();
    }

    private Landing onEager(int from, FrameHeader header) {
        if (contexts.isDropped(header.context())) {
            consumed(from, header.bodyBytes());
            return nowhere();
        }
        Unexpected message = new Unexpected(true, header.bodyBytes(), header);
        Receive receive = matching.arrive(header.context(), from, header.tag(), message);
        if (receive == null) {
            return new Landing(message.kept, message);
        }
        receive.match(from, header.tag(), header.bodyBytes(), header.call());
        if (header.bodyBytes() == 0) {
            consumed(from, 0);
            receive.complete();
            return nowhere();
        }
        return new Landing(receive.isStored() ? receive.memory : NOTHING, receive);
    }

    private Landing onReady(int from, FrameHeader header) {
        if (contexts.isDropped(header.context())) {
            refuse(from, header.id(), header.context());
            return nowhere();
        }
        Unexpected message = new Unexpected(false, header.other(), header);
        Receive receive = matching.arrive(header.context(), from, header.tag(), message);
        if (receive != null) {
            receive.match(from, header.tag(), header.other(), header.call());
            clear(from, header.id(), receive);
            release();
        }
        return nowhere();
    }

    private Landing onData(int from, FrameHeader header) {
        Landing landing = incoming.land(from, header);
        return landing == null ? nowhere() : landing;
    }

    private record Abort(long context, MemorySegment why) {}

    private record Notice(long context, MemorySegment text) {}

    @Override
    public void onBody(int from, Landing landing) {
        peer(from).arriving = null;
        switch (landing.owner()) {
            case Unexpected message -> {
                message.whole = true;
                if (message.claimedBy != null) {
                    deliver(from, message, message.claimedBy);
                } else if (message.dropped) {
                    consumed(from, message.bytes);
                }
            }
            case Receive receive -> {
                consumed(from, receive.messageBytes);
                receive.complete();
            }
            case Abort(long context, MemorySegment why) ->
                    contexts.onAbort(context, why.toArray(ValueLayout.JAVA_BYTE));
            case Notice(long context, MemorySegment text) ->
                    contexts.onNotice(context, from, text.toArray(ValueLayout.JAVA_BYTE));
            case Piece piece -> incoming.onBody(piece, contexts.isRevoked(piece.receive().context));
            default -> {
                // A body that belongs to nothing was dropped.
            }
        }
    }

    /** Gives credit back, in portions of a quarter of the budget. */
    private void consumed(int source, long bytes) {
        Peer peer = peer(source);
        peer.consumedBytes += bytes + OVERHEAD_BYTES;
        if (peer.consumedBytes >= eagerBudgetBytes / 4 && peer.lost == null) {
            answer(source, FrameHeader.bare(FrameHeader.Type.CREDIT, peer.consumedBytes));
            peer.consumedBytes = 0;
        }
    }

    @Override
    public void onSent(int to, Frame frame) {
        outgoing.onSent(frame);
    }

    @Override
    public void onLost(int rank, String reason) {
        Peer peer = peer(rank);
        if (peer.lost != null) {
            return;
        }
        peer.lost = reason;
        Outcome lost = new Outcome.Lost(rank, reason);
        if (peer.arriving instanceof Receive half) {
            half.end(lost);
        } else if (peer.arriving instanceof Unexpected half && half.claimedBy != null) {
            half.claimedBy.end(lost);
        }
        outgoing.onLost(rank, lost);
        incoming.onLost(rank, lost);
        matching.removePosted((context, source) ->
                        source == rank
                                || (source == Matching.ANY && contexts.isMember(context, rank)))
                .forEach(it -> it.end(lost));
        contexts.onLost(rank);
    }

    /**
     * The ranks that transfers wait for; those that a receive from any source waits for are not.
     */
    Set<Integer> awaited() {
        Set<Integer> ranks = new HashSet<>();
        outgoing.addDestinations(ranks);
        incoming.addSources(ranks);
        matching.addSources(ranks);
        contexts.addAwaited(ranks);
        return ranks;
    }

    /** Is called now and then. */
    void onTime(long nowNs) {
        contexts.onTime(nowNs);
    }

    /** Asks a rank for a sign of life. */
    void ping(int rank) {
        if (peer(rank).lost == null) {
            answer(rank, FrameHeader.bare(FrameHeader.Type.PING, 0));
        }
    }

    /** What is kept of messages that no receive has taken, without overhead. */
    long keptBytes() {
        return matching.messages().mapToLong(it -> it.kept.byteSize()).sum();
    }
}
