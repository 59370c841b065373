package org.madcast.client.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TreeShapeTest {

    private static int childCount(TreeShape shape, int distance, int size) {
        int count = 0;
        while (shape.child(count, distance, size) != TreeShape.NONE) {
            count++;
        }
        return count;
    }

    private static int depth(TreeShape shape, int distance) {
        int depth = 0;
        for (int at = distance; at != 0; at = shape.parent(at)) {
            depth++;
        }
        return depth;
    }

    @ParameterizedTest
    @EnumSource(TreeShape.class)
    void parentIsTheInverseOfChild(TreeShape shape) {
        for (int size = 1; size <= 65; size++) {
            int edges = 0;
            for (int distance = 0; distance < size; distance++) {
                for (int i = 0; i < childCount(shape, distance, size); i++) {
                    int child = shape.child(i, distance, size);
                    assertThat(child).isBetween(1, size - 1);
                    assertThat(shape.parent(child)).isEqualTo(distance);
                    edges++;
                }
            }
            assertThat(edges).isEqualTo(size - 1);
        }
    }

    @Test
    void depthsAndWidthsAreWhatTheNamesPromise() {
        int size = 64;
        assertThat(depth(TreeShape.CHAIN, size - 1)).isEqualTo(63);
        assertThat(childCount(TreeShape.LINEAR, 0, size)).isEqualTo(63);
        assertThat(depth(TreeShape.LINEAR, size - 1)).isEqualTo(1);
        assertThat(depth(TreeShape.BINARY, size - 2)).isEqualTo(5);
        assertThat(childCount(TreeShape.BINARY, 0, size)).isEqualTo(2);
        assertThat(childCount(TreeShape.BINOMIAL, 0, size)).isEqualTo(6);
        assertThat(depth(TreeShape.BINOMIAL, size - 1)).isEqualTo(6);
    }

    /** A rank's number has 16 bits, yet nothing overflows where distances near 2^31. */
    @ParameterizedTest
    @EnumSource(TreeShape.class)
    void noOverflowAtTheEndOfIntegers(TreeShape shape) {
        int size = Integer.MAX_VALUE;
        for (int distance : new int[] {1 << 30, size - 2, size - 1}) {
            for (int i = 0; i < 3; i++) {
                int child = shape.child(i, distance, size);
                assertThat(child == TreeShape.NONE || child > distance).isTrue();
            }
            assertThat(shape.parent(distance)).isBetween(0, distance - 1);
        }
    }
}
