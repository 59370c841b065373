package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalRateTest {

    /** A full frame at 100 Mbit/s. */
    private static final long GAP_NS = 123_040;

    private static final long FAR = 1_000_000;
    private static final long LONGEST_NS = 500_000;

    private final ArrivalRate rate = new ArrivalRate(256, LONGEST_NS);
    private long nowNs;

    private void arrive(int fragments, long gapNs, long stillToCome) {
        for (int i = 0; i < fragments; i++) {
            nowNs += gapNs;
            rate.onFragment(nowNs, stillToCome);
        }
    }

    @Test
    void beforeARateIsKnownNothingMayGather() {
        arrive(3, GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isZero();
    }

    @Test
    void inTheMiddleOfAStreamAFewFragmentsMayGatherButALossMustShowSoon() {
        arrive(100, GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isBetween(2 * GAP_NS, LONGEST_NS);
    }

    @Test
    void whoToleratesALateRepairMayGatherMore() {
        ArrivalRate patient = new ArrivalRate(2048, 8 * LONGEST_NS);
        for (int i = 0; i < 100; i++) {
            nowNs += GAP_NS;
            patient.onFragment(nowNs, FAR);
        }
        assertThat(patient.takeCoalesceNs()).isEqualTo(8 * LONGEST_NS);
        for (long left = 200; left >= 0; left--) {
            nowNs += GAP_NS;
            patient.onFragment(nowNs, left);
            assertThat(patient.takeCoalesceNs()).isLessThanOrEqualTo(left * GAP_NS / 2);
        }
    }

    @Test
    void onASlowLinkAsManyGatherAsOnAFasterOne() {
        arrive(100, 10 * GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isBetween(30 * GAP_NS, 40 * GAP_NS);
        ArrivalRate never = new ArrivalRate(256, 0);
        for (int i = 0; i < 100; i++) {
            nowNs += 10 * GAP_NS;
            never.onFragment(nowNs, FAR);
        }
        assertThat(never.takeCoalesceNs()).isZero();
    }

    @Test
    void itIsGrantedOnceForWhatCame() {
        arrive(100, GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isPositive();
        assertThat(rate.takeCoalesceNs()).isZero();
        arrive(1, GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isPositive();
    }

    /** Never so long that the last fragment would wait. */
    @Test
    void towardsTheEndOfAMessageTheCoalescingDelayEndsFirst() {
        arrive(100, GAP_NS, FAR);
        for (long left = 40; left >= 0; left--) {
            arrive(1, GAP_NS, left);
            assertThat(rate.takeCoalesceNs()).isLessThanOrEqualTo(left * GAP_NS / 2);
        }
        assertThat(rate.takeCoalesceNs()).isZero();
    }

    @Test
    void ofASmallWindowOnlyASixteenthGathers() {
        ArrivalRate small = new ArrivalRate(32, LONGEST_NS);
        for (int i = 0; i < 100; i++) {
            nowNs += GAP_NS;
            small.onFragment(nowNs, FAR);
        }
        assertThat(small.takeCoalesceNs()).isLessThanOrEqualTo(2 * GAP_NS);
    }

    @Test
    void aPauseBetweenMessagesIsNotTakenForASlowStream() {
        arrive(100, GAP_NS, FAR);
        long beforeNs = rate.takeCoalesceNs();
        nowNs += 1_000_000_000;
        arrive(1, GAP_NS, FAR);
        assertThat(rate.takeCoalesceNs()).isEqualTo(beforeNs);
    }

    @Test
    void aStreamTooFastToNapOnIsTakenAsItComes() {
        arrive(100_000, 500, FAR);
        assertThat(rate.takeCoalesceNs()).isZero();
    }
}
