package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

/**
 * Fragments that this rank hands on to its children in the algorithm's tree, in the order in which
 * it came to own them, whichever way they came (seed 000, section 3.2.2).
 */
final class ForwardQueue {

    private final FragmentRing ring;
    private final Dissemination[] ways;
    private final int rank;
    private final int size;
    private final long[] queue;
    private long head;
    private long tail;
    private int childIndex;

    ForwardQueue(FragmentRing ring, EngineConfig config) {
        this.ring = ring;
        this.ways = config.disseminations().toArray(Dissemination[]::new);
        this.rank = config.rank();
        this.size = config.size();
        this.queue = new long[ring.capacity()];
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** A position in the queue: behind everything that waits now. */
    long end() {
        return tail;
    }

    /** Whether everything before a position, as {@link #end} gave it, was handed on. */
    boolean hasPassed(long position) {
        return head >= position;
    }

    /** The least sequence that waits here, but at most the given one. */
    long least(long sequence) {
        long least = sequence;
        for (long i = head; i < tail; i++) {
            least = Math.min(least, queue[(int) (i % queue.length)]);
        }
        return least;
    }

    /** True when the fragment's algorithm has children here. */
    boolean handsOn(long sequence) {
        return child(sequence, 0) != Dissemination.NONE;
    }

    /**
     * Queues the fragment when its algorithm has children here; drops it when the queue is full.
     */
    void add(long sequence) {
        addFor(child(sequence, 0), sequence);
    }

    /** As {@link #add(long)} for a fragment that has just arrived. */
    void add(long sequence, Datagram fragment) {
        addFor(child(0, fragment.algorithm(), fragment.fragment(), fragment.root()), sequence);
    }

    private void addFor(int firstChild, long sequence) {
        if (firstChild != Dissemination.NONE && tail - head < queue.length) {
            queue[(int) (tail++ % queue.length)] = sequence;
        }
    }

    /** The next fragment to hand on, its destination in the slot; -1 when there is none. */
    long poll(TransmitSlot slot) {
        while (head != tail) {
            long sequence = queue[(int) (head % queue.length)];
            int child = ring.has(sequence) ? child(sequence, childIndex) : Dissemination.NONE;
            if (child != Dissemination.NONE) {
                slot.destination(child);
                if (child(sequence, ++childIndex) == Dissemination.NONE) {
                    advance();
                }
                return sequence;
            }
            advance();
        }
        return -1;
    }

    private void advance() {
        head++;
        childIndex = 0;
    }

    private int child(long sequence, int index) {
        MemorySegment datagram = ring.get(sequence);
        return child(
                index,
                DatagramLayout.algorithm(datagram),
                DatagramLayout.fragment(datagram),
                DatagramLayout.root(datagram));
    }

    private int child(int index, int algorithm, long fragment, int root) {
        Dissemination way = ways[algorithm];
        int part = (int) (fragment % way.parts(size));
        return way.child(index, part, rank, root, size);
    }
}
