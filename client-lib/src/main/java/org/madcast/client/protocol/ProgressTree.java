package org.madcast.client.protocol;

import java.util.Arrays;

/**
 * Credit, custody and life signs over a 4-ary tree of ranks whose top is rank 0 (rank r's parent is
 * (r - 1) / 4), whatever the roots of the broadcasts are.
 *
 * <p>Each rank tells its parent the lowest sequence that somebody in its subtree has not consumed;
 * rank 0's minimum is the <em>watermark</em>, which it announces to all. The watermark is credit (a
 * root sends no further than one ring beyond it) and custody (what lies below it, nobody needs). A
 * report goes up when a quarter of the ring was consumed or, for less, {@link #REPORT_DELAY_NS}
 * later; it is repeated until the watermark shows that it arrived. So the busiest rank handles a
 * constant number of small datagrams for each quarter of a window, at any size of the communicator.
 *
 * <p>The same datagrams are heartbeats, more frequent when a neighbour is silent already: one in
 * the tree from which nothing came for the death timeout is dead. A rank that was itself stopped
 * (its clock jumped between two calls) forgives the time that it did not listen.
 *
 * <p>The tree also finds out whether multicast works: rank 0 multicasts, every rank reports whether
 * its whole subtree heard it, and rank 0 announces what was found; and the same again, upwards and
 * downwards, when a rank stops hearing it later.
 *
 * <p>Worked example, 6 ranks: ranks 1 to 4 report to rank 0, rank 5 to rank 1. Rank 5 has consumed
 * 40 fragments, rank 1 all 64: rank 1 reports 40, and the watermark is at most 40.
 */
final class ProgressTree {

    static final int ARITY = 4;
    static final long REPORT_DELAY_NS = 5_000_000;
    private static final long PROBE_INTERVAL_NS = 10_000_000;
    private static final long RESEND_NS = 10_000_000;
    private static final int UNEASY_FACTOR = 4;
    private static final long GONE = Long.MAX_VALUE;

    private final int rank;
    private final int size;
    private final long quarter;
    private final long deathTimeoutNs;
    private final long heartbeatNs;
    private final long probeTimeoutNs;
    private final long[] childProgress;
    private final boolean[] childHeard;
    private final long[] lastHeardNs = new long[ARITY + 1];
    private final boolean[] left = new boolean[ARITY + 1];
    private long own;
    private long urgent;
    private long watermark;
    private long reported;
    private long reportDueNs;
    private long resendNs = RESEND_NS;
    private long heartbeatDueNs;
    private long lastTickNs;
    private long probeEndNs;
    private boolean heardGroup;
    private boolean lostGroup;
    private boolean announceDown;
    private GroupState groupState = GroupState.PROBING;

    ProgressTree(EngineConfig config, long nowNs) {
        this.rank = config.rank();
        this.size = config.size();
        this.quarter = Math.max(1, config.windowFragments() / 4);
        this.deathTimeoutNs = config.deathTimeoutNs();
        this.heartbeatNs = deathTimeoutNs / 20;
        this.probeTimeoutNs = config.probeTimeoutNs();
        int children = (int) Math.min(ARITY, Math.max(0, size - 1 - (long) ARITY * rank));
        this.childProgress = new long[children];
        this.childHeard = new boolean[children];
        this.lastTickNs = nowNs;
        this.reportDueNs = nowNs;
        this.heartbeatDueNs = nowNs + heartbeatNs;
        this.probeEndNs = nowNs + probeTimeoutNs;
        this.heardGroup = rank == 0;
        Arrays.fill(lastHeardNs, nowNs);
        decideGroup(nowNs);
    }

    int parent() {
        return rank == 0 ? -1 : (rank - 1) / ARITY;
    }

    int childCount() {
        return childProgress.length;
    }

    int child(int index) {
        return ARITY * rank + 1 + index;
    }

    long watermark() {
        return watermark;
    }

    GroupState groupState() {
        return groupState;
    }

    /** This rank has consumed everything below the sequence. */
    void consumed(long nowNs, long sequence) {
        own = sequence;
        onMinimumMayHaveRisen(nowNs);
    }

    /** Everybody waits for this sequence: it is reported without delay. */
    void hurry(long sequence) {
        urgent = sequence;
    }

    /** A multicast datagram of this communicator arrived. */
    void heardGroup(long nowNs) {
        if (!heardGroup) {
            heardGroup = true;
            reportDueNs = nowNs;
        }
    }

    /** Any datagram is a sign of life. */
    void onLifeSign(long nowNs, int sender) {
        int child = sender - child(0);
        if (sender == parent()) {
            lastHeardNs[ARITY] = nowNs;
        } else if (child >= 0 && child < childProgress.length) {
            lastHeardNs[child] = nowNs;
        }
    }

    void onProgress(long nowNs, int sender, long sequence, boolean subtreeHeard) {
        int child = sender - child(0);
        if (child < 0 || child >= childProgress.length) {
            return;
        }
        // A report that is repeated although the watermark covers it: the announcement was lost.
        announceDown |= sequence <= childProgress[child] && sequence <= watermark;
        childProgress[child] = Math.max(childProgress[child], sequence);
        if (subtreeHeard && !childHeard[child]) {
            childHeard[child] = true;
            reportDueNs = nowNs;
        }
        decideGroup(nowNs);
        onMinimumMayHaveRisen(nowNs);
    }

    void onWatermark(long nowNs, long sequence, GroupState state) {
        learnWatermark(nowNs, sequence);
        // A state is left in one direction only: what is old by now changes nothing.
        if (state.compareTo(groupState) > 0) {
            groupState = state;
            announceDown = true;
        }
    }

