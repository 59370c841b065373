package org.madcast.client.survival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class SpreadingTest {

    /** From each rank that lives to all others, over ranks that live only. */
    @Test
    void whatIsPassedOnReachesAllThatLive() {
        Seeds.forEach(
                500,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "spreading");
                    int size = 1 + random.nextInt(100);
                    int tenths = random.nextInt(10);
                    BitSet absent = new BitSet();
                    for (int rank = 0; rank < size; rank++) {
                        absent.set(rank, random.nextInt(10) < tenths);
                    }
                    int origin = random.nextInt(size);
                    absent.clear(origin);
                    BitSet reached = reached(size, origin, absent);
                    BitSet all = (BitSet) reached.clone();
                    all.or(absent);
                    assertThat(all.cardinality()).isEqualTo(size);
                    assertThat(reached.intersects(absent)).isFalse();
                });
    }

    private static BitSet reached(int size, int origin, BitSet absent) {
        BitSet reached = new BitSet();
        ArrayDeque<Integer> open = new ArrayDeque<>();
        reached.set(origin);
        open.add(origin);
        while (!open.isEmpty()) {
            Spreading.targets(size, open.remove(), absent).stream()
                    .filter(rank -> !reached.get(rank))
                    .forEach(rank -> {
                        reached.set(rank);
                        open.add(rank);
                    });
        }
        return reached;
    }

    @Test
    void fewNeighboursAreTold() {
        assertThat(Spreading.targets(1024, 5, new BitSet()).cardinality()).isEqualTo(19);
        assertThat(Spreading.targets(7, 3, new BitSet()).cardinality()).isEqualTo(6);
    }
}
