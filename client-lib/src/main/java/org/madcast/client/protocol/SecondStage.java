package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.DatagramLayout;

/**
 * Siebert's second stage (seed 000, section 3.2.2): every fragment goes once more from each rank to
 * the next, on a way on which nothing is lost and nothing overtakes. A rank hands fragments on in
 * the order in which it came to own them, whichever way they came; the root begins when all of the
 * first stage has left.
 *
 * <p>A rank reports as consumed only what it has handed on too. So no root sends further than the
 * rings hold, and nothing is left out. The queue holds slots of the ring, each at most once.
 */
final class SecondStage {

    private final FragmentRing ring;
    private final Dissemination[] ways;
    private final int rank;
    private final int size;
    private final int[] queue;
    private long head;
    private long tail;

    /** By slot: what lies there is to be handed on. */
    private final boolean[] owed;

    private long passed;

    /** Of the message that this rank sends: the first fragment that does not wait here yet. */
    private long unqueued;

    SecondStage(FragmentRing ring, EngineConfig config) {
        this.ring = ring;
        ways = config.disseminations().toArray(Dissemination[]::new);
        rank = config.rank();
        size = config.size();
        queue = new int[ring.capacity()];
        owed = new boolean[ring.capacity()];
    }

    /** Whether the algorithm's fragments are handed on here. */
    boolean serves(int algorithm) {
        return ways[algorithm].sendsTwice();
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Up to where this rank has handed on what it had to, of what it has consumed. */
    long passed(long consumed) {
        while (passed < consumed && !owed[ring.slot(passed)]) {
            passed++;
        }
        return passed;
    }

    /** A fragment has come to this rank. */
    void onArrival(long sequence, int root, int algorithm) {
        if (owes(sequence, root, algorithm)) {
            queue(ring.slot(sequence));
        }
    }

    /**
     * The root has made a fragment. It waits here when all of the message has been multicast, or of
     * a message that is longer than the ring half a ring: what is to be sent again must still be
     * there. Where there is no multicast this stage is the only one.
     */
    void onMade(Call root, long sequence, int algorithm, boolean multicast) {
        if (root.fragmentsGiven() == 1) {
            unqueued = sequence;
        }
        if (!owes(sequence, root.root, algorithm)) {
            return;
        }
        int capacity = ring.capacity();
        long whole = root.fragments() <= capacity ? root.fragments() : Math.max(1, capacity / 2);
        if (!multicast || root.isComplete() || sequence + 1 - unqueued >= whole) {
            for (; unqueued <= sequence; unqueued++) {
                queue(ring.slot(unqueued));
            }
        }
    }

    /** Whether there is a next rank to hand the fragment on to; what is owed already stays so. */
    private boolean owes(long sequence, int root, int algorithm) {
        int slot = ring.slot(sequence);
        boolean owes = !owed[slot] && next(root, algorithm) != Dissemination.NONE;
        owed[slot] |= owes;
        return owes;
    }

    private void queue(int slot) {
        queue[(int) (tail++ % queue.length)] = slot;
    }

    private int next(int root, int algorithm) {
        return ways[algorithm].child(0, 0, rank, root, size);
    }

    /** The next fragment to hand on, its destination in the slot; -1 when there is none. */
    long poll(TransmitSlot destination) {
        while (!isEmpty()) {
            int slot = queue[(int) (head++ % queue.length)];
            owed[slot] = false;
            MemorySegment fragment = ring.get(ring.sequenceAt(slot));
            int root = DatagramLayout.root(fragment);
            int next = next(root, DatagramLayout.algorithm(fragment));
            if (next != Dissemination.NONE) { // a forged one may have taken its place
                destination.destination(next);
                return ring.sequenceAt(slot);
            }
        }
        return -1;
    }
}