    /** Multicast does not reach this rank, or one below it, any more. */
    void lostGroup(long nowNs) {
        if (lostGroup || groupState != GroupState.MULTICAST) {
            return;
        }
        lostGroup = true;
        reportDueNs = nowNs;
        if (rank == 0) {
            groupState = GroupState.UNICAST;
            announceDown = true;
        }
    }

    /** Whether the parent must be told of {@link #lostGroup}. */
    boolean hasLostGroup() {
        return lostGroup && groupState == GroupState.MULTICAST;
    }

    /** A child does not know yet whether multicast works: tell it, when it is known here. */
    void onUndecidedChild() {
        announceDown |= groupState != GroupState.PROBING;
    }

    /** A neighbour says good-bye; its word is also a watermark. */
    void onBye(long nowNs, int sender, long sequence) {
        learnWatermark(nowNs, sequence);
        int child = sender - child(0);
        if (sender == parent()) {
            left[ARITY] = true;
        } else if (child >= 0 && child < childProgress.length) {
            left[child] = true;
            childProgress[child] = GONE;
            onMinimumMayHaveRisen(nowNs);
        }
    }

    /** A neighbour that has said good-bye, or -1. */
    int anyLeft() {
        if (left[ARITY]) {
            return parent();
        }
        for (int i = 0; i < childProgress.length; i++) {
            if (left[i]) {
                return child(i);
            }
        }
        return -1;
    }

    /** True when every neighbour in the tree has said good-bye. */
    boolean allLeft() {
        boolean all = rank == 0 || left[ARITY];
        for (int i = 0; i < childProgress.length; i++) {
            all &= left[i];
        }
        return all;
    }

    /** True for a parent's announcement that has news for the children. Clears the wish. */
    boolean takeAnnounceDown() {
        boolean wish = announceDown;
        announceDown = false;
        return wish;
    }

    /** True when the children and the parent must get a life sign now. */
    boolean takeHeartbeat(long nowNs) {
        if (nowNs < heartbeatDueNs) {
            return false;
        }
        heartbeatDueNs = nowNs + (isUneasy(nowNs) ? heartbeatNs / UNEASY_FACTOR : heartbeatNs);
        return true;
    }

    /** Some neighbour was silent for half of the time after which it counts as dead. */
    private boolean isUneasy(long nowNs) {
        for (int i = 0; i <= ARITY; i++) {
            if (isNeighbour(i) && !left[i] && nowNs - lastHeardNs[i] > deathTimeoutNs / 2) {
                return true;
            }
        }
        return false;
    }

    private boolean isNeighbour(int index) {
        return index < childProgress.length || (index == ARITY && rank != 0);
    }

    /**
     * True when a report must go up (or, on rank 0, an announcement to all); the caller sends it
     * and this tree waits for the next occasion.
     */
    boolean takeReport(long nowNs) {
        if (nowNs < reportDueNs) {
            return false;
        }
        reported = minimum();
        if (rank == 0) {
            watermark = Math.max(watermark, reported);
        }
        if (groupState == GroupState.PROBING) {
            decideGroup(nowNs);
            reportDueNs = nowNs + PROBE_INTERVAL_NS;
        } else if (hasLostGroup()) {
            reportDueNs = nowNs + RESEND_NS;
        } else if (rank != 0 && reported > watermark) {
            reportDueNs = nowNs + resendNs;
            resendNs = Math.min(2 * resendNs, heartbeatNs);
        } else {
            reportDueNs = ProtocolEngine.NO_DEADLINE;
        }
        return size > 1;
    }

    long reported() {
        return reported;
    }

    boolean subtreeHeard() {
        boolean all = heardGroup;
        for (boolean heard : childHeard) {
            all &= heard;
        }
        return all;
    }

    long nextDeadlineNs() {
        return size == 1 ? ProtocolEngine.NO_DEADLINE : Math.min(reportDueNs, heartbeatDueNs);
    }

    /** The neighbour that was silent for too long, or -1. Call once for each timeout. */
    int findDead(long nowNs) {
        long pausedNs = nowNs - lastTickNs - heartbeatNs;
        lastTickNs = nowNs;
        for (int i = 0; i <= ARITY; i++) {
            if (pausedNs > heartbeatNs) {
                lastHeardNs[i] += pausedNs;
            }
            if (isNeighbour(i) && !left[i] && nowNs - lastHeardNs[i] > deathTimeoutNs) {
                return i == ARITY ? parent() : child(i);
            }
        }
        return -1;
    }

    /** Nobody can know of more that all have consumed than this rank has. */
    private void learnWatermark(long nowNs, long sequence) {
        long possible = Math.min(sequence, own);
        if (possible <= watermark) {
            return;
        }
        watermark = possible;
        resendNs = RESEND_NS;
        announceDown |= groupState == GroupState.UNICAST;
        if (reported > watermark) {
            reportDueNs = Math.min(reportDueNs, nowNs + resendNs);
        }
    }

    private long minimum() {
        long minimum = own;
        for (long progress : childProgress) {
            minimum = Math.min(minimum, progress);
        }
        return minimum;
    }

    private void onMinimumMayHaveRisen(long nowNs) {
        long minimum = minimum();
        boolean awaited = reported < urgent && minimum >= urgent;
        if (awaited || minimum - reported >= quarter) {
            reportDueNs = nowNs;
        } else if (minimum > reported) {
            reportDueNs = Math.min(reportDueNs, nowNs + REPORT_DELAY_NS);
        }
    }

    private void decideGroup(long nowNs) {
        if (rank != 0 || groupState != GroupState.PROBING) {
            return;
        }
        if (subtreeHeard()) {
            groupState = GroupState.MULTICAST;
        } else if (nowNs >= probeEndNs) {
            groupState = GroupState.UNICAST;
        } else {
            return;
        }
        announceDown = true;
        reportDueNs = nowNs;
    }
}
