package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateControlTest {

    /** 100 Mbit/s. */
    private static final double LINK = 0.0125;

    private static final double MOST = (1 - RateControl.ROOM) * LINK;
    private static final int DATAGRAM_BYTES = 1538;
    private static final long FULL_BYTES = 120_000;

    private RateControl control = new RateControl(1024, RateLimits.NONE);
    private double rate = LINK;
    private long nowNs;

    /** Fills the queue up as often as it takes for one step, the link at its rate. */
    private void streamAStep() {
        long perTurn = (long) (2_000_000 * rate) / DATAGRAM_BYTES;
        for (long sent = 0; sent < RateControl.STEP_DATAGRAMS; sent += perTurn) {
            for (int i = 0; i < perTurn; i++) {
                control.onSent(DATAGRAM_BYTES);
            }
            nowNs += (long) (perTurn * DATAGRAM_BYTES / rate);
            control.onQueue(nowNs, FULL_BYTES);
        }
    }

    private void step(double loss) {
        streamAStep();
        control.onWorstLoss(loss, true);
    }

    @BeforeEach
    void aStreamThatFillsTheLink() {
        streamAStep();
    }

    @Test
    void withoutLossNothingIsHeldBack() {
        for (int i = 0; i < 1000; i++) {
            step(0);
            assertThat(control.bytesPerNs()).isZero();
        }
    }

    @Test
    void withLittleLossALittleRoomIsLeft() {
        step(0.01);
        assertThat(control.bytesPerNs()).isCloseTo(MOST, within(LINK / 1000));
        step(RateControl.LARGE);
        assertThat(control.bytesPerNs()).isCloseTo(MOST, within(LINK / 1000));
    }

    /** Twenty datagrams in a row, which were one in some queue, are a third of an epoch. */
    @Test
    void aBurstOfLossIsNoSlowPort() {
        step(0.01);
        step(0.3);
        step(0.01);
        assertThat(control.bytesPerNs()).isCloseTo(MOST, within(LINK / 1000));
        step(0.3);
        step(0.3);
        assertThat(control.bytesPerNs()).isCloseTo(0.7 * MOST, within(LINK / 100));
    }

    @Test
    void whoShallNotFollowTheSlowestLeavesNoMoreThanThatRoom() {
        control = new RateControl(1024, new RateLimits(0, false, 0));
        streamAStep();
        for (int i = 0; i < RateControl.FIRST_HELD; i++) {
            step(0.88);
            assertThat(control.bytesPerNs()).isCloseTo(MOST, within(LINK / 1000));
        }
    }

    @Test
    void whenNothingIsLostAnyMoreNothingIsHeldBackEither() {
        step(0.01);
        for (int i = 0; i < 3; i++) {
            step(0);
            assertThat(control.bytesPerNs()).isPositive();
        }
        step(0);
        assertThat(control.bytesPerNs()).isZero();
    }

    private List<Integer> looks() {
        streamAStep();
        step(0.01);
        List<Integer> looks = new ArrayList<>();
        for (int i = 1; i <= 4 * RateControl.STEPS_HELD; i++) {
            step(0.01);
            if (control.bytesPerNs() == 0) {
                looks.add(i);
            }
        }
        return looks;
    }

    /** Each look costs the repairs after it time. */
    @Test
    void aLinkThatStaysTheSameIsSeldomLookedAt() {
        int first = RateControl.FIRST_HELD;
        int often = RateControl.STEPS_HELD + 1;
        assertThat(looks())
                .containsExactly(first, first + often, first + 2 * often, first + 3 * often);
    }

    @Test
    void whoCatchesUpLooksLessAndLessOften() {
        control = new RateControl(1024, new RateLimits(0, true, 1));
        List<Integer> looks = looks();
        int first = RateControl.FIRST_HELD;
        assertThat(looks).startsWith(first, first + 2 * first + 1, first + 6 * first + 2);
        assertThat(looks.getLast() - looks.get(looks.size() - 2))
                .isEqualTo(RateControl.STEPS_HELD + 1);
    }

    /** A machine that was busy for a moment shows a link slower than it is. */
    @Test
    void aLinkThatWasSeenTooSlowIsSoonSeenAsItIs() {
        rate = 0.8 * LINK;
        aStreamThatFillsTheLink();
        step(0.01);
        assertThat(control.bytesPerNs()).isLessThan(0.81 * LINK);
        rate = LINK;
        for (int i = 0; i < 6 * RateControl.FIRST_HELD; i++) {
            step(0.01);
        }
        assertThat(control.bytesPerNs()).isGreaterThan(0.9 * LINK);
    }

    /** A receiver behind a tenth of the rate: what does not fit is lost. */
    @Test
    void aReceiverBehindASlowPortIsFollowed() {
        double port = LINK / 10;
        double sum = 0;
        for (int i = 0; i < 500; i++) {
            double rate = control.bytesPerNs() == 0 ? LINK : control.bytesPerNs();
            step(Math.max(0, 1 - port / rate));
            sum += i < 100 ? 0 : rate;
        }
        assertThat(sum / 400).isBetween(0.8 * port, 1.25 * port);
        assertThat(control.bytesPerNs()).isBetween(0.5 * port, 1.4 * port);
    }

    /** What is not the rate's doing is not cured by it: the rate does not fall step by step. */
    @Test
    void aLossThatDoesNotDependOnTheRateCostsOneStep() {
        step(0.3);
        assertThat(control.bytesPerNs()).isCloseTo(0.7 * LINK, within(LINK / 100));
        for (int i = 0; i < 100; i++) {
            step(0.3);
            assertThat(control.bytesPerNs()).isCloseTo(LINK, within(LINK / 100));
        }
        step(0.01);
        assertThat(control.bytesPerNs()).isCloseTo(MOST, within(LINK / 100));
    }

    @Test
    void aStepNeedsAsManyDatagramsAsShowSomething() {
        control.onWorstLoss(0.01, true);
        double first = control.bytesPerNs();
        assertThat(first).isPositive();
        control.onWorstLoss(0.9, true);
        assertThat(control.bytesPerNs()).isEqualTo(first);
    }

    @Test
    void withoutMulticastNothingIsHeldBack() {
        step(0.9);
        assertThat(control.bytesPerNs()).isLessThan(0.2 * LINK);
        control.onWorstLoss(1, false);
        assertThat(control.bytesPerNs()).isZero();
    }
}
