package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks in a grid. */
class GridTest {

    private final Grid grid = new Grid(new int[] {2, 3}, true, false);

    @Test
    void theLastCoordinateChangesFastest() {
        for (int rank = 0; rank < grid.size(); rank++) {
            assertThat(grid.coordinates(rank)).containsExactly(rank / 3, rank % 3);
            assertThat(grid.rank(rank / 3, rank % 3)).isEqualTo(rank);
        }
        assertThat(grid.rank(-1, 2)).isEqualTo(5);
        assertThat(grid.rank(7, 0)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1, 3",
        "0, 0, -1, 3",
        "4, 0, 2, 4",
        "4, 0, -4294967295, 1",
        "0, 1, 1, 1",
        "0, 1, 2, 2",
        "0, 1, -1, -1",
        "5, 1, 1, -1",
        "5, 1, 9223372036854775807, -1"
    })
    void aNeighbourIsAtADistanceOrNobodyBeyondTheEdge(
            int rank, int dimension, long distance, int expected) {
        assertThat(grid.neighbour(rank, dimension, distance)).isEqualTo(expected);
    }

    @Test
    void aGridOfNoDimensionHasOnePlace() {
        Grid point = new Grid(new int[0]);
        assertThat(point.size()).isEqualTo(1);
        assertThat(point.coordinates(0)).isEmpty();
        assertThat(point.rank()).isZero();
        assertThat(point.neighbours(0)).isEmpty();
    }

    @Test
    void whatTheCallerHasIsCopied() {
        int[] dims = {2, 2};
        Grid square = new Grid(dims, true, true);
        dims[0] = 9;
        square.dims()[1] = 9;
        square.periods()[0] = false;
        assertThat(square.dims()).containsExactly(2, 2);
        assertThat(square.periods()).containsExactly(true, true);
    }

    @Test
    void dividesAsEvenlyAsItCan() {
        assertThat(Grid.divide(6, 0, 0)).containsExactly(3, 2);
        assertThat(Grid.divide(7, 0, 0)).containsExactly(7, 1);
        assertThat(Grid.divide(36, 0, 0, 0)).containsExactly(4, 3, 3);
        assertThat(Grid.divide(6, 0, 3, 0)).containsExactly(2, 3, 1);
        assertThat(Grid.divide(1, 0, 0)).containsExactly(1, 1);
        assertThat(Grid.divide(1000, 0, 0, 0, 0)).containsExactly(8, 5, 5, 5);
        assertThat(Grid.divide(6, 2, 3)).containsExactly(2, 3);
        assertThat(Grid.divide(Integer.MAX_VALUE, 0)).containsExactly(Integer.MAX_VALUE);
    }

    @Test
    void refusesWhatIsNoGrid() {
        assertRefused(() -> new Grid(new int[] {2, 3}, true), "2 dims, but 1 periods");
        assertRefused(
                () -> new Grid(new int[] {2, 0}, true, true),
                "dims are [2, 0]; each must be 1 or more");
        assertRefused(
                () -> new Grid(new int[] {65_536, 65_536}, true, true),
                "a grid of [65536, 65536] has more than 2147483647 places");
        assertRefused(() -> grid.coordinates(6), "rank 6 is outside 0 to 5");
        assertRefused(() -> grid.coordinates(-1), "rank -1 is outside 0 to 5");
        assertRefused(() -> grid.rank(1), "1 coordinates for 2 dimensions");
        assertRefused(
                () -> grid.rank(0, 3),
                "coordinate 1 is 3, outside 0 to 2, and the dimension is not periodic");
        assertRefused(() -> grid.neighbour(0, 2, 1), "direction 2 is outside 0 to 1");
        assertRefused(
                () -> Grid.divide(7, 0, 2),
                "7 places cannot be divided among the dimensions [0, 2]");
        assertRefused(
                () -> Grid.divide(8, 2, 2),
                "8 places cannot be divided among the dimensions [2, 2]");
        assertRefused(
                () -> Grid.divide(0, 0), "0 places cannot be divided among the dimensions [0]");
        assertRefused(
                () -> Grid.divide(6, 65_536, 65_536),
                "6 places cannot be divided among the dimensions [65536, 65536]");
        assertRefused(() -> Grid.divide(7, -7), "dims are [-7]; none may be negative");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
