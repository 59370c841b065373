package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.client.protocol.Failure.Death;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Rejection;

/**
 * One rank's engine of reliable broadcasts.
 *
 * <p><b>One stream.</b> All broadcasts of a communicator are laid end to end in one stream of
 * fragments, whatever their roots are: a collective is called in the same order everywhere, so a
 * root knows where its message begins once it has consumed all earlier ones. Each fragment has a
 * 64-bit sequence in the stream, and everything else speaks of sequences: the ring that retains,
 * the gaps that show loss, requests, credit and custody. A gap before a later broadcast shows the
 * loss of an earlier one's tail without any field for it.
 *
 * <p><b>Positions</b>, rising, with {@code watermark <= consumed <= contiguous <= highest <=
 * consumed + window} on every rank:
 *
 * <ul>
 *   <li>{@code highest}: known to have been sent;
 *   <li>{@code contiguous}: everything below has arrived;
 *   <li>{@code consumed}: everything below was copied into callers' buffers (on the root: sent);
 *   <li>{@code watermark}: every rank has consumed everything below, as far as this rank knows.
 * </ul>
 *
 * <p><b>Parts.</b> {@link FragmentRing} retains, {@link LossTracker} sees gaps, {@link
 * RepairExchange} asks and {@link RepairQueue} answers, {@link ForwardQueue} passes on in unicast
 * trees and {@link SecondStage} as Siebert does, {@link Inbox} takes what arrives, {@link Outbox}
 * says what is sent next and {@link RateControl} how fast, {@link ProgressTree} carries credit and
 * life signs, {@link WaitMonitor} notices that nothing comes, {@link FailureSpread} ends it for
 * all, {@link LeaveProtocol} leaves.
 *
 * <p><b>Calls.</b> One after the other; more may wait. A receiver's call is complete when the last
 * fragment was copied; a root's when its last fragment was handed out: the ring holds a copy, so
 * the caller's memory is free then, and a ring that is full of what others have not consumed is
 * what makes a root wait.
 */
public final class BroadcastEngine implements ProtocolEngine {

    // The parts; its three hands Inbox, CallRunner and Outbox work with most of them.
    final EngineConfig config;
    final MessageShape shape;
    final FragmentRing ring;
    final LossTracker loss;
    final RepairQueue desk;
    final ForwardQueue forwards;
    final SecondStage secondStage;
    final ControlQueue control;
    final ProgressTree tree;
    final GroupMove move;
    final LossAggregator worstLoss;
    final TreeMessages treeMessages;
    final RepairExchange repairs;
    final WaitMonitor waiting;
    final FailureSpread failing;
    final RateControl rate;
    final Pacer pacer;
    final GroupWatch group;
    final StallWatch stall;
    final EngineCounters counters = new EngineCounters();
    final CallRunner calls;
    private final LeaveProtocol farewell;
    private final Inbox inbox;
    private final Outbox outbox;

    private long timeNs;

    /** Makes an engine; the arena gives the memory of its ring and must outlive it. */
    public BroadcastEngine(EngineConfig config, Arena arena, long nowNs) {
        this.config = config;
        shape = new MessageShape(config.datagramBytes());
        ring = new FragmentRing(config.windowFragments(), config.datagramBytes(), arena);
        StreamPaths paths = new StreamPaths(config.disseminations(), config.rank(), config.size());
        loss = new LossTracker(ring, paths, config.deathTimeoutNs());
        desk = new RepairQueue(ring);
        forwards = new ForwardQueue(ring, config);
        secondStage = new SecondStage(ring, config);
        control =
                new ControlQueue(
                        config.rank(), config.token(), new Checksum(config.checksums()), arena);
        tree = new ProgressTree(config, nowNs);
        move = new GroupMove(tree, control);
        worstLoss = new LossAggregator(loss, tree);
        treeMessages = new TreeMessages(config, tree, control, move, worstLoss);
        repairs = new RepairExchange(config, ring, loss, paths, desk, forwards, control);
        waiting = new WaitMonitor(config, control);
        failing = new FailureSpread(tree, control);
        farewell = new LeaveProtocol(tree, control, config.deathTimeoutNs());
        rate = new RateControl(config.windowFragments(), config.rateLimits());
        pacer = new Pacer(config.rateLimits(), rate);
        group = new GroupWatch(config, tree, nowNs);
        stall = new StallWatch(config.deathTimeoutNs(), nowNs);
        calls = new CallRunner(this);
        paths.calls(calls.queue());
        inbox = new Inbox(this);
        outbox = new Outbox(this);
    }

    // ---- what the caller's side asks for ------------------------------------------------------

    /**
     * Calls a broadcast. It begins when all earlier calls have ended, and the message belongs to
     * the engine until it has ended itself.
     *
     * @param algorithm the index of the dissemination, a {@link WantedAlgorithm}
     * @return the call's number, for {@link #isPending}
     */
    public long call(long nowNs, MemorySegment message, int root, int algorithm) {
        return call(nowNs, message, root, algorithm, nowNs);
    }

