package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.madcast.client.wire.Datagram;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class FragmentRingTest {

    private static final int CAPACITY = 16;
    private static final int SLOT_BYTES = 100;

    private final FragmentRing ring = new FragmentRing(CAPACITY, SLOT_BYTES, Arena.ofAuto());

    private static MemorySegment datagram(int bytes, int content) {
        return MemorySegment.ofArray(new byte[bytes]).fill((byte) content);
    }

    @Test
    void holdsNothingAtFirst() {
        for (long sequence = -CAPACITY; sequence < 2 * CAPACITY; sequence++) {
            assertThat(ring.has(sequence)).isFalse();
        }
    }

    @Test
    void aFragmentOneCapacityLaterTakesThePlace() {
        ring.put(3, Datagram.of(datagram(SLOT_BYTES, 3)));
        ring.put(3 + CAPACITY, Datagram.of(datagram(10, 7)));
        assertThat(ring.has(3)).isFalse();
        assertThat(ring.has(3 + CAPACITY)).isTrue();
        assertThat(ring.get(3 + CAPACITY).mismatch(datagram(10, 7))).isEqualTo(-1);
    }

    @Test
    void claimedMemoryIsThePlaceItself() {
        ring.claim(5, 20).fill((byte) 9);
        assertThat(ring.get(5).mismatch(datagram(20, 9))).isEqualTo(-1);
    }

    /** So that one call can hand a run of full datagrams to the kernel. */
    @Test
    void consecutiveFragmentsLieNextToEachOther() {
        for (long sequence = 0; sequence < CAPACITY; sequence++) {
            ring.put(sequence, Datagram.of(datagram(SLOT_BYTES, 1)));
        }
        for (long sequence = 1; sequence < CAPACITY; sequence++) {
            long distance = ring.get(sequence).address() - ring.get(sequence - 1).address();
            assertThat(distance).isEqualTo(SLOT_BYTES);
        }
    }

    @Test
    void aCapacityThatIsNoPowerOfTwoIsRefused() {
        assertThatThrownBy(() -> new FragmentRing(24, SLOT_BYTES, Arena.ofAuto()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("24");
    }

    /** Against a map that forgets what lies more than a capacity behind, slot by slot. */
    @Test
    void behavesAsAMapOfSlots() {
        Seeds.forEach(
                50,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "ring");
                    Map<Integer, Long> held = new HashMap<>();
                    Map<Integer, byte[]> contents = new HashMap<>();
                    long base = random.nextLong(1L << 40);
                    for (int i = 0; i < 500; i++) {
                        long sequence = base + random.nextInt(4 * CAPACITY);
                        byte[] bytes = new byte[1 + random.nextInt(SLOT_BYTES)];
                        MemorySegment.ofArray(bytes).fill((byte) random.nextInt(256));
                        ring.put(sequence, Datagram.of(MemorySegment.ofArray(bytes)));
                        held.put(ring.slot(sequence), sequence);
                        contents.put(ring.slot(sequence), bytes);
                    }
                    for (long s = base; s < base + 4 * CAPACITY; s++) {
                        boolean expected = Long.valueOf(s).equals(held.get(ring.slot(s)));
                        assertThat(ring.has(s)).isEqualTo(expected);
                        if (expected) {
                            assertThat(ring.get(s).toArray(ValueLayout.JAVA_BYTE))
                                    .isEqualTo(contents.get(ring.slot(s)));
                        }
                    }
                });
    }
}
