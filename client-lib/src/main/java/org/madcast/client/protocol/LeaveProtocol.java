package org.madcast.client.protocol;

import org.madcast.client.wire.DatagramType;

/**
 * Leaving in good order. States: <em>here</em>; <em>draining</em>, until the watermark shows that
 * no rank can need a repair from this rank; <em>leaving</em>, while the neighbours in the tree are
 * told, again and again, until each has said good-bye too or a moment has passed; <em>gone</em>.
 * Draining ends too when the watermark has stood still for the longest time: a slow rank that comes
 * forward is waited for. Since a good-bye carries the watermark, a neighbour that had missed it can
 * drain as well.
 */
final class LeaveProtocol {

    private static final long REPEAT_NS = 10_000_000;
    private static final long LINGER_NS = 200_000_000;

    private enum State {
        HERE,
        DRAINING,
        LEAVING,
        GONE
    }

    private final ProgressTree tree;
    private final ControlQueue control;
    private final long longestDrainNs;
    private State state = State.HERE;
    private long stateSinceNs;
    private long drainedTo;
    private long dueNs = ProtocolEngine.NO_DEADLINE;

    LeaveProtocol(ProgressTree tree, ControlQueue control, long longestDrainNs) {
        this.tree = tree;
        this.control = control;
        this.longestDrainNs = longestDrainNs;
    }

    void begin(long nowNs) {
        if (state == State.HERE) {
            enter(State.DRAINING, nowNs);
        }
    }

    boolean isGone() {
        return state == State.GONE;
    }

    boolean hasBegun() {
        return state != State.HERE;
    }

    long nextDueNs() {
        return dueNs;
    }

    /** After a failure there is no good-bye: the spread of the failure has reached all. */
    void advance(long nowNs, long consumed, boolean failed) {
        if (failed && state != State.HERE) {
            enter(State.GONE, nowNs);
            dueNs = ProtocolEngine.NO_DEADLINE;
        }
        if (state == State.DRAINING) {
            if (tree.watermark() > drainedTo) {
                drainedTo = tree.watermark();
                stateSinceNs = nowNs;
            }
            boolean outOfPatience = nowNs - stateSinceNs > longestDrainNs;
            if (tree.watermark() >= consumed || outOfPatience) {
                enter(State.LEAVING, nowNs);
            } else {
                dueNs = stateSinceNs + longestDrainNs + 1;
            }
        }
        if (state == State.LEAVING && (nowNs >= dueNs || tree.place.allLeft())) {
            sayGoodBye(consumed);
            dueNs = nowNs + REPEAT_NS;
            if (tree.place.allLeft() || nowNs - stateSinceNs > LINGER_NS) {
                enter(State.GONE, nowNs);
                dueNs = ProtocolEngine.NO_DEADLINE;
            }
        }
    }

    private void sayGoodBye(long consumed) {
        long known = Math.max(tree.watermark(), 0);
        long sequence = Math.min(known, consumed);
        if (tree.place.parent() >= 0) {
            control.add(DatagramType.BYE, tree.place.parent(), sequence, 0);
        }
        for (int i = 0; i < tree.place.childCount(); i++) {
            control.add(DatagramType.BYE, tree.place.child(i), sequence, 0);
        }
    }

    private void enter(State next, long nowNs) {
        state = next;
        stateSinceNs = nowNs;
        dueNs = nowNs;
    }
}
