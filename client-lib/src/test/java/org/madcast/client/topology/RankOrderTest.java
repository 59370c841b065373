package org.madcast.client.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.client.topology.RandomTrees.Message;

/** Seed 001, algorithms 1 and 2: on any tree of switches no cable carries two at once. */
class RankOrderTest {

    private static List<Message> chain(RankOrder order, int root) {
        return IntStream.range(0, order.size())
                .mapToObj(
                        place -> new Message(order.rank(place, root), order.rank(place + 1, root)))
                .toList();
    }

    private static List<Message> messages(BinaryTrees tree, int size) {
        List<Message> messages = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            for (int index = 0; tree.child(index, rank) >= 0; index++) {
                messages.add(new Message(rank, tree.child(index, rank)));
            }
        }
        return messages;
    }

    @Test
    void theWalkVisitsTheHostsOfASwitchBeforeTheSwitchesBehindIt() {
        SwitchTree tree =
                TreeFile.parse(
                        "t",
                        """
                        switch s[0-3]
                        cable s0 s[1,3]
                        cable s1 s2
                        host a s2
                        host b s0
                        host c s3
                        host d s1
                        host e s0
                        """);
        assertThat(RankOrder.walk(tree))
                .extracting(tree::name)
                .containsExactly("b", "e", "d", "a", "c");
        RankOrder order =
                RankOrder.of(tree, List.of(tree.node("c"), tree.node("b"), tree.node("d")));
        assertThat(IntStream.range(0, 3).map(place -> order.rank(place, 2)))
                .containsExactly(2, 0, 1);
        assertThat(order.place(1, 2)).isEqualTo(2);
    }

    @Test
    void ranksOnOneHostFollowEachOther() {
        SwitchTree tree = RandomTrees.tree(new Random(5), 2, 3);
        RankOrder order = RankOrder.of(tree, List.of(4, 2, 3, 4, 2, 3, 4));
        List<Integer> hosts =
                IntStream.range(0, 7).mapToObj(place -> order.host(order.rank(place, 1))).toList();
        assertThat(hosts.stream().distinct().count()).isEqualTo(3);
        assertThat(RandomTrees.mostSendersOfACable(order, chain(order, 1))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "2, 8", "4, 16", "6, 32", "12, 20", "30, 20"})
    void noCableCarriesTwoMessagesOfAChainInOneDirection(int switches, int hosts) {
        Random random = new Random(switches * 1000L + hosts);
        for (int trial = 0; trial < 50; trial++) {
            SwitchTree tree = RandomTrees.tree(random, switches, hosts);
            RankOrder order = RandomTrees.shuffled(random, tree);
            int root = random.nextInt(hosts);
            assertThat(order.rank(0, root)).isEqualTo(root);
            assertThat(RandomTrees.mostSendersOfACable(order, chain(order, root))).isEqualTo(1);
        }
    }

    /** So the test above can fail. */
    @Test
    void anOrderThatDoesNotFollowTheTreeSharesCables() {
        Random random = new Random(1);
        SwitchTree tree = RandomTrees.tree(random, 4, 16);
        RankOrder order = RandomTrees.shuffled(random, tree);
        List<Message> byRank =
                IntStream.range(0, 15).mapToObj(rank -> new Message(rank, rank + 1)).toList();
        assertThat(RandomTrees.mostSendersOfACable(order, byRank)).isGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "2, 8", "4, 16", "6, 32", "12, 20", "30, 20", "1, 1", "1, 2"})
    void noCableCarriesMessagesOfTwoRanksOfABinaryTreeInOneDirection(int switches, int hosts) {
        Random random = new Random(switches * 1000L + hosts);
        for (int trial = 0; trial < 50; trial++) {
            RankOrder order =
                    RandomTrees.shuffled(random, RandomTrees.tree(random, switches, hosts));
            int root = random.nextInt(hosts);
            BinaryTrees tree = BinaryTrees.of(order, root);
            List<Message> messages = messages(tree, hosts);
            assertThat(messages).extracting(Message::to).doesNotHaveDuplicates().hasSize(hosts - 1);
            assertThat(messages).allMatch(message -> tree.parent(message.to()) == message.from());
            assertThat(messages)
                    .allMatch(message ->
                            order.place(message.from(), root) < order.place(message.to(), root));
            assertThat(tree.height()).isLessThan(Math.max(1, hosts));
            if (hosts > 1) {
                assertThat(RandomTrees.mostSendersOfACable(order, messages)).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 15", "2, 12", "4, 16", "10, 14"})
    void treesAreNotHigherThanThoseOfThePaper(int switches, int hosts) {
        Random random = new Random(hosts);
        for (int trial = 0; trial < 40; trial++) {
            RankOrder order =
                    RandomTrees.shuffled(random, RandomTrees.tree(random, switches, hosts));
            int root = random.nextInt(hosts);
            assertThat(BinaryTrees.of(order, root).height())
                    .isLessThanOrEqualTo(heightOfThePaper(order, root));
        }
    }

    /** Figure 4 of seed 001 as it stands there, with the trees as lists of messages. */
    private static int heightOfThePaper(RankOrder order, int root) {
        int size = order.size();
        int[][] best = new int[size][size];
        List<List<List<Message>>> trees = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            trees.add(new ArrayList<>());
            for (int j = 0; j < size; j++) {
                trees.get(i).add(List.of());
            }
        }
        for (int span = 1; span < size; span++) {
            for (int i = 0; i + span < size; i++) {
                int j = i + span;
                best[i][j] = span == 1 ? 1 : Integer.MAX_VALUE;
                List<Message> made = new ArrayList<>(List.of(message(order, root, i, i + 1)));
                int index = -1;
                for (int k = i + 2; k <= j; k++) {
                    int height = Math.max(best[i + 1][k - 1], best[k][j]) + 1;
                    if (height < best[i][j]
                            && isFree(
                                    order,
                                    trees.get(i + 1).get(k - 1),
                                    message(order, root, i, k))) {
                        best[i][j] = height;
                        index = k;
                    }
                }
                if (index > 0) {
                    made.add(message(order, root, i, index));
                    made.addAll(trees.get(i + 1).get(index - 1));
                    made.addAll(trees.get(index).get(j));
                }
                trees.get(i).set(j, made);
            }
        }
        return best[0][size - 1];
    }

    private static Message message(RankOrder order, int root, int from, int to) {
        return new Message(order.rank(from, root), order.rank(to, root));
    }

    private static boolean isFree(RankOrder order, List<Message> tree, Message message) {
        List<Message> all = new ArrayList<>(tree);
        all.add(message);
        return RandomTrees.mostSendersOfACable(order, all) <= 1;
    }

    /** What figure 5 of seed 001 says of clusters with 8 and 16 machines on a switch. */
    @ParameterizedTest
    @CsvSource({"8, 64", "16, 64", "8, 256", "16, 256"})
    void treesAreAtMostTwiceAsHighAsCompleteOnes(int onASwitch, int hosts) {
        Random random = new Random(hosts);
        double[] heights = new double[20];
        for (int trial = 0; trial < heights.length; trial++) {
            SwitchTree tree = RandomTrees.treeOfThePaper(random, hosts / onASwitch, hosts);
            heights[trial] = BinaryTrees.of(RandomTrees.shuffled(random, tree), 0).height();
        }
        int complete = 31 - Integer.numberOfLeadingZeros(hosts);
        assertThat(Arrays.stream(heights).average().orElseThrow())
                .isLessThanOrEqualTo(2.0 * complete);
    }

    @Test
    void ordersThatDifferHaveDifferentDigests() {
        SwitchTree tree = RandomTrees.tree(new Random(2), 3, 9);
        long[] digests =
                new Random(3)
                        .ints(200)
                        .mapToLong(seed -> RandomTrees.shuffled(new Random(seed), tree).digest())
                        .toArray();
        assertThat(Arrays.stream(digests).distinct().count()).isGreaterThan(150);
        assertThat(RankOrder.of(tree, List.of(3, 4)).digest())
                .isEqualTo(RankOrder.of(tree, List.of(3, 4)).digest());
    }
}
