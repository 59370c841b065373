package org.madcast.client.protocol;

/**
 * A barrier is a place in the stream that carries nothing. A rank that enters takes one sequence
 * without a fragment as consumed; when the watermark has passed it, every rank has entered. So the
 * tree that carries credit is the barrier too, its repetitions make it reliable, and a barrier and
 * a broadcast that meet at one place of the stream show each other up.
 */
final class Barrier {

    private static final long NONE = Long.MAX_VALUE;

    private final FragmentRing ring;
    private final LossTracker loss;
    private final RepairQueue desk;
    private final ProgressTree tree;
    private long end = NONE;

    Barrier(FragmentRing ring, LossTracker loss, RepairQueue desk, ProgressTree tree) {
        this.ring = ring;
        this.loss = loss;
        this.desk = desk;
        this.tree = tree;
    }

    /** Whether this rank may enter: nothing was sent at this place of the stream. */
    boolean isClear(long place) {
        return loss.highest() == place;
    }

    /** Enters at this place; the caller counts it as consumed. */
    void enter(long place) {
        ring.claim(place, 0);
        desk.forgetSlot(place);
        loss.onVoid(place);
        end = place + 1;
        tree.hurry(end);
    }

    /** Whether this rank has entered a barrier that is not over. */
    boolean isEntered() {
        return end != NONE;
    }

    /** True, once, when every rank has entered. */
    boolean takeEnd() {
        boolean over = tree.watermark() >= end;
        end = over ? NONE : end;
        return over;
    }
}
