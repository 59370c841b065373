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
        RateLimits limits = new RateLimits(bitsPerSecond, true);
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
