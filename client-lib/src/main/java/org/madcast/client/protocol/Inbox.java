package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramCheck;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;
import org.madcast.client.wire.SequenceNumbers;

/**
 * What arrives: checks a datagram, puts a fragment where it belongs, and tells the other parts of
 * the engine what the rest of them say.
 */
final class Inbox {

    private final BroadcastEngine engine;
    private final DatagramCheck check;
    private final FragmentRing ring;
    private final LossTracker loss;
    private final CallRunner calls;
    private final ArrivalRate arrivals;
    private final SenderOrder order;
    private final int algorithms;

    Inbox(BroadcastEngine engine) {
        this.engine = engine;
        EngineConfig config = engine.config;
        check =
                new DatagramCheck(
                        config.token(),
                        config.rank(),
                        config.size(),
                        config.datagramBytes(),
                        config.checksums(),
                        new Checksum());
        ring = engine.ring;
        loss = engine.loss;
        calls = engine.calls;
        arrivals = new ArrivalRate(config.windowFragments(), config.gatherNs());
        order = new SenderOrder(config.size());
        algorithms = config.disseminations().size();
    }

    /** As {@link ProtocolEngine#onDatagram}. */
    void onDatagram(long nowNs, Arrival arrival) {
        engine.counters.datagramsReceived++;
        engine.counters.multicastReceived += arrival.ofGroup() ? 1 : 0;
        Datagram datagram = arrival.datagram();
        Rejection rejection = check.reject(datagram);
        if (rejection == null) {
            rejection = dispatch(nowNs, arrival, datagram);
        }
        if (rejection != null) {
            engine.counters.reject(rejection, arrival.ofGroup());
        } else if (order.isLatest(datagram.sender(), arrival.number())) {
            onLifeSign(nowNs, datagram.sender());
        }
    }

    private void onLifeSign(long nowNs, int sender) {
        engine.tree.life.onHeard(nowNs, sender);
        Call call = calls.current();
        if (call != null) {
            engine.waiting.onHeard(nowNs, sender, call);
        }
    }

    private @Nullable Rejection dispatch(long nowNs, Arrival arrival, Datagram arrived) {
        DatagramType type = arrived.type();
        if (type.carriesFragment()) {
            return onFragment(nowNs, arrival, type);
        }
        int sender = arrived.sender();
        MemorySegment datagram = arrived.segment();
        long sequence = SequenceNumbers.extend(loss.contiguous(), arrived.sequence());
        switch (type) {
            case REPAIR_REQUEST ->
                    engine.repairs.onRequest(nowNs, datagram, sender, engine.group.works());
            case HAVE -> {
                return onHave(nowNs, sender, sequence);
            }
            case PROGRESS, WATERMARK -> {
                boolean latest = order.isLatestReport(sender, arrival.number());
                Rejection refused = engine.treeMessages.on(nowNs, datagram, sequence, latest);
                if (refused != null) {
                    return refused;
                }
                engine.rate.onWorstLoss(engine.worstLoss.share(), engine.group.works());
                engine.failing.answerNeighbour(nowNs, sender);
                calls.advance(nowNs);
            }
            case PING -> onPing(nowNs, datagram, sender);
            case BYE -> {
                if (engine.tree.place.index(sender) < 0) {
                    return Rejection.BAD_FIELD;
                }
                engine.tree.onBye(nowNs, sender, sequence);
                calls.advance(nowNs);
            }
            case FAILURE -> {
                if (!FailureSpread.isWellFormed(datagram)) {
                    return Rejection.BAD_LENGTH;
                }
                if (!engine.failing.hear(nowNs, datagram, engine.config.size())) {
                    return Rejection.BAD_FIELD;
                }
            }
            case REGROUP -> {
                return engine.move.on(nowNs, datagram);
            }
            default -> {
                return Rejection.BAD_TYPE;
            }
        }
        return null;
    }

