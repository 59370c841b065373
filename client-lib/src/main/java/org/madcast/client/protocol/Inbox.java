package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramCheck;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;
import org.madcast.client.wire.SequenceNumbers;

/**
 * What arrives: checks a datagram, puts a fragment where it belongs, and tells the other parts of
 * the engine what the rest of them say.
 */
final class Inbox {

    private final MessageShape shape;
    private final DatagramCheck check;
    private final FragmentRing ring;
    private final LossTracker loss;
    private final RepairQueue desk;
    private final ForwardQueue forwards;
    private final RepairExchange repairs;
    private final ProgressTree tree;
    private final WaitMonitor waiting;
    private final FailureSpread failing;
    private final GroupWatch group;
    private final EngineCounters counters;
    private final ControlQueue control;
    private final CallRunner calls;
    private final TreeMessages treeMessages;
    private final GroupMove move;
    private final RateControl rate;
    private final LossAggregator worstLoss;
    private final ArrivalRate arrivals;
    private final SenderOrder order;
    private final int algorithms;

    private boolean ofGroup;
    private long number = -1;

    Inbox(
            EngineParts parts,
            ControlQueue control,
            CallRunner calls,
            TreeMessages treeMessages,
            GroupMove move,
            RateControl rate,
            LossAggregator worstLoss) {
        EngineConfig config = parts.config();
        shape = parts.shape();
        check =
                new DatagramCheck(
                        config.token(),
                        config.rank(),
                        config.size(),
                        config.datagramBytes(),
                        config.checksums(),
                        new Checksum());
        ring = parts.ring();
        loss = parts.loss();
        desk = parts.desk();
        forwards = parts.forwards();
        repairs = parts.repairs();
        tree = parts.tree();
        waiting = parts.waiting();
        failing = parts.failing();
        group = parts.group();
        counters = parts.counters();
        this.control = control;
        this.calls = calls;
        this.treeMessages = treeMessages;
        this.move = move;
        this.rate = rate;
        this.worstLoss = worstLoss;
        arrivals = new ArrivalRate(config.windowFragments(), config.gatherNs());
        order = new SenderOrder(config.size());
        algorithms = config.disseminations().size();
    }

    /** As {@link ProtocolEngine#onSocket}. */
    void onSocket(boolean nextIsOfGroup) {
        ofGroup = nextIsOfGroup;
    }

    /** As {@link ProtocolEngine#onNumber}. */
    void onNumber(long nextNumber) {
        number = nextNumber;
    }

    /** As {@link ProtocolEngine#onDatagram(long, Datagram)}. */
    void onDatagram(long nowNs, Datagram datagram) {
        counters.datagramsReceived++;
        Rejection rejection = check.reject(datagram);
        if (rejection == null) {
            rejection = dispatch(nowNs, datagram);
        }
        if (rejection != null) {
            counters.reject(rejection, ofGroup);
        } else {
            onLifeSign(nowNs, datagram.sender());
        }
    }

    private void onLifeSign(long nowNs, int sender) {
        if (!order.isLatest(sender, number)) {
            return;
        }
        tree.onLifeSign(nowNs, sender);
        Call call = calls.current();
        if (call != null) {
            waiting.onHeard(nowNs, sender, call);
        }
    }

    private @Nullable Rejection dispatch(long nowNs, Datagram arrived) {
        DatagramType type = arrived.type();
        if (type.carriesFragment()) {
            return onFragment(nowNs, arrived, type);
        }
        int sender = arrived.sender();
        MemorySegment datagram = arrived.segment();
        long sequence = SequenceNumbers.extend(loss.contiguous(), arrived.sequence());
        switch (type) {
            case REPAIR_REQUEST -> repairs.onRequest(nowNs, datagram, sender, group.works());
            case HAVE ->
                    repairs.onHave(
                            nowNs, sender, Math.min(sequence, calls.consumed() + ring.capacity()));
            case PROGRESS, WATERMARK -> {
                treeMessages.on(nowNs, datagram, sequence, order.isLatestReport(sender, number));
                rate.onWorstLoss(worstLoss.share(), group.works());
                failing.answerNeighbour(nowNs, sender);
                calls.advance(nowNs);
            }
            case PING -> onPing(nowNs, datagram, sender);
            case BYE -> {
                tree.onBye(nowNs, sender, sequence);
                calls.advance(nowNs);
            }
            case FAILURE -> {
                if (!FailureSpread.isWellFormed(datagram)) {
                    return Rejection.BAD_LENGTH;
                }
                failing.hear(nowNs, datagram);
            }
            case REGROUP -> {
                return move.on(nowNs, datagram);
            }
            default -> {
                return Rejection.BAD_TYPE;
            }
        }
        return null;
    }

    private @Nullable Rejection onFragment(long nowNs, Datagram datagram, DatagramType type) {
        int algorithm = datagram.algorithm();
        if (!shape.fits(datagram) || algorithm >= algorithms) {
            return Rejection.BAD_FIELD;
        }
        group.onFragment(nowNs, type, algorithm);
        long sequence = SequenceNumbers.extend(loss.contiguous(), datagram.sequence());
        if (sequence < loss.contiguous() || ring.has(sequence)) {
            counters.fragmentsDuplicate++;
            calls.noticeSecondRoot(nowNs, sequence, datagram.segment());
            return null;
        }
        if (sequence >= calls.consumed() + ring.capacity()) {
            return Rejection.OUTSIDE_WINDOW;
        }
        Call call = calls.current();
        if (call != null && call.misplaces(datagram, sequence - calls.consumed())) {
            return Rejection.BAD_FIELD;
        }
        repairs.noteStream(sequence, datagram.root(), algorithm);
        store(nowNs, sequence, datagram, type);
        calls.advance(nowNs);
        return null;
    }

    private void store(long nowNs, long sequence, Datagram datagram, DatagramType type) {
        ring.put(sequence, datagram);
        calls.noticeArrival(nowNs, sequence);
        int algorithm = datagram.algorithm();
        loss.onArrival(nowNs, sequence, group.parts(algorithm), datagram.fragment());
        counters.fragmentsUseful++;
        counters.repairsReceived += type == DatagramType.DATA ? 0 : 1;
        desk.onArrival(nowNs, sequence, type == DatagramType.GROUP_REPAIR);
        forwards.add(sequence, datagram);
        if (type == DatagramType.DATA && group.multicasts(algorithm)) {
            arrivals.onFragment(nowNs, shape.stillToCome(datagram));
        }
        if (calls.current() != null) {
            waiting.onFragment(nowNs);
        }
    }

    /**
     * For how long what comes next may gather in the socket, as {@link ProtocolEngine#coalesceNs}.
     */
    long takeLullNs() {
        return arrivals.takeLullNs();
    }

    private void onPing(long nowNs, MemorySegment ping, int sender) {
        Call call = calls.current();
        Failure mismatch = call == null ? null : call.compareWithDescription(ping);
        if (mismatch != null) {
            failing.notice(nowNs, mismatch);
        }
        long offered = forwards.isEmpty() ? loss.held() : forwards.first();
        control.add(DatagramType.HAVE, sender, offered, 0);
        failing.answer(nowNs, sender);
    }
}
