package org.madcast.client.survival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/**
 * Ranks agree over links that keep the order and delay as they like. Ranks die before any send,
 * also between two sends of one step; of what they have sent a part arrives, then the news of their
 * loss.
 */
class AgreementSimulationTest {

    private static final int ROUNDS = 3;

    @Test
    void allAgreeWhoeverDiesWhenever() {
        Seeds.forEach(
                6000,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "agreement");
                    World world = new World(2 + random.nextInt(6), random);
                    for (Node node : world.nodes) {
                        if (random.nextInt(2) == 0) {
                            node.sendsLeft = random.nextInt(40);
                        }
                    }
                    world.run();
                });
    }

    /** Each rank at each of its sends, alone and with the next coordinator. */
    @Test
    void eachPlaceToDieIsTried() {
        for (int victim = 0; victim < 4; victim++) {
            for (int sends = 0; sends < 16; sends++) {
                for (int second = -1; second < 4; second++) {
                    World world =
                            new World(
                                    4,
                                    RandomStream.of(victim * 1000 + sends * 10 + second, "each"));
                    world.nodes.get(victim).sendsLeft = sends;
                    if (second >= 0 && second != victim) {
                        world.nodes.get(second).sendsLeft = sends / 2;
                    }
                    world.run();
                }
            }
        }
    }

    @Test
    void withoutLossAllContributionsCount() {
        World world = new World(5, RandomStream.of(1, "calm"));
        world.run();
        long all = world.nodes.stream().mapToLong(it -> it.flags(0)).reduce(-1, (a, b) -> a & b);
        assertThat(world.decided.get(0)).isEqualTo(new Verdict(all, new BitSet()));
    }

    @Test
    void whoIsHeldToBeLostIsToldAndTakesNoPart() {
        World world = new World(3, RandomStream.of(1, "excluded"));
        Node node = world.nodes.get(2);
        BitSet lost = new BitSet();
        lost.set(2);
        node.agreement.onNotice(1, new Notice(Notice.Kind.ASK, 0, Notice.NONE, lost, new BitSet()));
        assertThat(node.agreement.isExcluded()).isTrue();
        int _ = node.agreement.begin(-1);
        assertThat(world.links).allMatch(ArrayDeque::isEmpty);
    }

    /** Rank 0 gives up rank 1, which lives, decides with rank 2 and dies before it can say so. */
    @Test
    void whatWasDecidedWithoutARankThatLivesHoldsForItToo() {
        World world = new World(3, RandomStream.of(1, "slow"));
        for (Node node : world.nodes) {
            node.round = node.agreement.begin(node.flags(0));
        }
        world.deliver(1, 0);
        world.deliver(2, 0);
        world.deliver(0, 2);
        world.nodes.get(0).sendsLeft = 0;
        world.nodes.get(0).agreement.onLost(1);
        world.deliver(2, 0);
        Verdict decided = world.nodes.get(0).agreement.verdict(0);
        assertThat(decided).isNotNull();
        world.nodes.get(2).agreement.onLost(0);
        world.nodes.get(1).agreement.onLost(0);
        for (int i = 0; i < 3; i++) {
            world.deliver(2, 1);
            world.deliver(1, 2);
        }
        assertThat(world.nodes.get(1).agreement.verdict(0)).isEqualTo(decided);
        assertThat(world.nodes.get(2).agreement.verdict(0)).isEqualTo(decided);
    }

    /** A notice on its way, or the end of what its sender says. */
    private record Item(@Nullable Notice notice, boolean closed) {
        static final Item LOST = new Item(null, false);
        static final Item CLOSED = new Item(null, true);
    }

    private static final class Node implements Agreement.Host {
        final World world;
        final int rank;
        final Agreement agreement;
        final long contribution;
        int sendsLeft = Integer.MAX_VALUE;
        int round = -1;
        boolean dead;
        boolean closed;

        Node(World world, int rank, int size, long contribution) {
            this.world = world;
            this.rank = rank;
            this.contribution = contribution;
            this.agreement = new Agreement(rank, size, this);
        }

        long flags(int number) {
            return Long.rotateLeft(contribution, number);
        }

        @Override
        public void send(int to, Notice notice) {
            if (dead) {
                return;
            }
            if (sendsLeft-- == 0) {
                dead = true;
                return;
            }
            Notice read = Notice.read(notice.write(), world.size);
            assertThat(read).isEqualTo(notice);
            world.link(rank, to).add(new Item(read, false));
        }

        @Override
        public void onLostElsewhere(int lost) {
            assertThat(world.nodes.get(lost).dead).isTrue();
        }

        /** Decides, begins the next round, or closes after the last one. */
        boolean act() {
            boolean idle = round < 0 || agreement.verdict(round) != null;
            if (dead || closed || !idle) {
                return false;
            }
            if (round == ROUNDS - 1) {
                closed = true;
                return true;
            }
            round = agreement.begin(flags(round + 1));
            note();
            return true;
        }

        void note() {
            Verdict verdict = round < 0 ? null : agreement.verdict(round);
            if (verdict != null && !dead) {
                Verdict first = world.decided.putIfAbsent(round, verdict);
                assertThat(first == null ? verdict : first)
                        .as("rank %d, round %d", rank, round)
                        .isEqualTo(verdict);
            }
        }
    }

    private static final class World {
        final RandomStream random;
        final List<Node> nodes = new ArrayList<>();
        final List<ArrayDeque<Item>> links = new ArrayList<>();
        final Map<Integer, Verdict> decided = new HashMap<>();
        final BitSet buried = new BitSet();
        final int size;

        World(int size, RandomStream random) {
            this.size = size;
            this.random = random;
            for (int rank = 0; rank < size; rank++) {
                long mostBits = ~(1L << random.nextInt(64) | 1L << rank);
                nodes.add(new Node(this, rank, size, mostBits));
            }
            for (int i = 0; i < size * size; i++) {
                links.add(new ArrayDeque<>());
            }
        }

        ArrayDeque<Item> link(int from, int to) {
            return links.get(from * size + to);
        }

        void run() {
            int idle = 0;
            while (idle < 50 * size * size) {
                bury();
                idle = step() ? 0 : idle + 1;
            }
            for (Node node : nodes) {
                assertThat(node.dead || node.closed)
                        .as("rank %d ends, in round %d", node.rank, node.round)
                        .isTrue();
            }
            decided.forEach(this::check);
        }

        private void check(int round, Verdict verdict) {
            long all = -1;
            long alive = -1;
            for (Node node : nodes) {
                all &= node.flags(round);
                alive &= node.dead ? -1 : node.flags(round);
                assertThat(verdict.absent().get(node.rank) && !node.dead).isFalse();
            }
            assertThat(verdict.flags() & all).isEqualTo(all);
            assertThat(verdict.flags() & ~alive).isZero();
        }

        /** All notices on a link. */
        void deliver(int from, int to) {
            for (Item item = link(from, to).poll(); item != null; item = link(from, to).poll()) {
                Notice notice = Objects.requireNonNull(item.notice());
                nodes.get(to).agreement.onNotice(from, notice);
            }
        }

        /** Of what a dead rank has sent, a part arrives. */
        private void bury() {
            for (Node node : nodes) {
                if (node.dead && !buried.get(node.rank)) {
                    buried.set(node.rank);
                    for (int to = 0; to < size; to++) {
                        ArrayDeque<Item> link = link(node.rank, to);
                        for (int drop = random.nextInt(link.size() + 1); drop > 0; drop--) {
                            link.removeLast();
                        }
                        link.add(Item.LOST);
                    }
                }
            }
        }

        private boolean step() {
            if (random.nextInt(4) == 0) {
                return nodes.get(random.nextInt(size)).act();
            }
            int from = random.nextInt(size);
            Node to = nodes.get(random.nextInt(size));
            Item item = link(from, to.rank).poll();
            if (item == null) {
                return false;
            }
            Notice notice = item.notice();
            if (to.dead) {
                return true;
            } else if (notice == null && item.closed()) {
                to.agreement.onClosed(from);
            } else if (notice == null) {
                to.agreement.onLost(from);
            } else if (to.closed) {
                link(to.rank, from).add(Item.CLOSED);
            } else {
                to.agreement.onNotice(from, notice);
            }
            to.note();
            return true;
        }
    }
}
