package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.HostModel;

/** Ranks that come late, compute slowly, hang on a slow link, or stop for a while. */
class UnpunctualRanksTest {

    private static final int SIZE = 8;
    private static final int MIB = 1 << 20;
    private static final long LATE_NS = 300_000_000;
    private static final long LIMIT_NS = 60_000_000_000L;

    private static SimulatedJob oneLate(Step step, int late) {
        Shape shape =
                Shape.fastEthernet()
                        .thinking(rank -> QuietJob.CALL_NS + (rank == late ? LATE_NS : 0));
        return new SimulatedJob(SIZE, List.of(step), FaultPlan.NONE, 1, shape)
                .run(LIMIT_NS)
                .assertAllComplete();
    }

    /** Its engine has listened all the time. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void aLateRankFindsItsMessageWaitingAndNobodyElseWaits(Algorithm algorithm) {
        for (int late = 1; late < SIZE; late += 3) {
            SimulatedJob job = oneLate(new Step(0, 100_000, algorithm), late);
            long calledNs = QuietJob.CALL_NS + LATE_NS;
            assertThat(job.completedNs(late) - calledNs).isZero();
            for (int rank = 0; rank < SIZE; rank++) {
                assertThat(job.engine(rank).counters().repairsSent()).isZero();
                if (rank != late) {
                    assertThat(job.completedNs(rank)).isLessThan(calledNs - LATE_NS / 2);
                }
            }
        }
    }

    /** What does not fit the window waits at the root, and then comes at the wire's speed. */
    @Test
    void aMessageBeyondTheWindowWaitsForTheLateRank() {
        SimulatedJob job = oneLate(new Step(0, MIB, Algorithm.ONCE), 5);
        long fromItsCallNs = job.lastCompletionNs() - QuietJob.CALL_NS - LATE_NS;
        assertThat(fromItsCallNs).isLessThan(75_000_000);
        assertThat(job.engine(5).counters().repairsReceived()).isZero();
    }

    @Test
    void aLateRootKeepsTheOthersWaitingOnlyAsLongAsItIsLate() {
        SimulatedJob job = oneLate(new Step(2, 100_000, Algorithm.ONCE), 2);
        assertThat(job.lastCompletionNs()).isLessThan(QuietJob.CALL_NS + LATE_NS + 10_000_000);
    }

    @Test
    void everyReceiverKnowsWhenItCalledAgainstTheData() {
        SimulatedJob lateReceiver = oneLate(new Step(0, 100_000, Algorithm.ONCE), 5);
        long aLittleNs = 20_000_000;
        for (int rank = 1; rank < SIZE; rank++) {
            long afterDataNs = lateReceiver.engine(rank).lastAfterDataNs();
            if (rank == 5) {
                assertThat(afterDataNs).isBetween(LATE_NS - aLittleNs, LATE_NS);
            } else {
                assertThat(afterDataNs).isBetween(-aLittleNs, 0L);
            }
        }
        SimulatedJob lateRoot = oneLate(new Step(2, 100_000, Algorithm.ONCE), 2);
        assertThat(lateRoot.engine(5).lastAfterDataNs()).isBetween(-LATE_NS - aLittleNs, -LATE_NS);
    }

    /** Credit holds the root back before a receiver's buffer of one window overflows. */
    @ParameterizedTest
    @CsvSource({"50000, 91000000", "200000, 146200000", "500000, 365500000"})
    void aSlowRankIsNeverSentMoreThanItsBufferHolds(long processingNs, long idealNs) {
        int window = 128;
        HostModel slow = SimulatedJob.FAST_ETHERNET.withReceiver(window * 1472L, processingNs);
        Shape shape = QuietJob.shape().withWindow(window).with(SIZE - 1, slow);
        SimulatedJob job = QuietJob.run(SIZE, MIB, shape, 1);
        assertThat(job.simulation().counters(SIZE - 1).droppedTotal()).isZero();
        assertThat(QuietJob.tookNs(job)).isLessThan(idealNs * 115 / 100);
    }

    /** The switch queues a window for it; nothing is lost, nothing asked for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void aLinkOfATenthOfTheRateSetsThePace(int rank) {
        Shape shape = QuietJob.shape().with(rank, HostModel.ethernet(10_000_000, 20_000));
        SimulatedJob job = QuietJob.run(SIZE, MIB, shape, 1);
        long wireNs = MIB * 8L * 100 * 108 / 100;
        assertThat(QuietJob.tookNs(job)).isLessThan(wireNs * 103 / 100);
        assertThat(job.engine(0).counters().repairsSent()).isZero();
    }

    /** Stopped for less than the death timeout, in the middle of a message. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 7})
    void aStoppedRankIsWaitedFor(int stopped) {
        long fromNs = QuietJob.CALL_NS + 30_000_000;
        long untilNs = fromNs + SimulatedJob.DEATH_TIMEOUT_NS * 7 / 10;
        SimulatedJob job =
                new SimulatedJob(
                                SIZE,
                                List.of(new Step(0, MIB, Algorithm.ONCE)),
                                FaultPlan.NONE.pause(stopped, fromNs, untilNs),
                                1,
                                QuietJob.shape())
                        .run(LIMIT_NS)
                        .assertAllComplete();
        assertThat(job.lastCompletionNs()).isLessThan(untilNs + 100_000_000);
    }
}
