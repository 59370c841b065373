package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

/**
 * Fragments that this rank hands on to its children in the algorithm's tree, in the order in which
 * it came to own them, whichever way they came (seed 000, section 3.2.2). Where the algorithm keeps
 * messages whole it waits for all of one, and hands it on to one child after the other.
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
    private final MessageShape shape;
    private final boolean keeping;

    /** Of the whole message at the head: what the child got already, and its fragments. */
    private int given;

    private int together;

    ForwardQueue(FragmentRing ring, EngineConfig config) {
        this.ring = ring;
        this.ways = config.disseminations().toArray(Dissemination[]::new);
        this.rank = config.rank();
        this.size = config.size();
        this.shape = new MessageShape(config.datagramBytes());
        boolean keepsWhole = false;
        for (Dissemination way : ways) {
            keepsWhole |= way.keepsWhole();
        }
        this.keeping = keepsWhole;
        this.queue = new long[ring.capacity()];
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Whether what waits here is a part of a message that is handed on when all of it is here. */
    boolean awaitsMore() {
        return keeping && head != tail && together == 0 && tail - head < whole();
    }

    /** How many fragments from the head on go together: 1, or a message that is kept whole. */
    private long whole() {
        long sequence = queue[(int) (head % queue.length)];
        if (!ring.has(sequence)) {
            return 1;
        }
        MemorySegment first = ring.get(sequence);
        long fragments = shape.fragments(DatagramLayout.messageBytes(first));
        boolean kept = ways[DatagramLayout.algorithm(first)].keepsWhole();
        return kept && fragments <= queue.length && DatagramLayout.fragment(first) == 0
                ? fragments
                : 1;
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
            if (awaitsMore()) {
                return -1;
            }
            together = keeping && together == 0 ? (int) whole() : together;
            if (together > 1) {
                long next = pollWhole(slot);
                if (next >= 0) {
                    return next;
                }
                continue;
            }
            long sequence = queue[(int) (head % queue.length)];
            int child = ring.has(sequence) ? child(sequence, childIndex) : Dissemination.NONE;
            if (child != Dissemination.NONE) {
                slot.destination(child);
                if (child(sequence, ++childIndex) == Dissemination.NONE) {
                    advance(1);
                }
                return sequence;
            }
            advance(1);
        }
        return -1;
    }

    /** The next fragment of a whole message; -1 when it has gone to all children. */
    private long pollWhole(TransmitSlot slot) {
        while (given < together) {
            long sequence = queue[(int) ((head + given++) % queue.length)];
            int child = ring.has(sequence) ? child(sequence, childIndex) : Dissemination.NONE;
            if (child != Dissemination.NONE) {
                slot.destination(child);
                endOfChild(sequence);
                return sequence;
            }
        }
        advance(together);
        return -1;
    }

    private void endOfChild(long sequence) {
        boolean another = child(sequence, childIndex + 1) != Dissemination.NONE;
        if (given == together && another) {
            given = 0;
            childIndex++;
        } else if (given == together) {
            advance(together);
        }
    }

    private void advance(int fragments) {
        head += fragments;
        together = 0;
        given = 0;
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
