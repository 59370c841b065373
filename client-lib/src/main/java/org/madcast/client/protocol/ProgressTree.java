package org.madcast.client.protocol;

/**
 * Credit and custody over a 4-ary tree of ranks whose top is rank 0 ({@link TreePlace}), whatever
 * the roots of the broadcasts are. {@link Liveness} and {@link GroupProbe} use the same datagrams.
 *
 * <p>Each rank reports to its parent the lowest sequence that a rank in its subtree has not
 * consumed; rank 0's minimum is the <em>watermark</em>, which it announces to all. The watermark is
 * credit (a root sends no further than one ring beyond it) and custody (what lies below it, no rank
 * needs). A report goes up when a quarter of the ring was consumed or, for less, {@link
 * #REPORT_DELAY_NS} later; it is repeated until the watermark shows that it arrived. So the busiest
 * rank handles a constant number of small datagrams for each quarter of a window, at any size of
 * the communicator.
 *
 * <p>Worked example, 6 ranks: ranks 1 to 4 report to rank 0, rank 5 to rank 1. Rank 5 has consumed
 * 40 fragments, rank 1 all 64: rank 1 reports 40, and the watermark is at most 40.
 */
final class ProgressTree {

    static final long REPORT_DELAY_NS = 5_000_000;
    private static final long PROBE_INTERVAL_NS = 10_000_000;
    private static final long RESEND_NS = 10_000_000;

    final TreePlace place;
    final Liveness life;
    final GroupProbe probe;

    private final int rank;
    private final int size;
    private final long quarter;
    private final long[] childProgress;
    private long own;
    private long urgent;
    private long watermark;
    private long reported;
    private long reportDueNs;
    private long resendNs = RESEND_NS;
    private boolean announceDown;
    private boolean leaving;

    ProgressTree(EngineConfig config, long nowNs) {
        this.rank = config.rank();
        this.size = config.size();
        this.quarter = Math.max(1, config.windowFragments() / 4);
        this.place = new TreePlace(rank, size);
        this.life = new Liveness(place, config.deathTimeoutNs(), nowNs);
        this.probe = new GroupProbe(place, config.probeTimeoutNs(), nowNs);
        this.childProgress = new long[place.childCount()];
        this.reportDueNs = nowNs;
        decideGroup(nowNs);
    }

    long watermark() {
        return watermark;
    }

    /** This rank has consumed everything below the sequence. */
    void consumed(long nowNs, long sequence) {
        own = sequence;
        onMinimumMayHaveRisen(nowNs);
    }

    /** All ranks wait for this sequence: it is reported without delay. */
    void hurry(long sequence) {
        urgent = sequence;
    }

    /** There is another group, which is probed like the first one. */
    void probeAgain(long nowNs) {
        probe.restart(nowNs);
        reportDueNs = nowNs;
        decideGroup(nowNs);
    }

    /** Something must be reported without delay. */
    void report(long nowNs) {
        reportDueNs = nowNs;
    }

    /** A multicast datagram of this communicator arrived. */
    void heardGroup(long nowNs) {
        if (probe.onHeard()) {
            reportDueNs = nowNs;
        }
    }

    void onProgress(long nowNs, int sender, long sequence, boolean subtreeHeard) {
        int child = place.childIndex(sender);
        if (child < 0) {
            return;
        }
        // A report that is repeated although the watermark covers it: the announcement was lost.
        announceDown |= sequence <= childProgress[child] && sequence <= watermark;
        childProgress[child] = Math.max(childProgress[child], sequence);
        if (subtreeHeard && probe.onChildHeard(child)) {
            reportDueNs = nowNs;
        }
        decideGroup(nowNs);
        onMinimumMayHaveRisen(nowNs);
    }

    void onWatermark(long nowNs, long sequence, GroupState state, boolean heartbeatOfParent) {
        noteWatermark(nowNs, sequence);
        announceDown |= probe.onAnnounced(state, heartbeatOfParent);
    }

    /** Multicast does not reach this rank, or one below it, any more. */
    void lostGroup(long nowNs) {
        if (probe.onLost()) {
            reportDueNs = nowNs;
            announceDown |= rank == 0;
        }
    }

    /** A child does not know yet whether multicast works: announce it, when it is known here. */
    void onUndecidedChild() {
        announceDown |= probe.state() != GroupState.PROBING;
    }

    /** A neighbour says good-bye; its sequence is also a watermark. */
    void onBye(long nowNs, int sender, long sequence) {
        noteWatermark(nowNs, sequence);
        int index = place.index(sender);
        if (index < 0) {
            return;
        }
        place.onLeft(index);
        if (index < childProgress.length) {
            childProgress[index] = Math.max(childProgress[index], sequence);
        }
        onMinimumMayHaveRisen(nowNs);
    }

    /** This rank leaves too, and waits for no child that has left before. */
    void leave(long nowNs) {
        leaving = true;
        onMinimumMayHaveRisen(nowNs);
    }

    /** True for a parent's announcement that has news for the children. Clears the wish. */
    boolean takeAnnounceDown() {
        boolean wish = announceDown;
        announceDown = false;
        return wish;
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
        if (probe.state() == GroupState.PROBING) {
            decideGroup(nowNs);
            reportDueNs = nowNs + PROBE_INTERVAL_NS;
        } else if (probe.hasLost()) {
            reportDueNs = nowNs + RESEND_NS;
        } else if (rank != 0 && reported > watermark) {
            reportDueNs = nowNs + resendNs;
            resendNs = Math.min(2 * resendNs, life.heartbeatNs());
        } else {
            reportDueNs = ProtocolEngine.NO_DEADLINE;
        }
        return size > 1;
    }

    long reported() {
        return reported;
    }

    long nextDeadlineNs() {
        return size == 1 ? ProtocolEngine.NO_DEADLINE : Math.min(reportDueNs, life.nextDueNs());
    }

    /** No rank can know of more that all have consumed than this rank has. */
    private void noteWatermark(long nowNs, long sequence) {
        long possible = Math.min(sequence, own);
        if (possible <= watermark) {
            return;
        }
        watermark = possible;
        resendNs = RESEND_NS;
        announceDown |= !probe.maybeWorks();
        if (reported > watermark) {
            reportDueNs = Math.min(reportDueNs, nowNs + resendNs);
        }
    }

    /**
     * A child that has left counts with what it last reported: a barrier that it has not entered
     * does not end. When this rank leaves, what that child has missed does no harm any more.
     */
    private long minimum() {
        long minimum = own;
        for (int child = 0; child < childProgress.length; child++) {
            if (!(leaving && place.hasLeft(child))) {
                minimum = Math.min(minimum, childProgress[child]);
            }
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
        if (probe.decide(nowNs)) {
            announceDown = true;
            reportDueNs = nowNs;
        }
    }
}
