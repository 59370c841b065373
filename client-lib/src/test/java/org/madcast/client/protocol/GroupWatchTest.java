package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Rank 1 of 2, after all have heard the group. */
class GroupWatchTest {

    private static final int ONCE = Algorithm.ONCE.code();
    private static final int CHAIN = Algorithm.CHAIN.code();
    private static final long SILENCE_NS = GroupWatch.SILENCE_NS;

    private ProgressTree tree = new ProgressTree(Engines.config(1, 2), 0);
    private GroupWatch watch = new GroupWatch(Engines.config(1, 2), tree, 0);

    @BeforeEach
    void fresh() {
        tree = new ProgressTree(Engines.config(1, 2), 0);
        tree.onWatermark(0, 0, GroupState.MULTICAST, false);
        watch = new GroupWatch(Engines.config(1, 2), tree, 0);
    }

    private boolean lostAfterRepair(long nowNs) {
        watch.onFragment(nowNs, DatagramType.REPAIR, ONCE);
        return tree.probe.hasLost();
    }

    @Test
    void manyRepairsInAShortTimeAreABurst() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(lostAfterRepair(SILENCE_NS - 1)).isFalse();
        }
    }

    @Test
    void fewRepairsInALongTimeAreAQuietJob() {
        for (int i = 1; i < GroupWatch.REPAIRS; i++) {
            assertThat(lostAfterRepair(i * SILENCE_NS)).isFalse();
        }
        assertThat(lostAfterRepair(GroupWatch.REPAIRS * SILENCE_NS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = DatagramType.class,
            names = {"DATA", "GROUP_REPAIR"})
    void whateverIsHeardOfTheGroupBeginsItAnew(DatagramType heard) {
        for (int round = 1; round < 100; round++) {
            long nowNs = round * SILENCE_NS;
            for (int i = 1; i < GroupWatch.REPAIRS; i++) {
                assertThat(lostAfterRepair(nowNs)).isFalse();
            }
            watch.onFragment(nowNs, heard, ONCE);
        }
    }

    /** What goes down a tree by unicast says nothing about the group. */
    @Test
    void unicastAlgorithmsNeitherProveNorDisproveIt() {
        for (int i = 1; i < 100; i++) {
            watch.onFragment(i * SILENCE_NS, DatagramType.REPAIR, CHAIN);
        }
        assertThat(tree.probe.hasLost()).isFalse();
        boolean lost = false;
        for (int i = 1; i <= GroupWatch.REPAIRS; i++) {
            watch.onFragment(i * SILENCE_NS, DatagramType.DATA, CHAIN);
            lost = lostAfterRepair(i * SILENCE_NS);
        }
        assertThat(lost).isTrue();
    }

    /** A third lost, at 1,000 fragments each second: a bad network, but multicast works. */
    @Test
    void lossAloneIsNotTakenForDeath() {
        Seeds.forEach(
                20,
                seed -> {
                    fresh();
                    RandomStream random = RandomStream.of(seed, "loss");
                    for (int i = 0; i < 20_000; i++) {
                        boolean repair = random.chance(0.3);
                        DatagramType type = repair ? DatagramType.REPAIR : DatagramType.DATA;
                        watch.onFragment(i * 1_000_000L, type, ONCE);
                    }
                    assertThat(tree.probe.hasLost()).isFalse();
                });
    }

    @Test
    void theFallbackReplacesMulticastAlgorithmsOnlyAndOnlyWhenMulticastIsDead() {
        for (Algorithm wanted : Algorithm.values()) {
            assertThat(watch.algorithmFor(wanted.code())).isEqualTo(wanted.code());
            assertThat(watch.takes(wanted.code())).isEqualTo(wanted.usesMulticast());
        }
        tree.onWatermark(0, 0, GroupState.UNICAST, false);
        assertThat(watch.works()).isFalse();
        for (Algorithm wanted : Algorithm.values()) {
            boolean ended = wanted == Algorithm.ONCE; // ipmc goes on with its second stage
            assertThat(watch.algorithmFor(wanted.code())).isEqualTo(ended ? CHAIN : wanted.code());
            assertThat(watch.takes(wanted.code())).isFalse();
        }
    }
}
