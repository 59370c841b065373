package org.madcast.client.protocol;

/**
 * What share of the stream the worst receiver lost lately, max-aggregated along the {@link
 * ProgressTree} in eight bits of its datagrams: up to rank 0, which tells all with the watermark.
 */
final class LossAggregator {

    /** Over fewer fragments a share says nothing. */
    private static final int EPOCH_FRAGMENTS = 64;

    private static final int WHOLE = 255;

    private final LossTracker loss;
    private final ProgressTree tree;
    private final int[] ofChild;
    private long epochStart;
    private long lostBefore;
    private int own;
    private int announced;

    LossAggregator(LossTracker loss, ProgressTree tree) {
        this.loss = loss;
        this.tree = tree;
        ofChild = new int[tree.place.childCount()];
    }

    /** A child reports for its subtree. */
    void onChild(int child, int bits) {
        ofChild[child] = bits;
    }

    /** Rank 0 says what it is among all. */
    void onAnnounced(int bits) {
        announced = bits;
    }

    /** For the parent, or on rank 0 for all: of this rank and those below it. */
    int ofSubtree() {
        long sent = loss.highest() - epochStart;
        if (sent >= EPOCH_FRAGMENTS) {
            long lost = loss.lost() - lostBefore;
            own = (int) Math.ceilDiv(WHOLE * Math.min(lost, sent), sent);
            epochStart = loss.highest();
            lostBefore = loss.lost();
        }
        int worst = own;
        for (int child = 0; child < ofChild.length; child++) {
            worst = Math.max(worst, tree.place.hasLeft(child) ? 0 : ofChild[child]);
        }
        return worst;
    }

    /** Of all ranks, as far as this rank knows; for the children. */
    int ofAll() {
        return tree.place.parent() < 0 ? ofSubtree() : announced;
    }

    /** The same as a share, 0 to 1. */
    double share() {
        return (double) ofAll() / WHOLE;
    }
}
