package org.madcast.client.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.topology.Placement.Exchange;

/** New numbers for ranks on trees of switches. */
class PlacementTest {

    /** Neighbours in a square grid of this many places a side. */
    private static List<Exchange> grid(int side) {
        List<Exchange> edges = new ArrayList<>();
        for (int place = 0; place < side * side; place++) {
            if (place % side > 0) {
                edges.add(new Exchange(place - 1, place, 1));
            }
            if (place >= side) {
                edges.add(new Exchange(place - side, place, 1));
            }
        }
        return edges;
    }

    /** What all exchanges occupy of the cables when ranks have these numbers. */
    private static double cost(RankOrder order, List<Exchange> edges, int[] numbers) {
        int[] rankOf = new int[numbers.length];
        for (int rank = 0; rank < numbers.length; rank++) {
            rankOf[numbers[rank]] = rank;
        }
        double sum = 0;
        for (Exchange each : edges) {
            int one = order.host(rankOf[each.one()]);
            int other = order.host(rankOf[each.other()]);
            sum += (order.tree().path(one, other).size() - 1) * each.weight();
        }
        return sum;
    }

    /** All cables of these trees are equally fast. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void neighboursOfAGridComeNearEachOther(long seed) {
        Random random = new Random(seed);
        RankOrder order = RandomTrees.shuffled(random, RandomTrees.tree(random, 6, 36));
        List<Exchange> edges = grid(6);
        int[] numbers = Placement.numbers(order, edges);
        assertThat(Arrays.stream(numbers).sorted().toArray())
                .isEqualTo(IntStream.range(0, 36).toArray());
        int[] kept = IntStream.range(0, 36).toArray();
        assertThat(cost(order, edges, numbers)).isLessThan(0.8 * cost(order, edges, kept));
        assertThat(Placement.numbers(order, edges)).isEqualTo(numbers);
    }

    @Test
    void pairsComeOntoOneSwitch() {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        tree.addSwitch("s0");
        tree.addSwitch("s1");
        tree.addCable("s0", "s1", 1);
        for (int i = 0; i < 4; i++) {
            tree.addHost("h" + i, "s" + i / 2, 10);
        }
        SwitchTree made = tree.build();
        RankOrder order =
                RankOrder.of(made, List.of(made.host(0), made.host(2), made.host(1), made.host(3)));
        int[] numbers =
                Placement.numbers(order, List.of(new Exchange(0, 1, 1), new Exchange(2, 3, 1)));
        assertThat(numbers[0] / 2).isEqualTo(numbers[2] / 2);
        assertThat(numbers[1] / 2).isEqualTo(numbers[3] / 2);
    }

    @Test
    void nothingToGainKeepsTheNumbers() {
        Random random = new Random(9);
        RankOrder order = RandomTrees.shuffled(random, RandomTrees.tree(random, 3, 8));
        assertThat(Placement.numbers(order, List.of())).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    /** A slow cable counts as many times as it is slower; the way up and down is the tree's. */
    @Test
    void distancesAreTheTimesOfTheCablesBetween() {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        for (int i = 0; i < 4; i++) {
            tree.addSwitch("s" + i);
        }
        tree.addCable("s1", "s0", 200);
        tree.addCable("s1", "s2", 500);
        tree.addCable("s3", "s2", 1000);
        tree.addHost("a", "s0", 1000);
        tree.addHost("b", "s2", 1000);
        tree.addHost("c", "s3", 100);
        SwitchTree made = tree.build();
        Placement.Distance distance =
                Placement.distance(made, List.of(made.host(0), made.host(1), made.host(2)));
        assertThat(distance.between(0, 1)).isCloseTo(1 + 5 + 2 + 1, within(1e-9));
        assertThat(distance.between(1, 0)).isCloseTo(1 + 5 + 2 + 1, within(1e-9));
        assertThat(distance.between(0, 2)).isCloseTo(1 + 5 + 2 + 1 + 10, within(1e-9));
        assertThat(distance.between(2, 2)).isZero();
    }

    @Test
    void anUnknownRankIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Placement.places(
                                List.of(new Exchange(0, 4, 1)), new int[4], (one, other) -> 1))
                .withMessageContaining("4 places");
    }
}
