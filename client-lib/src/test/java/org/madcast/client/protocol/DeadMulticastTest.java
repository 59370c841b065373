package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.Faults;

/** Networks on which multicast does not work, or not everywhere. */
class DeadMulticastTest {

    private static final int MIB = 1 << 20;

    private final Tap tap = new Tap();

    private SimulatedJob runs(int ranks, int bytes, Fault fault) {
        SimulatedJob job = QuietJob.run(ranks, bytes, tap.fault(), fault);
        assertThat(tap.multicast(DatagramType.DATA)).isZero();
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(job.engine(rank).groupState()).isEqualTo(GroupState.UNICAST);
        }
        return job;
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1048576", "3, 16", "16, 0", "16, 16", "16, 50000", "16, 1048576"})
    void blockedFromTheStartEverybodyKnowsAndTheChainServes(int ranks, int bytes) {
        SimulatedJob job = runs(ranks, bytes, Faults.multicastBlocked(0));
        long wireNs = (long) (bytes * 8 * 10 * 1.08);
        long hopNs = 300_000;
        assertThat(QuietJob.tookNs(job)).isLessThan(wireNs + ranks * hopNs + 1_000_000);
    }

    /** A switch that forgets one port is enough: a broadcast is for all. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 15})
    void oneRankThatDoesNotHearTheGroupIsEnough(int deaf) {
        runs(16, MIB, Faults.loss(1).onNode(deaf).onlyMulticast());
    }

    /** Nobody hears rank 0 either, although it hears everybody. */
    @Test
    void soIsARankZeroWhoseMulticastDoesNotLeave() {
        runs(16, 50_000, Faults.loss(1).onUplink().onNode(0).onlyMulticast());
    }
}