    private @Nullable Rejection onHave(long nowNs, int sender, long sequence) {
        Call call = calls.current();
        if (call != null && call.isRoot() && sequence > calls.consumed()) {
            return Rejection.NEVER_SENT; // no rank can hold what this one is still to send
        }
        long bounded = Math.min(sequence, calls.consumed() + ring.capacity());
        engine.repairs.onHave(nowNs, sender, bounded);
        return null;
    }

    private @Nullable Rejection onFragment(long nowNs, Arrival arrival, DatagramType type) {
        Datagram datagram = arrival.datagram();
        int algorithm = datagram.algorithm();
        if (!engine.shape.fits(datagram) || algorithm >= algorithms) {
            return Rejection.BAD_FIELD;
        }
        engine.group.onFragment(nowNs, type, algorithm);
        long sequence = SequenceNumbers.extend(loss.contiguous(), datagram.sequence());
        if (sequence < loss.contiguous() || ring.has(sequence)) {
            engine.counters.fragmentsDuplicate++;
            calls.noticeSecondRoot(nowNs, sequence, datagram.segment());
            return null;
        }
        if (sequence >= calls.consumed() + ring.capacity()) {
            return Rejection.OUTSIDE_WINDOW;
        }
        if (datagram.root() == engine.config.rank()) {
            return Rejection.BAD_FIELD; // only this rank can send it, and it did not
        }
        Call call = calls.current();
        if (call != null && call.misplaces(datagram, sequence - calls.consumed())) {
            return Rejection.BAD_FIELD;
        }
        engine.repairs.noteStream(
                sequence,
                datagram.fragment(),
                engine.shape.fragments(datagram.messageBytes()),
                datagram.root(),
                algorithm);
        store(nowNs, sequence, arrival, type);
        calls.advance(nowNs);
        return null;
    }

    private void store(long nowNs, long sequence, Arrival arrival, DatagramType type) {
        Datagram datagram = arrival.datagram();
        ring.put(sequence, datagram);
        calls.noticeArrival(nowNs - arrival.waitedNs(), sequence);
        int algorithm = datagram.algorithm();
        if (datagram.isAhead()) {
            loss.onAhead(nowNs, sequence, datagram.fragment(), datagram.root());
        } else {
            loss.onArrival(nowNs, sequence, engine.group.parts(algorithm), datagram.fragment());
        }
        engine.stall.onFragment(nowNs);
        engine.counters.fragmentsUseful++;
        engine.counters.repairsReceived += type == DatagramType.DATA ? 0 : 1;
        engine.desk.onArrival(nowNs, sequence, type == DatagramType.GROUP_REPAIR);
        if (engine.secondStage.serves(algorithm)) {
            engine.secondStage.onArrival(sequence, datagram.root(), algorithm);
        } else {
            engine.forwards.add(sequence, datagram);
        }
        if (engine.group.parts(algorithm) > 1) {
            engine.repairs.onPart(nowNs);
        }
        if (type == DatagramType.DATA && engine.group.multicasts(algorithm)) {
            arrivals.onFragment(
                    nowNs, Math.max(engine.shape.stillToCome(datagram), calls.stillToCome()));
        }
        if (calls.current() != null) {
            engine.waiting.onFragment(nowNs);
        }
    }

    /**
     * For how long what comes next may gather in the socket, as {@link ProtocolEngine#coalesceNs}.
     */
    long takeCoalesceNs() {
        return arrivals.takeCoalesceNs();
    }

    private void onPing(long nowNs, MemorySegment ping, int sender) {
        Call call = calls.current();
        Failure mismatch = call == null ? null : call.compareWithDescription(ping);
        if (mismatch != null) {
            engine.failing.notice(nowNs, mismatch);
        }
        long called = SequenceNumbers.extend(loss.contiguous(), DatagramLayout.sequence(ping));
        engine.control.add(DatagramType.HAVE, sender, engine.repairs.heldFor(called), 0);
        engine.failing.answer(nowNs, sender);
    }
}
