package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class LossTrackerTest {

    /** Half a millisecond and twice its quarter, until something was measured: few are missing. */
    private static final long FIRST_PATIENCE_NS = 750_000;

    private static final long GRACE_NS = LossTracker.REORDER_GRACE_NS;
    private static final long NEVER = ProtocolEngine.NO_DEADLINE;

    private final RangeList due = new RangeList(16);
    private FragmentRing ring = Fragments.ring();
    private LossTracker loss = new LossTracker(ring);

    @BeforeEach
    void fresh() {
        ring = Fragments.ring();
        loss = new LossTracker(ring);
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

    /** Of two parts, the even fragments come at once and the odd ones late, but in order. */
    @Test
    void whatComesOnAnotherWayIsNotLateYet() {
        for (long sequence = 0; sequence < 8; sequence += 2) {
            Fragments.put(ring, sequence);
            loss.onArrival(0, sequence, 2, sequence);
        }
        assertThat(loss.nextDueNs()).isEqualTo(LossTracker.OTHER_WAY_GRACE_NS);
        Fragments.put(ring, 5L);
        loss.onArrival(1_000, 5, 2, 5);
        loss.checkInvariants();
        assertThat(dueAt(1_000 + GRACE_NS)).containsExactly(1L, 3L);
    }

    @Test
    void whatComesBeforeTheMessageIsNotOfItsParts() {
        Fragments.put(ring, 4L);
        loss.onArrival(0, 4, 2, 2);
        assertThat(dueAt(GRACE_NS)).containsExactly(2L);
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
        loss.onKnownSent(0, 4, 1);
        loss.checkInvariants();
        assertThat(dueAt(GRACE_NS)).containsExactly(1L, 2L, 3L);
        loss.onKnownSent(0, 1_000_000, 1);
        loss.checkInvariants();
        assertThat(loss.highest()).isEqualTo(1 + Fragments.CAPACITY);
        loss.onKnownSent(0, 2, 1);
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
