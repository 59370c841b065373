package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class PacerTest {

    private static final long RATE = 100_000_000;
    private static final long BURST_NS = 1_000_000;
    private static final int OVERHEAD_BYTES = 66;

    private static Pacer pacer(long bitsPerSecond) {
        RateLimits limits = new RateLimits(bitsPerSecond, true, 0);
        return new Pacer(limits, new RateControl(256, limits));
    }

    private static long wireNs(int datagramBytes) {
        return 8_000_000_000L * (datagramBytes + OVERHEAD_BYTES) / RATE;
    }

    @Test
    void withoutARateNothingIsHeldBack() {
        Pacer pacer = pacer(0);
        for (int i = 0; i < 10_000; i++) {
            assertThat(pacer.allows(0)).isTrue();
            pacer.onSent(0, 1472);
        }
        assertThat(pacer.heldUntilNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    @Test
    void aBurstMayLeaveAtOnceAndTheRestAtTheRate() {
        Pacer pacer = pacer(RATE);
        int sent = 0;
        while (pacer.allows(0)) {
            pacer.onSent(0, 1472);
            sent++;
        }
        assertThat(sent).isEqualTo((int) (BURST_NS / wireNs(1472)) + 1);
        long heldUntilNs = pacer.heldUntilNs();
        assertThat(heldUntilNs).isEqualTo(sent * wireNs(1472) - BURST_NS);
        assertThat(pacer.allows(heldUntilNs - 1)).isFalse();
        assertThat(pacer.allows(heldUntilNs)).isTrue();
        assertThat(pacer.heldUntilNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    @Test
    void whatWasNotUsedIsNotSaved() {
        Pacer pacer = pacer(RATE);
        long nowNs = 3_600_000_000_000L;
        int sent = 0;
        while (pacer.allows(nowNs)) {
            pacer.onSent(nowNs, 1472);
            sent++;
        }
        assertThat(sent).isEqualTo((int) (BURST_NS / wireNs(1472)) + 1);
    }

    /** From any moment to any later one: the rate times the time, a burst and one datagram. */
    @Test
    void overAnyTimeTheRateIsKeptAndUsed() {
        Seeds.forEach(
                20,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "pace");
                    Pacer pacer = pacer(RATE);
                    long nowNs = 0;
                    long sentNs = 0;
                    while (nowNs < 200_000_000) {
                        if (pacer.allows(nowNs)) {
                            int bytes = 1 + random.nextInt(1472);
                            pacer.onSent(nowNs, bytes);
                            sentNs += wireNs(bytes);
                        } else {
                            nowNs = pacer.heldUntilNs() + random.nextInt(200_000);
                        }
                    }
                    assertThat(sentNs).isLessThan(nowNs + BURST_NS + wireNs(1472));
                    assertThat(sentNs).isGreaterThan(200_000_000L * 99 / 100);
                });
    }

    private static Pacer pacerThatLeavesRoom(long catchUpNs, long bitsPerSecond) {
        RateLimits limits = new RateLimits(bitsPerSecond, true, catchUpNs);
        RateControl control = new RateControl(256, limits);
        for (long nowNs = 0; !control.leavesRoom(); nowNs += 20 * wireNs(1472)) {
            for (int i = 0; i < 20; i++) {
                control.onSent(1472 + OVERHEAD_BYTES);
            }
            control.onQueue(nowNs, 120_000);
            control.onWorstLoss(0.01, true);
        }
        assertThat(control.bytesPerNs()).isBetween(0.0120, 0.0125);
        return new Pacer(limits, control);
    }

    private static int sentAtOnce(Pacer pacer, long nowNs) {
        int sent = 0;
        while (pacer.allows(nowNs)) {
            pacer.onSent(nowNs, 1472);
            sent++;
        }
        return sent;
    }

    @Test
    void whoLeavesRoomForRepairsMakesUpForALimitedTime() {
        long catchUpNs = 50_000_000;
        Pacer pacer = pacerThatLeavesRoom(catchUpNs, 0);
        long nowNs = 1_000_000_000;
        assertThat(sentAtOnce(pacer, nowNs) * wireNs(1472))
                .isBetween(catchUpNs * 95 / 100, catchUpNs + 2 * BURST_NS);
        nowNs += 10_000_000;
        assertThat(sentAtOnce(pacer, nowNs) * wireNs(1472)).isBetween(9_500_000L, 10_500_000L);
        assertThat(sentAtOnce(pacerThatLeavesRoom(0, 0), nowNs) * wireNs(1472))
                .isLessThan(2 * BURST_NS);
    }

    @Test
    void aRateThatTheUserChoseIsNeverMadeUpFor() {
        Pacer pacer = pacerThatLeavesRoom(50_000_000, RATE / 2);
        assertThat(sentAtOnce(pacer, 1_000_000_000) * 2L * wireNs(1472)).isLessThan(2 * BURST_NS);
    }

    /** Such as when a call fails whose fragments were held back: else the driver never sleeps. */
    @Test
    void whenNothingWaitsNoMomentIsWaitedFor() {
        Pacer pacer = pacer(RATE);
        while (pacer.allows(0)) {
            pacer.onSent(0, 1472);
        }
        pacer.rest();
        assertThat(pacer.heldUntilNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }
}
