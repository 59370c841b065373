package org.madcast.allocator.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolPermutationTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 16, 17, 255, 256, 257, 4097, 65_280, 261_888})
    void everyNumberComesExactlyOnce(int size) {
        for (long seed : new long[] {0, 1, -1, 0x5eedL}) {
            PoolPermutation order = new PoolPermutation(size, seed);
            BitSet seen = new BitSet(size);
            for (int place = 0; place < size; place++) {
                long number = order.at(place);
                seen.set(Math.toIntExact(number));
                assertThat(order.placeOf(number)).isEqualTo(place);
            }
            assertThat(seen.cardinality()).as("size %d seed %d", size, seed).isEqualTo(size);
        }
    }

    @Test
    void anotherSeedIsAnotherOrder() {
        assertThat(first100(1)).isNotEqualTo(first100(2)).isEqualTo(first100(1));
    }

    @Test
    void neighboursLieFarApart() {
        PoolPermutation order = new PoolPermutation(261_888, 42);
        long close =
                LongStream.range(0, 10_000)
                        .filter(it -> Math.abs(order.at(it) - order.at(it + 1)) < 256)
                        .count();
        assertThat(close).isLessThan(100);
    }

    @Test
    void worksForTheLargestPools() {
        long size = 1L << 62;
        PoolPermutation order = new PoolPermutation(size, 3);
        assertThat(order.at(size - 1)).isBetween(0L, size - 1);
    }

    @Test
    void refusesWhatIsOutside() {
        assertThatThrownBy(() -> new PoolPermutation(0, 1)).hasMessageContaining("size 0");
        assertThatThrownBy(() -> new PoolPermutation(5, 1).at(5)).hasMessageContaining("5 of 5");
    }

    private static long[] first100(long seed) {
        return LongStream.range(0, 100).map(new PoolPermutation(1000, seed)::at).toArray();
    }
}
