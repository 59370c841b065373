package org.madcast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Groups that jobs draw without a service. */
class DrawnGroupsTest {

    @Test
    void theSameSeedDrawsTheSameGroups() {
        long[] first = new DrawnGroups(3).of(1_000);
        assertThat(new DrawnGroups(3).of(1_000)).isEqualTo(first);
        assertThat(new DrawnGroups(4).of(1_000)).isNotEqualTo(first);
        assertThat(first).isSorted();
    }

    @Test
    void everyPairOfEqualOnesCounts() {
        long[] drawn = {0x10001, 0x10001, 0x10001, 0x10002, 0x20002, 0x20003};
        assertThat(DrawnGroups.samePairs(drawn)).isEqualTo(3);
        assertThat(DrawnGroups.sameAddresses(drawn)).isEqualTo(6 + 1);
        assertThat(DrawnGroups.samePairs(new long[0])).isZero();
    }

    /** n (n - 1) / 2 pairs, each of which is equal with one chance of all addresses. */
    @Test
    void theyCollideAsOftenAsDrawsThatAreEven() {
        int jobs = 200_000;
        double expected = jobs * (jobs - 1.0) / 2 / DrawnGroups.ADDRESSES;
        long pairs = DrawnGroups.sameAddresses(new DrawnGroups(1).of(jobs));
        double fourDeviations = 4 * Math.sqrt(expected);
        assertThat((double) pairs).isBetween(expected - fourDeviations, expected + fourDeviations);
    }
}
