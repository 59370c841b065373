package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;

/**
 * Runs the calls of this rank, one after the other, through the stream: takes fragments out of the
 * ring for a receiver, makes them for the root, and passes the places of barriers. It owns the
 * position {@code consumed}.
 */
final class CallRunner {

    /** Of how many calls it is known when they were made; a power of two. */
    private static final int REMEMBERED = 64;

    /**
     * The distance, in fragments, from a message to the fragment that must have been sent before
     * its root begins. Those between arrive while the root's are on their way: no link is idle, and
     * a switch queues no more than these.
     */
    static final int LEAD = 32;

    private final BroadcastEngine engine;
    private final EngineConfig config;
    private final FragmentRing ring;
    private final LossTracker loss;
    private final RepairQueue desk;
    private final ForwardQueue forwards;
    private final SecondStage secondStage;
    private final RepairExchange repairs;
    private final ProgressTree tree;
    private final FailureSpread failing;
    private final GroupWatch group;
    private final Barrier barrier;
    private final Checksum checksum;
    private final CallQueue calls = new CallQueue();
    private long consumed;

    /** As {@link CallQueue#nextOwn}, once it is known. */
    private @Nullable Call own;

    private boolean ownKnown;

    /** When the first that is to be taken next came, or could first be taken. */
    private long headNs;

    private boolean headCame;

    private long lastAfterDataNs;
    private final long[] afterDataNs = new long[REMEMBERED];

    CallRunner(BroadcastEngine engine) {
        this.engine = engine;
        config = engine.config;
        checksum = new Checksum(config.checksums());
        ring = engine.ring;
        loss = engine.loss;
        desk = engine.desk;
        forwards = engine.forwards;
        secondStage = engine.secondStage;
        repairs = engine.repairs;
        tree = engine.tree;
        failing = engine.failing;
        group = engine.group;
        barrier = new Barrier(ring, loss, desk, tree);
    }

    /** Everything below was copied into callers' buffers or sent. */
    long consumed() {
        return consumed;
    }

    /** A fragment came to this host at that time. */
    void noticeArrival(long cameNs, long sequence) {
        if (!headCame && sequence >= consumed) {
            headNs = cameNs;
            headCame = true;
        }
    }

    /**
     * Of the last call that ended as a receiver's: how long after its data had come it was made;
     * negative when it waited for them.
     */
    long lastAfterDataNs() {
        return lastAfterDataNs;
    }

    /** The same of one of the last calls that ended; 0 when that is too long ago. */
    long afterDataNs(long number) {
        boolean remembered = calls.nextNumber() - number <= REMEMBERED;
        return remembered ? afterDataNs[(int) (number % REMEMBERED)] : 0;
    }

    /** How many fragments of others the calls that were made still wait for, at most. */
    long stillToCome() {
        Call mine = own();
        long unsent = mine == null ? 0 : mine.end() - mine.nextSequence();
        return loss.missing() + Math.max(0, calls.end() - loss.highest() - unsent);
    }

    /** The call that is under way, or null. */
    @Nullable Call current() {
        return calls.current();
    }

    /**
     * Calls a broadcast, or a barrier, which ends when every rank has called it. It begins when all
     * earlier calls have ended, and the message belongs to the engine until it has ended itself.
     *
     * @return the call's number, for {@link #isPending}
     */
    long call(long nowNs, Call.Wanted wanted) {
        long number = calls.nextNumber();
        Call added = new Call(number, calls.end(), config, engine.shape, wanted, nowNs);
        ownKnown &= own != null || !added.isRoot();
        if (calls.add(added)) {
            begin(nowNs, added);
            advance(nowNs);
        }
        return number;
    }

