package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.Disseminations;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class LossTrackerTest {

    /** Half a millisecond and twice its quarter, until something was measured: few are missing. */
    private static final long FIRST_PATIENCE_NS = 750_000;

    private static final long GRACE_NS = LossTracker.REORDER_GRACE_NS;
    private static final long SECOND_STAGE_NS = 1_000 * Engines.MS;
    private static final long NEVER = ProtocolEngine.NO_DEADLINE;

    /** Of 6 ranks with root 0: the even fragments come from rank 3, the odd ones from rank 2. */
    private static final int SELF = 4;

    private static final int OF_EVEN = 3;
    private static final int OF_ODD = 2;
    private static final int SPLIT = Algorithm.SPLIT_BINARY.code();

    private final RangeList due = new RangeList(16);
    private final StreamPaths paths = new StreamPaths(Disseminations.byCode(), SELF, 6);
    private FragmentRing ring = Fragments.ring();
    private LossTracker loss = new LossTracker(ring, paths, SECOND_STAGE_NS);

    @BeforeEach
    void fresh() {
        ring = Fragments.ring();
        loss = new LossTracker(ring, paths, SECOND_STAGE_NS);
    }

    private void arrives(long nowNs, long... sequences) {
        for (long sequence : sequences) {
            Fragments.put(ring, sequence);
            loss.onArrival(nowNs, sequence);
            loss.checkInvariants();
        }
    }

    private List<Long> dueAt(long nowNs) {
        due.clear();
        loss.collectDue(nowNs, due);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < due.size(); i++) {
            for (int j = 0; j < due.count(i); j++) {
                all.add(due.first(i) + j);
            }
        }
        return all;
    }

    /** A fragment of a message that is dealt into two parts. */
    private void arrivesOfTwo(long nowNs, long start, long... sequences) {
        for (long sequence : sequences) {
            Fragments.put(ring, sequence);
            loss.onArrival(nowNs, sequence, 2, sequence - start);
            loss.checkInvariants();
        }
    }

    @Test
    void whatComesByAnotherPathIsNotDueHoweverLateItIs() {
        paths.note(0, 12, 0, SPLIT);
        arrivesOfTwo(0, 0, 0, 2, 4, 6);
        assertThat(loss.nextDueNs()).isEqualTo(NEVER);
        assertThat(loss.isMissing(3)).isTrue();
    }

    @Test
    void aLaterFragmentOfTheSamePartShowsALoss() {
        paths.note(0, 12, 0, SPLIT);
        arrivesOfTwo(0, 0, 0, 2, 4, 6);
        arrivesOfTwo(1_000, 0, 5);
        assertThat(dueAt(1_000 + GRACE_NS)).containsExactly(1L, 3L);
        assertThat(loss.from(1)).isEqualTo(OF_ODD);
        assertThat(loss.nextDueNs()).as("7 is still on its way").isGreaterThan(1_000 + GRACE_NS);
    }

    @Test
    void whatTheRankOnThePathHasHandedOnIsLost() {
        paths.note(0, 12, 0, SPLIT);
        arrivesOfTwo(0, 0, 0, 2, 4, 7);
        loss.onKnownSent(1_000, OF_EVEN, 4, false);
        assertThat(loss.nextDueNs()).as("1 and 3 come from the other").isEqualTo(GRACE_NS);
        loss.onKnownSent(2_000, OF_EVEN, 9, false);
        loss.checkInvariants();
        assertThat(dueAt(2_000 + GRACE_NS)).containsExactly(1L, 3L, 5L, 6L, 8L);
        assertThat(loss.from(8)).isEqualTo(OF_EVEN);
    }

    /** Another root's message may overtake; the same root's by the same single path may not. */
    @Test
    void theTailOfTheMessageBeforeComesByItsOwnPath() {
        int binary = Algorithm.BINARY.code();
        paths.note(0, 3, 0, binary);
        arrives(0, 0);
        paths.note(3, 3, 5, binary);
        arrives(1_000, 3);
        assertThat(loss.nextDueNs()).isEqualTo(NEVER);
        loss.onKnownSent(2_000, 1, 3, true);
        assertThat(dueAt(2_000 + GRACE_NS)).containsExactly(1L, 2L);
    }

    @Test
    void alongOnePathTheNextMessageShowsTheLossOfATail() {
        int chain = Algorithm.CHAIN.code();
        paths.note(0, 3, 0, chain);
        arrives(0, 0);
        paths.note(3, 3, 0, chain);
        arrives(1_000, 3);
        assertThat(dueAt(1_000 + GRACE_NS)).containsExactly(1L, 2L);
    }

    /** Of the same part: the other part may still be on its way. */
    @Test
    void thePartsOfTheSameRootsNextMessageShowTheLossOfATailToo() {
        paths.note(0, 5, 0, SPLIT);
        arrivesOfTwo(0, 0, 0);
        paths.note(5, 4, 0, SPLIT);
        arrivesOfTwo(1_000, 5, 6);
        assertThat(dueAt(1_000 + GRACE_NS)).containsExactly(1L, 3L);
        arrivesOfTwo(2_000, 5, 5);
        assertThat(dueAt(2_000 + GRACE_NS)).containsExactly(2L, 4L);
    }

    @Test
    void thePartsOfAnotherRootsNextMessageDoNot() {
        paths.note(0, 5, 0, SPLIT);
        arrivesOfTwo(0, 0, 0);
        paths.note(5, 4, 1, SPLIT);
        arrivesOfTwo(1_000, 5, 6);
        assertThat(loss.nextDueNs()).isEqualTo(NEVER);
    }

    /** Before a message of another path, and without any sign, one waits long enough for it. */
    @Test
    void ofAMessageThatWasNeverSeenNothingIsDueSoon() {
        paths.note(9, 3, 0, SPLIT);
        arrivesOfTwo(0, 9, 9);
        assertThat(loss.nextDueNs()).isBetween(5_000_000L, 20_000_000L);
        assertThat(dueAt(20_000_000)).hasSize(9);
    }

    @Test
    void inOrderNothingIsMissing() {
        arrives(0, 0, 1, 2, 3);
        assertThat(loss.contiguous()).isEqualTo(4);
        assertThat(loss.highest()).isEqualTo(4);
        assertThat(loss.anyMissing()).isFalse();
        assertThat(loss.nextDueNs()).isEqualTo(NEVER);
    }

    @Test
    void aGapHasAMomentToCloseByItself() {
        arrives(1_000, 0, 2);
        assertThat(loss.isMissing(1)).isTrue();
        assertThat(loss.nextDueNs()).isEqualTo(1_000 + GRACE_NS);
        assertThat(dueAt(1_000 + GRACE_NS - 1)).isEmpty();
        arrives(2_000, 1);
        assertThat(loss.nextDueNs()).isEqualTo(NEVER);
        assertThat(dueAt(NEVER - 1)).isEmpty();
        assertThat(loss.lost()).isZero();
    }

    @Test
    void threeLaterFragmentsProveThatItIsNoReordering() {
        arrives(1_000, 0, 2, 3);
        assertThat(loss.nextDueNs()).isEqualTo(1_000 + GRACE_NS);
        arrives(1_100, 4);
        assertThat(loss.nextDueNs()).isEqualTo(1_100);
        assertThat(dueAt(1_100)).containsExactly(1L);
        assertThat(loss.lost()).isEqualTo(1);
    }

    @Test
    void whatWasAskedForIsAskedAgainLaterAndLater() {
        arrives(0, 0, 2);
        long nowNs = GRACE_NS;
        long pauseNs = 0;
        for (int attempt = 0; attempt < 12; attempt++) {
            assertThat(loss.nextDueNs()).isEqualTo(nowNs);
            due.clear();
            assertThat(loss.collectDue(nowNs, due)).isEqualTo(attempt);
            long nextPauseNs = loss.nextDueNs() - nowNs;
            assertThat(nextPauseNs).isBetween(pauseNs, 20_000_000L);
            assertThat(nextPauseNs).isEqualTo(FIRST_PATIENCE_NS << Math.min(attempt, 3));
            pauseNs = nextPauseNs;
            nowNs += pauseNs;
        }
        assertThat(loss.lost()).as("counted once").isEqualTo(1);
    }

    @Test
    void repairTimesCountFromTheNoticeAndSetThePauseBeforeTheNextAttempt() {
        for (long sequence = 1; sequence < 60; sequence += 2) {
            long nowNs = sequence * 10_000_000;
            arrives(nowNs, sequence);
            dueAt(nowNs + GRACE_NS);
            arrives(nowNs + 400_000, sequence - 1);
        }
        assertThat(loss.repairTimes().count()).isEqualTo(30);
        assertThat(loss.repairTimes().percentileNs(99)).isBetween(400_000L, 430_000L);
        arrives(1_000_000_000, 61);
        dueAt(1_000_000_000 + GRACE_NS);
        assertThat(loss.nextDueNs() - 1_000_000_000 - GRACE_NS).isLessThan(1_500_000);
    }

    @Test
    void somebodysWordShowsALostTailButNoMoreThanTheRingHolds() {
        arrives(0, 0);
        loss.onKnownSent(0, 0, 4, true);
        loss.checkInvariants();
        assertThat(dueAt(GRACE_NS)).containsExactly(1L, 2L, 3L);
        loss.onKnownSent(0, 0, 1_000_000, true);
        loss.checkInvariants();
        assertThat(loss.highest()).isEqualTo(1 + Fragments.CAPACITY);
        loss.onKnownSent(0, 0, 2, true);
        assertThat(loss.highest()).isEqualTo(1 + Fragments.CAPACITY);
    }

    @Test
    void whatFitsNoRequestComesWithTheNext() {
        for (long sequence = 1; sequence < Fragments.CAPACITY; sequence += 2) {
            arrives(0, sequence);
        }
        RangeList small = new RangeList(4);
        loss.collectDue(GRACE_NS, small);
        assertThat(small.size()).isEqualTo(4);
        assertThat(loss.nextDueNs()).isEqualTo(GRACE_NS + LossTracker.SPACING_NS);
        small.clear();
        loss.collectDue(GRACE_NS + LossTracker.SPACING_NS, small);
        assertThat(small.first(0)).isEqualTo(8);
    }

    /** Any order, any gaps: in the end nothing is missing, and nothing present is asked for. */
    @Test
    void everyOrderEndsWithEverythingContiguous() {
        Seeds.forEach(
                300,
                seed -> {
                    fresh();
                    RandomStream random = RandomStream.of(seed, "arrivals");
                    List<Long> waiting = new ArrayList<>();
                    long nowNs = 0;
                    long next = 0;
                    while (next < 200 || !waiting.isEmpty()) {
                        nowNs += random.nextInt(100_000);
                        boolean room = next < loss.contiguous() + Fragments.CAPACITY;
                        if (next < 200 && room && random.chance(0.8)) {
                            waiting.add(next++);
                        }
                        if (!waiting.isEmpty() && random.chance(0.7)) {
                            int nearest = Math.min(waiting.size(), 5);
                            arrives(nowNs, waiting.remove(random.nextInt(nearest)));
                        }
                        for (long sequence : dueAt(nowNs)) {
                            assertThat(loss.isMissing(sequence)).isTrue();
                            assertThat(waiting).contains(sequence);
                        }
                        loss.checkInvariants();
                    }
                    assertThat(loss.contiguous()).isEqualTo(200);
                    assertThat(loss.anyMissing()).isFalse();
                });
    }
}
