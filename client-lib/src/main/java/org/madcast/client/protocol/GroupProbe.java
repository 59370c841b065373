package org.madcast.client.protocol;

import java.util.Arrays;

/**
 * Whether multicast works: rank 0 multicasts, every rank reports whether its whole subtree heard
 * it, and rank 0 announces the result; and the same again, upwards and downwards, when a rank stops
 * hearing it later. The {@link ProgressTree} carries what this decides.
 */
final class GroupProbe {

    /** More heartbeats in a row than can be old ones that were overtaken. */
    private static final int CONTRADICTIONS = 3;

    private final boolean top;
    private final long timeoutNs;
    private final boolean[] childHeard;
    private long endNs;
    private boolean heard;
    private boolean lost;
    private boolean moved;
    private GroupState state = GroupState.PROBING;
    private int contradicted;

    GroupProbe(TreePlace place, long timeoutNs, long nowNs) {
        top = place.parent() < 0;
        this.timeoutNs = timeoutNs;
        childHeard = new boolean[place.childCount()];
        endNs = nowNs + timeoutNs;
        heard = top;
    }

    GroupState state() {
        return state;
    }

    /** Whether the group may be used: also a first one while that is being found out. */
    boolean maybeWorks() {
        return (state == GroupState.MULTICAST && !lost) || (state == GroupState.PROBING && !moved);
    }

    /** Whether the parent must be notified that the group is lost. */
    boolean hasLost() {
        return lost && state == GroupState.MULTICAST;
    }

    boolean subtreeHeard() {
        boolean all = heard;
        for (boolean child : childHeard) {
            all &= child;
        }
        return all;
    }

    /** There is another group: what was found out about the last one is void. */
    void restart(long nowNs) {
        state = GroupState.PROBING;
        heard = top;
        Arrays.fill(childHeard, false);
        lost = false;
        moved = true;
        endNs = nowNs + timeoutNs;
    }

    /** A multicast datagram arrived; true when it was the first one. */
    boolean onHeard() {
        boolean first = !heard;
        heard = true;
        return first;
    }

    /** All of a child's subtree have heard the group; true when that is new. */
    boolean onChildHeard(int child) {
        boolean first = !childHeard[child];
        childHeard[child] = true;
        return first;
    }

    /** Multicast does not reach this rank, or one below it, any more; true when that is new. */
    boolean onLost() {
        if (lost || state != GroupState.MULTICAST) {
            return false;
        }
        lost = true;
        if (top) {
            state = GroupState.UNICAST;
        }
        return true;
    }

    /**
     * An announcement came; true when it is news. A state is left in one direction only, so that an
     * old announcement changes nothing, unless the parent contradicts this rank's state again and
     * again: then what this rank had accepted was forged.
     */
    boolean onAnnounced(GroupState announced, boolean heartbeatOfParent) {
        boolean news = announced.compareTo(state) > 0;
        if (heartbeatOfParent) {
            boolean back = announced == GroupState.MULTICAST && state == GroupState.UNICAST;
            contradicted = back ? contradicted + 1 : 0;
            news |= contradicted == CONTRADICTIONS;
        }
        if (news) {
            state = announced;
            contradicted = 0;
        }
        return news;
    }

    /** On rank 0: true when the state has just been decided. */
    boolean decide(long nowNs) {
        if (!top || state != GroupState.PROBING) {
            return false;
        }
        if (subtreeHeard()) {
            state = GroupState.MULTICAST;
        } else if (nowNs >= endNs) {
            state = GroupState.UNICAST;
        }
        return state != GroupState.PROBING;
    }
}