    private void begin(long nowNs, Call begun) {
        engine.waiting.onCall(nowNs, loss.highest() > consumed);
        if (begun.isRoot()) {
            if (loss.withdraw()) {
                engine.counters.reject(Rejection.NEVER_SENT, false);
            }
            consumed += begun.fragmentsGiven();
        }
        if (!begun.isBarrier()) {
            repairs.noteStream(consumed, 0, begun.fragments(), begun.root, begun.algorithm);
        }
    }

    /** A place in the ring, which the barrier takes too, needs credit like any other. */
    private boolean hasCredit(long sequence) {
        return sequence < tree.watermark() + ring.capacity();
    }

    /** True while the call has neither ended nor failed. */
    boolean isPending(long number) {
        return !calls.hasEnded(number) && failing.failure() == null;
    }

    /** True while any call has neither ended nor failed. */
    boolean callPending() {
        return calls.current() != null && failing.failure() == null;
    }

    /** Takes the calls as far as what has arrived allows. */
    void advance(long nowNs) {
        Call call = calls.current();
        while (call != null && failing.failure() == null && advance(nowNs, call)) {
            call = calls.current();
        }
        onHandedOn(nowNs);
    }

    /** What this rank has consumed, and has handed on by the reliable way, it reports. */
    void onHandedOn(long nowNs) {
        tree.consumed(nowNs, secondStage.passed(consumed));
    }

    /** The calls of this rank. */
    CallQueue queue() {
        return calls;
    }

    /** True when there may be more to do. */
    private boolean advance(long nowNs, Call call) {
        if (config.size() == 1) {
            end(nowNs, call);
            return true;
        }
        if (call.isBarrier()) {
            return pass(nowNs, call);
        }
        return call.isReceiver() && ring.has(consumed) && take(nowNs, call);
    }

    private boolean pass(long nowNs, Call call) {
        if (barrier.takeEnd()) {
            end(nowNs, call);
            return true;
        }
        if (!barrier.isEntered() && barrier.isClear(consumed) && hasCredit(consumed)) {
            barrier.enter(consumed++);
        } else if (!barrier.isEntered() && ring.has(consumed)) {
            failing.notice(nowNs, call.ofBarrier(ring.get(consumed)));
        }
        return false;
    }

    private boolean take(long nowNs, Call call) {
        MemorySegment fragment = ring.get(consumed);
        Failure mismatch = call.compareWithFragment(fragment);
        if (mismatch != null) {
            failing.notice(nowNs, mismatch);
            return false;
        }
        if (isFreed(nowNs, call)) {
            return false;
        }
        if (!call.hasBegun()) {
            call.afterDataNs = call.startedNs - headNs;
        }
        call.takeNext(fragment);
        consumed++;
        if (call.isComplete()) {
            repairs.offer(nowNs, call.messageBytes());
            end(nowNs, call);
        }
        return true;
    }

    /** Fails when the program freed the message's memory too early. */
    private boolean isFreed(long nowNs, Call call) {
        if (call.hasMemory()) {
            return false;
        }
        Failure.Kind freed = Failure.Kind.MEMORY_FREED;
        failing.notice(nowNs, new Failure(freed, config.rank(), call.broadcast, 0, 0));
        return true;
    }

    private void end(long nowNs, Call call) {
        EngineCounters counters = engine.counters;
        counters.broadcasts += call.isBarrier() ? 0 : 1;
        counters.messageBytes += call.messageBytes();
        if (call.isReceiver()) {
            lastAfterDataNs = call.afterDataNs;
            afterDataNs[(int) (call.broadcast % REMEMBERED)] = call.afterDataNs;
        }
        headNs = nowNs;
        headCame = ring.has(consumed);
        calls.endCurrent();
        ownKnown &= own != null || !call.isBarrier();
        Call next = calls.current();
        if (next != null) {
            begin(nowNs, next);
        }
    }