    /** The same; before {@code notBeforeNs} the root sends nothing of it. */
    public long call(long nowNs, MemorySegment message, int root, int algorithm, long notBeforeNs) {
        return call(nowNs, new Call.Wanted(message, root, algorithm, 0, notBeforeNs));
    }

    /**
     * Calls one of the broadcasts of which a collective operation consists.
     *
     * @param kind which operation, 1 to 255; ranks that disagree about it are found
     */
    public long callPart(long nowNs, MemorySegment part, int root, int algorithm, int kind) {
        return call(nowNs, new Call.Wanted(part, root, algorithm, kind, nowNs));
    }

    private long call(long nowNs, Call.Wanted wanted) {
        long number = calls.call(nowNs, wanted);
        failWhenDeserted(nowNs);
        return number;
    }

    /** Calls a barrier, which ends when every rank has called it. */
    public long barrier(long nowNs) {
        return call(nowNs, Call.Wanted.BARRIER);
    }

    /** True while the call has neither ended nor failed. */
    public boolean isPending(long number) {
        return calls.isPending(number);
    }

    /** True while any call has neither ended nor failed. */
    public boolean callPending() {
        return calls.callPending();
    }

    /**
     * Of the last call that ended as a receiver's: how long after its data had come it was made, in
     * nanoseconds; negative when it waited for them.
     */
    public long lastAfterDataNs() {
        return calls.lastAfterDataNs();
    }

    /** The same of one of the last 64 calls; 0 of the root's, and of an earlier one. */
    public long afterDataNs(long number) {
        return calls.afterDataNs(number);
    }

    /** Why nothing works any more, or null. */
    public @Nullable Failure failure() {
        return failing.failure();
    }

    /** Whether multicast works, as all ranks agreed. */
    public GroupState groupState() {
        return tree.probe.state();
    }

    /**
     * The group may be another's: this rank sends nothing to it any more, and tells the others, who
     * follow. Does nothing while a group is being probed, or when none is used.
     */
    public void loseGroup(long nowNs) {
        tree.lostGroup(nowNs);
    }

    /**
     * Believes in moves to groups with addresses of so many bytes only, since the driver's sockets
     * are of one family. Before the first datagram; until then both families are accepted.
     */
    public void restrictGroups(int addressBytes) {
        move.restrict(addressBytes);
    }

    /** Takes all ranks to another group; on rank 0 only. */
    public void moveTo(long nowNs, GroupAddress group) {
        if (config.rank() != 0) {
            throw new IllegalStateException("rank " + config.rank() + " leads no move");
        }
        move.begin(nowNs, group);
        move.send(nowNs);
    }

    /** On rank 0: whether a rank follows a move that this one did not begin; a new move ends it. */
    public boolean hasStrayedRank() {
        return move.hasStrayed();
    }

    /** The group that the communicator moved to last, null when it has not. */
    public @Nullable GroupAddress movedTo() {
        return move.group();
    }

    @Override
    public @Nullable GroupAddress takeNewGroup() {
        return move.takeTarget();
    }

    @Override
    public void onNewGroupJoined(long nowNs) {
        move.joined(nowNs);
    }

    /** Every rank has consumed the stream up to here, as far as this rank knows. */
    public long watermark() {
        return tree.watermark();
    }

    /** Ends all calls of all ranks as if that rank had died. */
    public void markFailed(long nowNs, int rank) {
        failing.notice(nowNs, Failure.ofDead(rank, config.rank(), Death.MARKED));
    }

    /** The same of a rank to which the connection of the messages is lost. */
    public void onDisconnected(long nowNs, int rank) {
        failing.notice(nowNs, Failure.ofDead(rank, config.rank(), Death.DISCONNECTED));
    }

    /**
     * Ends all calls of all ranks, since this rank called another collective operation than others.
     *
     * @param own the kind of this rank's, 0 for a broadcast
     * @param its that of another's
     */
    public void markDifferent(long nowNs, int own, int its) {
        failing.notice(nowNs, new Failure(Failure.Kind.CALL_MISMATCH, config.rank(), 0, its, own));
    }

    /** Ends all calls of all ranks, since a rank has revoked the communicator. */
    public void revoke(long nowNs, int by) {
        failing.notice(nowNs, new Failure(Failure.Kind.REVOKED, by, 0, 0, 0));
    }

    /** Ends this rank's pending calls, if there are any: it closes while one of them waits. */
    public boolean abandon(long nowNs) {
        boolean pending = callPending();
        if (pending) {
            Failure.Kind left = Failure.Kind.RANK_LEFT;
            failing.notice(nowNs, new Failure(left, config.rank(), 0, 0, 0));
        }
        return pending;
    }

    /** Begins to leave; {@link #hasLeft()} says when the sockets may be closed. */
    public void leave(long nowNs) {
        farewell.begin(nowNs);
        if (failing.failure() == null) {
            tree.leave(nowNs); // after a failure it could end a barrier that a lost rank missed
        }
        farewell.advance(nowNs, calls.consumed(), failing.failure() != null);
    }

    /** True when this rank owes nothing to any rank any more. */
    public boolean hasLeft() {
        boolean told = failing.failure() == null || failing.isSpread();
        return config.size() == 1 || (farewell.isGone() && told && control.isEmpty());
    }

