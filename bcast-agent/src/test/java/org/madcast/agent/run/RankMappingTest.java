package org.madcast.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.profile.Traffic;
import org.madcast.agent.profile.Traffic.Exchange;
import org.madcast.client.topology.Placement;

/** Where ranks go by what they exchange. */
class RankMappingTest {

    private static final Placement.Distance EQUAL = (one, other) -> one == other ? 0 : 1;

    /** Four hosts on each switch, and a slow cable between switches. */
    private static final Placement.Distance SWITCHES =
            (one, other) -> one == other ? 0 : one / 4 == other / 4 ? 2 : 12;

    /** What an empty message costs; the tests' own exchanges are one message each. */
    private static final int MESSAGE = 100;

    private static Exchange exchange(int one, int other, long bytes) {
        return new Exchange(Math.min(one, other), Math.max(one, other), 1, bytes);
    }

    /** Names of ranks in an order by chance. */
    private static List<Integer> scrambled(int ranks, long seed) {
        List<Integer> names = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(names, new Random(seed));
        return names;
    }

    private static Traffic ring(int ranks, long seed) {
        List<Integer> name = scrambled(ranks, seed);
        return new Traffic(
                ranks,
                IntStream.range(0, ranks)
                        .mapToObj(i -> exchange(name.get(i), name.get((i + 1) % ranks), 900))
                        .toList());
    }

    private static Traffic grid(int side, long seed) {
        List<Integer> name = scrambled(side * side, seed);
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            if (i % side > 0) {
                all.add(exchange(name.get(i), name.get(i - 1), 900));
            }
            if (i >= side) {
                all.add(exchange(name.get(i), name.get(i - side), 900));
            }
        }
        return new Traffic(side * side, all);
    }

    /** One after the other, as a lab has them; or all places of a host before the next. */
    private static int[] hosts(int places, int hosts, boolean inTurn) {
        return IntStream.range(0, places)
                .map(place -> inTurn ? place % hosts : place * hosts / places)
                .toArray();
    }

    private static double cost(
            Traffic traffic, int[] hosts, int[] places, Placement.Distance distance) {
        return traffic.exchanges().stream()
                .mapToDouble(it ->
                        (it.bytes() + MESSAGE)
                                * distance.between(
                                        hosts[places[it.one()]], hosts[places[it.other()]]))
                .sum();
    }

    private static double meanAtRandom(Traffic traffic, int[] hosts, Placement.Distance distance) {
        return IntStream.range(0, 100)
                .mapToDouble(seed -> {
                    int[] places =
                            scrambled(hosts.length, seed).stream().mapToInt(it -> it).toArray();
                    return cost(traffic, hosts, places, distance);
                })
                .average()
                .orElseThrow();
    }

    private static int[] mapped(Traffic traffic, int[] hosts, Placement.Distance distance) {
        int[] places = RankMapping.places(traffic, hosts, distance);
        assertThat(Arrays.stream(places).sorted()).hasSize(traffic.ranks()).doesNotHaveDuplicates();
        return places;
    }

    @ParameterizedTest
    @CsvSource({"8, 2, true", "8, 2, false", "32, 4, true", "96, 6, false", "12, 1, true"})
    void aScrambledRingIsCutOncePerHost(int ranks, int hosts, boolean inTurn) {
        int[] hostOf = hosts(ranks, hosts, inTurn);
        for (int seed = 0; seed < 10; seed++) {
            Traffic ring = ring(ranks, seed);
            assertThat(cost(ring, hostOf, mapped(ring, hostOf, EQUAL), EQUAL))
                    .isEqualTo(hosts == 1 ? 0 : 1000 * hosts);
        }
    }

    /** The best cut of 8 by 8 points into four squares has 16 edges. */
    @Test
    void aScrambledGridIsCutIntoBlocks() {
        int[] hosts = hosts(64, 4, true);
        for (int seed = 0; seed < 10; seed++) {
            Traffic grid = grid(8, seed);
            assertThat(cost(grid, hosts, mapped(grid, hosts, EQUAL), EQUAL))
                    .isLessThanOrEqualTo(24_000)
                    .isLessThan(meanAtRandom(grid, hosts, EQUAL) / 3);
        }
    }

    @Test
    void slowCablesAreCrossedLeast() {
        int[] hosts = hosts(8, 8, true);
        for (int seed = 0; seed < 10; seed++) {
            Traffic ring = ring(8, seed);
            assertThat(cost(ring, hosts, mapped(ring, hosts, SWITCHES), SWITCHES))
                    .isEqualTo(6 * 2000 + 2 * 12_000);
        }
    }

    /** Hosts of different sizes, exchanges of any size, and ranks without any. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void itIsNeverWorseThanTheOrderOfRanksAndBetterThanChance(long seed) {
        Random random = new Random(seed);
        int ranks = 20 + random.nextInt(20);
        int[] hosts = IntStream.range(0, ranks).map(i -> (int) Math.sqrt(i)).toArray();
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < 3 * ranks; i++) {
            int one = random.nextInt(ranks - 2);
            int other = random.nextInt(ranks - 2);
            if (one != other) {
                all.add(exchange(one, other, 1 + random.nextInt(100_000)));
            }
        }
        Traffic traffic = new Traffic(ranks, all);
        int[] inOrder = IntStream.range(0, ranks).toArray();
        assertThat(cost(traffic, hosts, mapped(traffic, hosts, SWITCHES), SWITCHES))
                .isLessThanOrEqualTo(cost(traffic, hosts, inOrder, SWITCHES))
                .isLessThan(0.8 * meanAtRandom(traffic, hosts, SWITCHES));
    }

    @Test
    void aGoodOrderStays() {
        Traffic pairs =
                new Traffic(6, List.of(exchange(0, 1, 10), exchange(2, 3, 10), exchange(4, 5, 10)));
        assertThat(mapped(pairs, hosts(6, 3, false), EQUAL)).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(mapped(new Traffic(6, List.of()), hosts(6, 3, true), EQUAL))
                .containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void manyRanksThatAllExchangeAreMapped() {
        int ranks = 300;
        Random random = new Random(9);
        List<Exchange> all = new ArrayList<>();
        for (int one = 0; one < ranks; one++) {
            for (int other = one + 1; other < ranks; other++) {
                all.add(exchange(one, other, random.nextInt(1000)));
            }
        }
        Traffic traffic = new Traffic(ranks, all);
        int[] hosts = hosts(ranks, 32, true);
        assertThat(cost(traffic, hosts, mapped(traffic, hosts, SWITCHES), SWITCHES))
                .isLessThan(meanAtRandom(traffic, hosts, SWITCHES));
    }
}
