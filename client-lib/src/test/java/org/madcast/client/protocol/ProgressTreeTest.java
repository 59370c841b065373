package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class ProgressTreeTest {

    private static final long MS = Engines.MS;
    private static final long DEATH_NS = Engines.config(0, 2).deathTimeoutNs();

    private static ProgressTree tree(int rank, int size) {
        return new ProgressTree(Engines.config(rank, size), 0);
    }

    private static List<ProgressTree> all(int size) {
        List<ProgressTree> trees = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            trees.add(tree(rank, size));
        }
        return trees;
    }

    /** Delivers every report that is due, leaves first, and then rank 0's announcement. */
    private static void exchange(List<ProgressTree> trees, long nowNs) {
        for (int rank = trees.size() - 1; rank > 0; rank--) {
            ProgressTree tree = trees.get(rank);
            if (tree.takeReport(nowNs)) {
                trees.get(tree.place.parent())
                        .onProgress(nowNs, rank, tree.reported(), tree.probe.subtreeHeard());
            }
        }
        ProgressTree top = trees.getFirst();
        if (top.takeReport(nowNs)) {
            for (ProgressTree tree : trees.subList(1, trees.size())) {
                tree.heardGroup(nowNs);
                tree.onWatermark(nowNs, top.watermark(), top.probe.state(), false);
            }
        }
    }

    @Test
    void everyRankButZeroIsTheChildOfItsParentOnly() {
        for (int size = 1; size <= 65; size++) {
            int[] parents = new int[size];
            Arrays.fill(parents, -1);
            for (int rank = 0; rank < size; rank++) {
                ProgressTree tree = tree(rank, size);
                for (int i = 0; i < tree.place.childCount(); i++) {
                    assertThat(parents[tree.place.child(i)]).as("second parent").isEqualTo(-1);
                    parents[tree.place.child(i)] = rank;
                }
            }
            for (int rank = 0; rank < size; rank++) {
                assertThat(parents[rank]).isEqualTo(tree(rank, size).place.parent());
            }
        }
    }

    /**
     * Credit and custody rest on it: never more than the slowest has consumed, and soon as much.
     */
    @Test
    void theWatermarkIsTheSlowestRanksPosition() {
        Seeds.forEach(
                50,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "progress");
                    int size = 2 + random.nextInt(40);
                    List<ProgressTree> trees = all(size);
                    long[] consumed = new long[size];
                    long nowNs = 0;
                    for (int round = 0; round < 60; round++) {
                        nowNs += random.nextInt(3_000_000);
                        int rank = random.nextInt(size);
                        consumed[rank] += random.nextInt(20);
                        trees.get(rank).consumed(nowNs, consumed[rank]);
                        exchange(trees, nowNs);
                        assertNobodyIsAhead(trees, consumed);
                    }
                    long slowest = Arrays.stream(consumed).min().orElseThrow();
                    for (int i = 0; i < 12; i++) {
                        nowNs += 10 * MS;
                        exchange(trees, nowNs);
                        assertNobodyIsAhead(trees, consumed);
                    }
                    for (ProgressTree tree : trees) {
                        assertThat(tree.watermark()).isEqualTo(slowest);
                    }
                });
    }

    private static void assertNobodyIsAhead(List<ProgressTree> trees, long[] consumed) {
        long slowest = Arrays.stream(consumed).min().orElseThrow();
        for (ProgressTree tree : trees) {
            assertThat(tree.watermark()).isBetween(0L, slowest);
        }
    }

    @Test
    void aQuarterOfTheWindowIsReportedAtOnceAndLessAfterAMoment() {
        ProgressTree tree = settled(5, 6);
        long nowNs = 100 * MS;
        tree.consumed(nowNs, Engines.WINDOW / 4 - 1);
        assertThat(tree.takeReport(nowNs)).isFalse();
        assertThat(tree.nextDeadlineNs()).isLessThanOrEqualTo(nowNs + ProgressTree.REPORT_DELAY_NS);
        tree.consumed(nowNs, Engines.WINDOW / 4);
        assertThat(tree.takeReport(nowNs)).isTrue();
        assertThat(tree.reported()).isEqualTo(Engines.WINDOW / 4);
        assertThat(tree.takeReport(nowNs)).isFalse();
    }

    @Test
    void aReportIsRepeatedUntilTheWatermarkCoversIt() {
        ProgressTree tree = settled(5, 6);
        tree.consumed(100 * MS, 20);
        assertThat(tree.takeReport(100 * MS)).isTrue();
        assertThat(tree.takeReport(111 * MS)).isTrue();
        tree.onWatermark(112 * MS, 20, GroupState.MULTICAST, false);
        assertThat(tree.takeReport(140 * MS)).isTrue();
        assertThat(tree.takeReport(DEATH_NS * 10)).as("all said").isFalse();
    }

    /** A leaf that has joined and has nothing to report. */
    private static ProgressTree settled(int rank, int size) {
        ProgressTree tree = tree(rank, size);
        tree.heardGroup(0);
        tree.onWatermark(0, 0, GroupState.MULTICAST, false);
        tree.takeReport(0);
        return tree;
    }

    @Test
    void nobodyBelievesAWatermarkBeyondItsOwnPosition() {
        ProgressTree tree = settled(5, 6);
        tree.consumed(0, 3);
        tree.onWatermark(0, 1_000, GroupState.MULTICAST, false);
        assertThat(tree.watermark()).isEqualTo(3);
    }

    @Test
    void multicastWorksWhenEveryRankHasHeardIt() {
        for (int size : new int[] {2, 5, 6, 22, 100}) {
            List<ProgressTree> trees = all(size);
            for (int i = 0; i < 8; i++) {
                exchange(trees, 10L * i * MS);
            }
            assertThat(trees)
                    .allSatisfy(
                            tree -> assertThat(tree.probe.state()).isEqualTo(GroupState.MULTICAST));
        }
    }

    @Test
    void oneDeafRankMakesItUnicastWhenTheTimeToProbeIsOver() {
        ProgressTree top = tree(0, 3);
        top.onProgress(MS, 1, 0, true);
        for (long nowNs = MS; nowNs < 100 * MS; nowNs += 10 * MS) {
            top.onProgress(nowNs, 2, 0, false);
            top.takeReport(nowNs);
            assertThat(top.probe.state()).isEqualTo(GroupState.PROBING);
        }
        top.takeReport(110 * MS);
        assertThat(top.probe.state()).isEqualTo(GroupState.UNICAST);
        assertThat(top.takeAnnounceDown()).isTrue();
        top.onProgress(120 * MS, 2, 0, true);
        assertThat(top.probe.state()).as("a verdict is final").isEqualTo(GroupState.UNICAST);
    }

    /** The news climbs, is repeated on its way, and the verdict comes down to all. */
    @Test
    void whenOneRankStopsHearingTheGroupAllGoOverToUnicast() {
        int size = 22;
        List<ProgressTree> trees = all(size);
        for (int i = 0; i < 8; i++) {
            exchange(trees, 10L * i * MS);
        }
        int at = 21;
        long nowNs = 100 * MS;
        while (at != 0) {
            ProgressTree tree = trees.get(at);
            tree.lostGroup(nowNs);
            assertThat(tree.probe.hasLost()).isTrue();
            assertThat(tree.takeReport(nowNs)).isTrue();
            assertThat(tree.nextDeadlineNs()).as("until heard").isLessThan(nowNs + 50 * MS);
            at = tree.place.parent();
        }
        ProgressTree top = trees.getFirst();
        top.lostGroup(nowNs);
        assertThat(top.probe.state()).isEqualTo(GroupState.UNICAST);
        assertThat(top.takeAnnounceDown()).isTrue();
        for (ProgressTree tree : trees.subList(1, size)) {
            tree.onWatermark(nowNs, 0, GroupState.UNICAST, false);
            assertThat(tree.probe.state()).isEqualTo(GroupState.UNICAST);
            assertThat(tree.probe.hasLost()).isFalse();
            assertThat(tree.takeAnnounceDown()).isTrue();
            tree.onWatermark(nowNs, 0, GroupState.MULTICAST, false);
            assertThat(tree.probe.state()).as("old news").isEqualTo(GroupState.UNICAST);
        }
    }

    @Test
    void aSilentNeighbourIsFoundDeadAfterTheTimeoutAndNotBefore() {
        for (int silent : new int[] {0, 5, 8}) {
            ProgressTree tree = tree(1, 22);
            long nowNs = 0;
            int dead = -1;
            while (dead < 0) {
                nowNs += 10 * MS;
                for (int neighbour : new int[] {0, 5, 6, 7, 8}) {
                    if (neighbour != silent) {
                        tree.life.onHeard(nowNs, neighbour);
                    }
                }
                dead = tree.life.findDead(nowNs);
                assertThat(nowNs).isLessThanOrEqualTo(DEATH_NS + 10 * MS);
            }
            assertThat(dead).isEqualTo(silent);
            assertThat(nowNs).isGreaterThan(DEATH_NS);
        }
    }

    /** Stopped for an hour: what was not heard meanwhile is nobody's silence. */
    @Test
    void whoWasStoppedItselfForgivesTheOthers() {
        ProgressTree tree = tree(0, 3);
        for (long nowNs = 0; nowNs < 500 * MS; nowNs += 10 * MS) {
            tree.life.onHeard(nowNs, 1);
            assertThat(tree.life.findDead(nowNs)).isEqualTo(-1);
        }
        long hourNs = 3_600_000 * MS;
        assertThat(tree.life.findDead(hourNs)).isEqualTo(-1);
        tree.life.onHeard(hourNs + MS, 1);
        int dead = -1;
        long nowNs = hourNs;
        while (dead < 0) {
            nowNs += 10 * MS;
            tree.life.onHeard(nowNs, 1);
            dead = tree.life.findDead(nowNs);
        }
        assertThat(dead).isEqualTo(2);
        assertThat(nowNs).isBetween(hourNs + DEATH_NS / 3, hourNs + DEATH_NS);
    }

    @Test
    void whoSaidGoodByeIsNotMissedAndHoldsNobodyBackThatLeavesToo() {
        ProgressTree top = tree(0, 3);
        top.consumed(0, 10);
        top.onProgress(0, 1, 10, true);
        top.onBye(0, 2, 0);
        assertThat(top.place.anyLeft()).isEqualTo(2);
        assertThat(top.place.allLeft()).isFalse();
        top.takeReport(0);
        assertThat(top.watermark()).as("a barrier it has not entered does not end").isZero();
        top.leave(0);
        top.takeReport(0);
        assertThat(top.watermark()).isEqualTo(10);
        top.onBye(0, 1, 0);
        assertThat(top.place.allLeft()).isTrue();
        assertThat(top.life.findDead(10 * DEATH_NS)).isEqualTo(-1);
    }

    @Test
    void strangersInTheTreeAreIgnored() {
        ProgressTree tree = tree(1, 22);
        tree.consumed(0, 100);
        for (int stranger : new int[] {2, 3, 4, 9, 21}) {
            tree.onProgress(0, stranger, 90, true);
            tree.onBye(0, stranger, 0);
        }
        assertThat(tree.place.anyLeft()).isEqualTo(-1);
        tree.takeReport(0);
        assertThat(tree.reported()).as("its children have consumed nothing").isZero();
    }
}
