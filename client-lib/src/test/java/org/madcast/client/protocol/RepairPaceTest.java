package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepairPaceTest {

    private static final long MS = 1_000_000;

    private static final int MANY = 100;

    private final RepairPace pace = new RepairPace();

    @Test
    void theWindowGrowsWithEveryRepairAndIsHalvedOnceForEachLoss() {
        assertThat(pace.window()).isEqualTo(RepairPace.FIRST_WINDOW);
        for (int i = 0; i < 16; i++) {
            pace.onRepair(MS, 1);
        }
        assertThat(pace.window()).isEqualTo(RepairPace.FIRST_WINDOW + 16);
        pace.onUnanswered(100 * MS);
        pace.onUnanswered(100 * MS);
        assertThat(pace.window()).isEqualTo((RepairPace.FIRST_WINDOW + 16) / 2);
        // From here on it grows by one for each window that was answered.
        for (int i = 0; i < 41; i++) {
            pace.onRepair(MS, 1);
        }
        assertThat(pace.window()).isEqualTo((RepairPace.FIRST_WINDOW + 16) / 2 + 1);
    }

    @Test
    void itStaysWithinItsBounds() {
        for (int i = 0; i < 100; i++) {
            pace.onUnanswered(i * 1_000L * MS);
        }
        assertThat(pace.window()).isEqualTo(RepairPace.SMALLEST_WINDOW);
        for (int i = 0; i < 1_000_000; i++) {
            pace.onRepair(MS, 1);
        }
        assertThat(pace.window()).isEqualTo(RepairPace.LARGEST_WINDOW);
    }

    /** 0.5 ms and four times its quarter; each attempt waits twice as long, up to 20 ms. */
    @Test
    void theFirstWaitsAreAGuess() {
        assertThat(pace.patienceNs(0, MANY)).isEqualTo(MS);
        assertThat(pace.patienceNs(1, MANY)).isEqualTo(2 * MS);
        assertThat(pace.patienceNs(3, MANY)).isEqualTo(8 * MS);
        assertThat(pace.patienceNs(100, MANY)).isEqualTo(8 * MS);
    }

    /** A port with a long queue: what takes 100 ms is not asked for again after 20. */
    @Test
    void longRoundsAreWaitedFor() {
        for (int i = 0; i < 100; i++) {
            pace.onRepair(100 * MS, 1);
        }
        assertThat(pace.patienceNs(0, MANY)).isBetween(100 * MS, 130 * MS);
        assertThat(pace.patienceNs(3, MANY)).isBetween(100 * MS, 250 * MS);
    }

    /** A round that grew suddenly is never measured when all are asked for again before its end. */
    @Test
    void requestsInVainLengthenTheWaitOfFirstRequestsToo() {
        pace.onUnanswered(10 * MS);
        assertThat(pace.patienceNs(0, MANY)).isEqualTo(2 * MS);
        pace.onUnanswered(20 * MS);
        pace.onUnanswered(30 * MS);
        pace.onUnanswered(40 * MS);
        assertThat(pace.patienceNs(0, MANY)).isEqualTo(8 * MS);
        pace.onRepair(4 * MS, 2);
        assertThat(pace.patienceNs(0, MANY))
                .as("nobody knows which was answered")
                .isEqualTo(8 * MS);
        pace.onRepair(MS / 2, 1);
        assertThat(pace.patienceNs(0, MANY)).isLessThan(2 * MS);
    }

    @Test
    void whenFewAreMissingTheSecondAttemptComesSooner() {
        assertThat(pace.patienceNs(0, 1)).isEqualTo(MS * 3 / 4);
        for (int i = 0; i < 100; i++) {
            pace.onRepair(i % 2 == 0 ? MS : 3 * MS, 1);
        }
        assertThat(pace.patienceNs(0, 1)).isBetween(3 * MS, 5 * MS);
        assertThat(pace.patienceNs(0, MANY)).isBetween(5 * MS, 7 * MS);
    }
}
