package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Rank 1 of 7, with parent 0 and children 5 and 6. */
class FailureSpreadTest {

    private static final Failure FAILURE =
            new Failure(Failure.Kind.SIZE_MISMATCH, 4, 9, (1L << 40) + 1, 7);

    private final ControlQueue control = Engines.controlQueue(1);
    private final FailureSpread spread = on(control);

    private static FailureSpread on(ControlQueue control) {
        return new FailureSpread(new ProgressTree(Engines.config(1, 7), 0), control);
    }

    private List<Sent> everythingSent(FailureSpread from, ControlQueue queue) {
        List<Sent> all = new ArrayList<>();
        while (from.nextDueNs() != ProtocolEngine.NO_DEADLINE) {
            from.onTimeout(from.nextDueNs());
            all.addAll(Engines.poll(queue));
        }
        return all;
    }

    @Test
    void whoNoticesTellsTheGroupAndItsNeighboursAFewTimes() {
        spread.notice(0, FAILURE);
        assertThat(spread.isSpread()).isFalse();
        List<Sent> sent = everythingSent(spread, control);
        assertThat(spread.isSpread()).isTrue();
        for (int destination : new int[] {TransmitSlot.GROUP, 0, 5, 6}) {
            assertThat(sent.stream().filter(one -> one.destination() == destination))
                    .hasSizeBetween(2, 8);
        }
    }

    @Test
    void whoWantsToLeaveNeedNotWaitForTheLastTime() {
        spread.notice(0, FAILURE);
        while (!spread.isSpread()) {
            spread.onTimeout(spread.nextDueNs());
        }
        assertThat(Engines.poll(control)).hasSizeGreaterThanOrEqualTo(3 * 4);
        assertThat(spread.nextDueNs()).isBetween(200_000_000L, 500_000_000L);
    }

    @ParameterizedTest
    @EnumSource(Failure.Kind.class)
    void whoHearsKnowsTheSameAndTellsItsNeighboursOnly(Failure.Kind kind) {
        Failure noticed = new Failure(kind, 4, 9, -3, Long.MAX_VALUE);
        spread.notice(0, noticed);
        Sent told = everythingSent(spread, control).getFirst();
        assertThat(FailureSpread.isWellFormed(told.datagram())).isTrue();
        ControlQueue otherControl = Engines.controlQueue(1);
        FailureSpread other = on(otherControl);
        other.hear(0, told.datagram(), 7);
        assertThat(other.failure()).isEqualTo(noticed);
        assertThat(everythingSent(other, otherControl))
                .extracting(Sent::destination)
                .doesNotContain(TransmitSlot.GROUP)
                .contains(0, 5, 6);
    }

    @Test
    void theFirstFailureStays() {
        spread.notice(0, FAILURE);
        spread.notice(1, new Failure(Failure.Kind.RANK_DIED, 2, 0, 0, 0));
        assertThat(spread.failure()).isEqualTo(FAILURE);
    }

    @Test
    void withoutAFailureNothingIsSaid() {
        spread.onTimeout(1_000_000_000);
        assertThat(control.isEmpty()).isTrue();
        assertThat(spread.nextDueNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    @Test
    void whoAsksIsToldButNotMoreOftenThanThat() {
        spread.answer(0, 3);
        assertThat(control.isEmpty()).isTrue();
        spread.notice(0, FAILURE);
        List<Sent> first = everythingSent(spread, control);
        for (long nowNs = 1_000_000_000; nowNs < 2_000_000_000; nowNs += 100_000) {
            spread.answer(nowNs, 2 + (int) (nowNs / 100_000 % 5));
        }
        List<Sent> answers = Engines.poll(control);
        assertThat(answers).hasSize(50);
        assertThat(answers.getFirst().bytes()).isEqualTo(first.getFirst().bytes());
    }

    @Test
    void signsOfLifeAreAnsweredToNeighboursThatHaveNotToldOfItThemselves() {
        spread.notice(0, FAILURE);
        Sent told = everythingSent(spread, control).getFirst();
        DatagramLayout.restamp(told.datagram(), DatagramType.FAILURE, 5);
        spread.hear(1_000_000_000, told.datagram(), 7);
        long nowNs = 2_000_000_000;
        for (int rank : new int[] {2, 5, 6, 0}) {
            spread.answerNeighbour(nowNs, rank);
            nowNs += 1_000_000_000;
        }
        assertThat(Engines.poll(control)).extracting(Sent::destination).containsExactly(6, 0);
    }
}
