package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaseKeeperTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long DURATION = 600 * SECOND;

    @ParameterizedTest
    @ValueSource(longs = {0, -5 * SECOND, Long.MAX_VALUE - SECOND, Long.MIN_VALUE})
    void renewsAtAThirdWhereverTheClockStands(long start) {
        LeaseKeeper keeper = new LeaseKeeper(start, DURATION, 0);
        assertThat(keeper.isDue(start + 199 * SECOND)).isFalse();
        assertThat(keeper.waitNs(start + 199 * SECOND)).isEqualTo(SECOND);
        assertThat(keeper.isDue(start + 200 * SECOND)).isTrue();
        keeper.onRenewed(start + 201 * SECOND, DURATION);
        assertThat(keeper.isDue(start + 400 * SECOND)).isFalse();
        assertThat(keeper.isDue(start + 401 * SECOND)).isTrue();
        assertThat(keeper.state(start + 800 * SECOND)).isEqualTo(LeaseKeeper.State.HELD);
        assertThat(keeper.state(start + 801 * SECOND)).isEqualTo(LeaseKeeper.State.LOST);
    }

    @Test
    void ranksAreSpreadOverAQuarter() {
        LeaseKeeper last = new LeaseKeeper(0, DURATION, 1);
        assertThat(last.waitNs(0)).isEqualTo(150 * SECOND);
    }

    @Test
    void failuresBackOffUpToAThird() {
        LeaseKeeper keeper = new LeaseKeeper(0, DURATION, 0);
        long now = 200 * SECOND;
        for (long pause : new long[] {1, 2, 4, 8, 16, 32, 64, 128}) {
            keeper.onFailed(now);
            assertThat(keeper.state(now)).isEqualTo(LeaseKeeper.State.AT_RISK);
            assertThat(keeper.waitNs(now)).isEqualTo(pause * SECOND);
            now += pause * SECOND;
            assertThat(keeper.isDue(now)).isTrue();
        }
        keeper.onFailed(now);
        assertThat(keeper.waitNs(now)).isEqualTo(DURATION - now);
        keeper.onRenewed(now, DURATION);
        assertThat(keeper.state(now)).isEqualTo(LeaseKeeper.State.HELD);
        keeper.onFailed(now);
        assertThat(keeper.waitNs(now)).isEqualTo(SECOND);
    }

    @Test
    void whatIsLostStaysLost() {
        LeaseKeeper expired = new LeaseKeeper(0, DURATION, 0);
        assertThat(expired.state(DURATION)).isEqualTo(LeaseKeeper.State.LOST);
        expired.onRenewed(DURATION, DURATION);
        expired.onFailed(DURATION);
        assertThat(expired.state(DURATION)).isEqualTo(LeaseKeeper.State.LOST);
        assertThat(expired.isDue(DURATION)).isFalse();
        assertThat(expired.waitNs(DURATION)).isEqualTo(Long.MAX_VALUE);

        LeaseKeeper refused = new LeaseKeeper(0, DURATION, 0);
        refused.onRefused();
        assertThat(refused.state(1)).isEqualTo(LeaseKeeper.State.LOST);
    }

    @Test
    void aShorterGrantIsRenewedSooner() {
        LeaseKeeper keeper = new LeaseKeeper(0, DURATION, 0);
        keeper.onRenewed(0, 6 * SECOND);
        assertThat(keeper.waitNs(0)).isEqualTo(2 * SECOND);
        keeper.onFailed(2 * SECOND);
        keeper.onFailed(3 * SECOND);
        keeper.onFailed(4 * SECOND);
        assertThat(keeper.waitNs(4 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void refusesNonsense() {
        assertThatThrownBy(() -> new LeaseKeeper(0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LeaseKeeper(0, 1, 1.5))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
