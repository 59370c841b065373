package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.wire.Datagram;

class ForwardQueueTest {

    private static final int SIZE = 6;

    private final FragmentRing ring = Fragments.ring();
    private final TransmitSlot slot = new TransmitSlot();

    private ForwardQueue on(int rank) {
        return new ForwardQueue(ring, Engines.config(rank, SIZE));
    }

    private void add(ForwardQueue queue, long sequence, Algorithm algorithm) {
        ring.put(sequence, Datagram.of(Fragments.of(sequence, 0, algorithm)));
        queue.add(sequence);
    }

    @Test
    void eachFragmentGoesToEveryChildBeforeTheNextFragmentGoesToAny() {
        ForwardQueue queue = on(0);
        add(queue, 0, Algorithm.LINEAR);
        add(queue, 1, Algorithm.LINEAR);
        for (long sequence = 0; sequence < 2; sequence++) {
            for (int child = 1; child < SIZE; child++) {
                assertThat(queue.poll(slot)).isEqualTo(sequence);
                assertThat(slot.destination()).isEqualTo(child);
            }
        }
        assertThat(queue.poll(slot)).isEqualTo(-1);
    }

    @Test
    void aFragmentWithoutChildrenHereIsNotQueued() {
        ForwardQueue leaf = on(SIZE - 1);
        for (Algorithm algorithm : Algorithm.values()) {
            add(leaf, 0, algorithm);
            assertThat(leaf.isEmpty()).as(algorithm.label()).isTrue();
        }
    }

    /** The root makes its next fragment only when nothing waits to be forwarded. */
    @Test
    void itIsEmptyAsSoonAsTheLastChildWasServed() {
        ForwardQueue queue = on(0);
        add(queue, 0, Algorithm.CHAIN);
        assertThat(queue.poll(slot)).isZero();
        assertThat(queue.isEmpty()).isTrue();
        add(queue, 1, Algorithm.BINARY);
        assertThat(queue.poll(slot)).isEqualTo(1);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll(slot)).isEqualTo(1);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aFragmentThatWasOverwrittenMeanwhileIsSkipped() {
        ForwardQueue queue = on(0);
        add(queue, 0, Algorithm.CHAIN);
        add(queue, 1, Algorithm.CHAIN);
        ring.put(
                Fragments.CAPACITY,
                Datagram.of(Fragments.of(Fragments.CAPACITY, 0, Algorithm.CHAIN)));
        assertThat(queue.poll(slot)).isEqualTo(1);
        assertThat(queue.isEmpty()).isTrue();
    }

    /** What is dropped here is repaired like any other loss. */
    @Test
    void aFullQueueDropsTheNewest() {
        ForwardQueue queue = on(0);
        for (long sequence = 0; sequence < Fragments.CAPACITY; sequence++) {
            add(queue, sequence, Algorithm.CHAIN);
        }
        queue.add(0);
        int polled = 0;
        while (queue.poll(slot) >= 0) {
            polled++;
        }
        assertThat(polled).isEqualTo(Fragments.CAPACITY);
    }
}