    /** This rank's counters. */
    public EngineCounters counters() {
        return counters;
    }

    /** Requests for repairs that this rank sent. */
    public long repairRequestsSent() {
        return repairs.requestsSent();
    }

    /** Fragments that had to be asked for. */
    public long fragmentsLost() {
        return loss.lost();
    }

    /** Times from noticing a loss to its repair. */
    public DurationHistogram repairTimes() {
        return loss.repairTimes();
    }

    // ---- datagrams in -------------------------------------------------------------------------

    @Override
    public long foreign() {
        return counters.foreign;
    }

    @Override
    public void onDatagram(long nowNs, Arrival arrival) {
        inbox.onDatagram(nowNs, arrival);
    }

    @Override
    public long coalesceNs(long nowNs) {
        return inbox.takeCoalesceNs();
    }

    // ---- time ---------------------------------------------------------------------------------

    @Override
    public void onTimeout(long nowNs) {
        timeNs = nowNs;
        if (failing.failure() == null) {
            repairs.onTimeout(nowNs, tree.watermark(), group.works());
        }
        boolean awaited = callPending() && loss.awaitsSent();
        if (stall.isStalled(nowNs, loss.contiguous(), awaited, tree.life.hearsAll(nowNs))) {
            failStalled(nowNs);
        }
        Call call = calls.current();
        if (callPending() && call != null && call.isReceiver()) {
            if (waiting.onTimeout(nowNs, call, repairs.source(), loss.held())) {
                failing.notice(nowNs, Failure.ofDead(call.root, config.rank(), Death.UNANSWERED));
            }
        }
        if (config.size() > 1) {
            tendTree(nowNs);
        }
        failing.onTimeout(nowNs);
        farewell.advance(nowNs, calls.consumed(), failing.failure() != null);
    }

    private void failStalled(long nowNs) {
        counters.reject(Rejection.NEVER_SENT, false);
        Failure.Kind kind = Failure.Kind.FRAGMENT_MISSING;
        long broadcast = Objects.requireNonNull(calls.current()).broadcast;
        failing.notice(
                nowNs,
                new Failure(kind, config.rank(), broadcast, loss.contiguous(), repairs.holder()));
    }

    private void tendTree(long nowNs) {
        int dead = tree.life.findDead(nowNs);
        if (dead >= 0 && farewell.hasBegun() && calls.current() == null) {
            tree.onBye(nowNs, dead, 0);
        } else if (dead >= 0) {
            failing.notice(nowNs, Failure.ofDead(dead, config.rank(), Death.SILENT));
        }
        failWhenDeserted(nowNs);
        treeMessages.send(nowNs);
        move.send(nowNs);
        calls.advance(nowNs);
    }

    /** A rank that leaves before the others have ended their calls is missed by them. */
    private void failWhenDeserted(long nowNs) {
        Call call = calls.current();
        if (call == null || call.isComplete() || failing.failure() != null) {
            return;
        }
        int deserter = tree.place.anyLeft();
        if (deserter >= 0) {
            failing.notice(nowNs, new Failure(Failure.Kind.RANK_LEFT, deserter, 0, 0, 0));
        }
    }

    @Override
    public long nextDeadlineNs() {
        long due = failing.failure() == null ? repairs.nextDueNs() : NO_DEADLINE;
        due = Math.min(due, Math.min(tree.nextDeadlineNs(), move.nextDueNs()));
        due = Math.min(due, Math.min(failing.nextDueNs(), farewell.nextDueNs()));
        Call call = calls.current();
        if (callPending() && call != null && call.isReceiver()) {
            due = Math.min(due, waiting.nextDueNs(call));
        }
        // What is due already waits for the driver's next poll, not for time.
        due = Math.min(due, calls.heldUntilNs(timeNs));
        return Math.min(due, Math.min(desk.dueAfter(timeNs), pacer.heldUntilNs()));
    }

    // ---- datagrams out ------------------------------------------------------------------------

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        timeNs = nowNs;
        return outbox.poll(nowNs, out, slot);
    }

    @Override
    public int pollReliable(long nowNs, MemorySegment out, TransmitSlot slot) {
        timeNs = nowNs;
        return outbox.pollReliable(nowNs, out, slot);
    }

    @Override
    public boolean wantsQueue() {
        return rate.wantsQueue();
    }

    @Override
    public void onQueue(long nowNs, int queuedBytes) {
        rate.onQueue(nowNs, queuedBytes);
    }

    /** Where this rank stands in the stream; for people. */
    @Override
    public String toString() {
        return "watermark %d, consumed %d, contiguous %d, highest %d"
                .formatted(tree.watermark(), calls.consumed(), loss.contiguous(), loss.highest());
    }

    /** Throws when an invariant of the positions is broken; for tests, after every step. */
    void checkInvariants() {
        loss.checkInvariants();
        boolean ordered =
                tree.watermark() <= calls.consumed()
                        && calls.consumed() <= loss.contiguous()
                        && loss.highest() <= calls.consumed() + ring.capacity();
        if (!ordered) {
            throw new IllegalStateException(toString());
        }
    }
}
