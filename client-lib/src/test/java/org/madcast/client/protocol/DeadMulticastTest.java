package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;

/** Networks on which multicast does not work, or not everywhere. */
class DeadMulticastTest {

    private static final int MIB = 1 << 20;
    private static final long LIMIT_NS = 60_000_000_000L;

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

    /**
     * Some messages are repaired by unicast while the ranks make sure; then the chain serves, in
     * the same call and in all later ones.
     */
    @ParameterizedTest
    @CsvSource({"2, 10", "4, 10", "16, 10", "2, 2000000", "16, 2000000", "4, 30000000"})
    void dyingInTheMiddleAllGoOnByTheChain(int ranks, long afterNs) {
        List<Step> script = Collections.nCopies(60, new Step(0, 50_000, Algorithm.ONCE));
        long diesNs = QuietJob.CALL_NS + afterNs;
        SimulatedJob job =
                new SimulatedJob(
                                ranks,
                                script,
                                FaultPlan.of(tap.fault(), Faults.multicastBlocked(diesNs)),
                                1,
                                Shape.fastEthernet().joined().thinking(rank -> 10_000_000))
                        .run(LIMIT_NS)
                        .assertAllComplete();
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(job.engine(rank).groupState()).isEqualTo(GroupState.UNICAST);
        }
        assertThat(tap.unicast(DatagramType.DATA)).isGreaterThan(500L * (ranks - 1));
        long withoutTroubleNs = 60 * 15_000_000L;
        assertThat(job.lastCompletionNs()).isLessThan(diesNs + withoutTroubleNs + 500_000_000);
    }

    /**
     * Short messages go by another algorithm than the chain then, of which the root knows first:
     * the others wait in the call that they have named by multicast.
     */
    @ParameterizedTest
    @CsvSource({"2, 16", "4, 16", "16, 16", "4, 5000", "16, 16384"})
    void dyingWhileTheOthersWaitForAShortMessageIsNoMismatch(int ranks, int bytes) {
        List<Step> script = Collections.nCopies(120, new Step(0, bytes, Algorithm.ONCE));
        SimulatedJob job =
                new SimulatedJob(
                                ranks,
                                script,
                                FaultPlan.of(Faults.multicastBlocked(QuietJob.CALL_NS + 10)),
                                1,
                                Shape.fastEthernet()
                                        .joined()
                                        .thinking(rank -> rank == 0 ? 20_000_000 : 0))
                        .run(LIMIT_NS)
                        .assertAllComplete();
        assertThat(job.engine(ranks - 1).groupState()).isEqualTo(GroupState.UNICAST);
    }

    @ParameterizedTest
    @CsvSource({"2, 10", "4, 2000000", "16, 10", "16, 30000000"})
    void soIsAMessageThatWasUnderWay(int ranks, long afterNs) {
        SimulatedJob job =
                QuietJob.run(
                        ranks,
                        4 * MIB,
                        tap.fault(),
                        Faults.multicastBlocked(QuietJob.CALL_NS + afterNs));
        assertThat(job.engine(ranks - 1).groupState()).isEqualTo(GroupState.UNICAST);
        assertThat(QuietJob.tookNs(job)).isLessThan(4 * 91_000_000L + 500_000_000);
    }
}