    /** Two ranks that both act as the root send different fragments with one sequence. */
    void noticeSecondRoot(long nowNs, long sequence, MemorySegment datagram) {
        Call call = calls.current();
        if (ring.isVoid(sequence)) {
            if (call != null && call.isBarrier()) {
                failing.notice(nowNs, call.ofBarrier(datagram));
            }
        } else if (ring.has(sequence)) {
            Failure second = Failure.ofRoots(ring.get(sequence), datagram);
            if (second != null) {
                failing.notice(nowNs, second);
            }
        }
    }

    /** The root's next fragment: into the ring, and to the group or to the forwards. */
    int produce(long nowNs, MemorySegment out, TransmitSlot slot) {
        Call root = own();
        if (!mayProduce(nowNs) || root == null || isFreed(nowNs, root)) {
            return 0;
        }
        long sequence = root.nextSequence();
        boolean ahead = loss.contiguous() < sequence;
        int algorithm = group.algorithmFor(root.algorithm);
        MemorySegment fragment = ring.claim(sequence, root.nextDatagramBytes());
        DatagramLayout.start(fragment, algorithm, DatagramType.DATA, config.rank(), config.token());
        DatagramLayout.putSequence(fragment, sequence);
        root.giveNext(fragment, ahead);
        ring.seal(sequence, checksum);
        desk.forgetSlot(sequence);
        repairs.noteStream(
                sequence, root.fragmentsGiven() - 1, root.fragments(), root.root, algorithm);
        loss.onOwn(nowNs, sequence, root.start);
        ownKnown = !root.isComplete();
        boolean multicast = group.takes(algorithm);
        if (secondStage.serves(algorithm)) {
            secondStage.onMade(root, sequence, algorithm, multicast);
        } else if (!multicast) {
            forwards.add(sequence);
        }
        if (root == calls.current()) {
            consumed++;
            onHandedOn(nowNs);
        }
        if (!multicast) {
            return 0;
        }
        MemorySegment.copy(fragment, 0, out, 0, fragment.byteSize());
        slot.destination(TransmitSlot.GROUP);
        return (int) fragment.byteSize();
    }

    /** When the root may send its message's first fragment, if only that is waited for. */
    long heldUntilNs(long nowNs) {
        Call call = calls.current();
        return call != null && call.isRoot() && call.notBeforeNs > nowNs
                ? call.notBeforeNs
                : ProtocolEngine.NO_DEADLINE;
    }

    boolean mayProduce(long nowNs) {
        Call call = own();
        if (call == null || failing.failure() != null || call.notBeforeNs > nowNs) {
            return false;
        }
        long sequence = call.nextSequence();
        boolean turn = call == calls.current() || mayGoAhead(call);
        boolean free = (forwards.isEmpty() || forwards.awaitsMore()) && secondStage.isEmpty();
        return turn && loss.mayBeUnsent(sequence) && hasCredit(sequence) && free;
    }

    /**
     * Whether a root may send before the calls that precede its own have ended: their lengths, and
     * so its place in the stream, are known. By unicast it may not, since ranks tell loss from
     * delay by the order in which fragments come.
     */
    private boolean mayGoAhead(Call call) {
        return call.start - loss.highest() <= LEAD
                && group.inOrder(group.algorithmFor(call.algorithm));
    }

    private @Nullable Call own() {
        if (!ownKnown) {
            own = calls.nextOwn();
            ownKnown = true;
        }
        return own;
    }

    /** Ends a root's call of which everything has left; true when it did. */
    boolean finishRoot(long nowNs) {
        Call call = calls.current();
        if (call == null || !call.isRoot() || failing.failure() != null) {
            return false;
        }
        if (call.isComplete() && forwards.isEmpty() && secondStage.isEmpty()) {
            repairs.offer(nowNs, call.messageBytes());
            end(nowNs, call);
            advance(nowNs);
            return true;
        }
        if (!call.isComplete() && ring.has(consumed)) {
            Failure mismatch = call.compareWithFragment(ring.get(consumed));
            if (mismatch != null) {
                failing.notice(nowNs, mismatch);
            }
        }
        return false;
    }
}
