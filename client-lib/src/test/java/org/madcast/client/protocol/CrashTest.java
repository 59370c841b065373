package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;

/** A rank dies: the calls of all others end with its name, soon after the death timeout. */
class CrashTest {

    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long CRASH_NS = 33_333_333;

    /** A tenth on top of the timeout for the news to travel. */
    private static final long LATEST_NS = CRASH_NS + SimulatedJob.DEATH_TIMEOUT_NS * 11 / 10;

    private static SimulatedJob run(int size, int victim, Algorithm algorithm, Shape shape) {
        List<Step> script = Collections.nCopies(500, new Step(0, 100_000, algorithm));
        FaultPlan plan = FaultPlan.NONE.crash(victim, CRASH_NS);
        return new SimulatedJob(size, script, plan, 1, shape).run(LIMIT_NS);
    }

    private static void assertAllName(int victim, SimulatedJob job) {
        for (int rank = 0; rank < job.size(); rank++) {
            if (rank != victim) {
                assertThat(job.lostRank(rank)).as(job.describe()).isEqualTo(victim);
                assertThat(job.finishedNs(rank)).as(job.describe()).isBetween(CRASH_NS, LATEST_NS);
            }
        }
    }

    /** The root and top of the tree, an inner rank, a rank in the middle, the last one. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whoeverDiesInTheMiddleOfWhateverIsNamedByAllInTime(Algorithm algorithm) {
        assertWhoeverDiesIsNamed(algorithm, 2);
        assertWhoeverDiesIsNamed(algorithm, 8);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whoeverDiesAmongThirtyThreeIsNamedByAllInTime(Algorithm algorithm) {
        assertWhoeverDiesIsNamed(algorithm, 33);
    }

    private static void assertWhoeverDiesIsNamed(Algorithm algorithm, int size) {
        for (int victim : new int[] {0, 1, size / 2, size - 1}) {
            assertAllName(victim, run(size, victim, algorithm, Shape.fastEthernet()));
        }
    }

    @Test
    void amongManyRanksTheNewsTakesNoLonger() {
        for (int victim : new int[] {0, 200}) {
            assertAllName(victim, run(342, victim, Algorithm.ONCE, Shape.fastEthernet()));
        }
    }

    /** Nobody is in a call when it happens; the calls that come later end at once. */
    @Test
    void aDeathBetweenCallsEndsTheNextOne() {
        long thinkNs = 3 * SimulatedJob.DEATH_TIMEOUT_NS;
        SimulatedJob job =
                run(8, 5, Algorithm.ONCE, Shape.fastEthernet().thinking(rank -> thinkNs));
        assertAllName(5, job);
        for (int rank = 0; rank < 8; rank++) {
            assertThat(job.done(rank)).isZero();
        }
    }

    /** A host whose cable is pulled is as dead to the others, and they to it. */
    @Test
    void aPulledCableIsADeathOnBothSides() {
        int cut = 5;
        FaultPlan plan = FaultPlan.of(Faults.partition(CRASH_NS, Long.MAX_VALUE, cut));
        List<Step> script = Collections.nCopies(500, new Step(0, 100_000, Algorithm.ONCE));
        SimulatedJob job = new SimulatedJob(9, script, plan, 1, Shape.fastEthernet()).run(LIMIT_NS);
        for (int rank = 0; rank < 9; rank++) {
            Failure failure = job.engine(rank).failure();
            assertThat(failure).isNotNull();
            assertThat(job.finishedNs(rank)).isLessThan(LATEST_NS);
            if (rank != cut) {
                assertThat(job.lostRank(rank)).isEqualTo(cut);
            }
        }
    }

    /** Shorter than the death timeout, a partition is only a pause. */
    @Test
    void aPartitionThatHealsInTimeKillsNobody() {
        long untilNs = CRASH_NS + SimulatedJob.DEATH_TIMEOUT_NS / 2;
        FaultPlan plan = FaultPlan.of(Faults.partition(CRASH_NS, untilNs, 0, 1, 2));
        List<Step> script = Collections.nCopies(50, new Step(0, 100_000, Algorithm.ONCE));
        new SimulatedJob(9, script, plan, 1, Shape.fastEthernet())
                .run(LIMIT_NS)
                .assertAllComplete();
    }

    /** A leaf, an inner rank, and the top: each hears nobody while the others tell of a death. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whoMissedItIsToldLater(Algorithm algorithm) {
        for (int away : new int[] {0, 2, 8}) {
            assertToldLater(away, new Step(0, 100_000, algorithm), Shape.fastEthernet());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 8})
    void whoMissedItInABarrierIsToldLater(int away) {
        assertToldLater(away, Step.BARRIER, Shape.fastEthernet());
    }

    @Test
    void soIsOneThatIsNotInACall() {
        Shape idle =
                Shape.fastEthernet()
                        .thinking(rank -> rank == 8 ? 3 * SimulatedJob.DEATH_TIMEOUT_NS : 0);
        assertToldLater(8, new Step(0, 100_000, Algorithm.ONCE), idle);
    }

    @Test
    void andWhereMulticastDoesNotWork() {
        for (int away : new int[] {0, 2, 8}) {
            assertToldLater(
                    away,
                    new Step(0, 100_000, Algorithm.ONCE),
                    Shape.fastEthernet().joined(),
                    Faults.multicastBlocked(0));
        }
    }

    private static void assertToldLater(int away, Step step, Shape shape, Fault... more) {
        int victim = 5;
        long diesNs = CRASH_NS + 200_000_000;
        long fromNs = diesNs + SimulatedJob.DEATH_TIMEOUT_NS * 8 / 10;
        long untilNs = fromNs + SimulatedJob.DEATH_TIMEOUT_NS * 8 / 10;
        Fault[] faults = Arrays.copyOf(more, more.length + 1);
        faults[more.length] = Faults.partition(fromNs, untilNs, away);
        FaultPlan plan = FaultPlan.of(faults).crash(victim, diesNs);
        SimulatedJob job = new SimulatedJob(13, Collections.nCopies(2000, step), plan, 1, shape);
        job.run(LIMIT_NS);
        for (int rank = 0; rank < job.size(); rank++) {
            if (rank != victim) {
                assertThat(job.lostRank(rank)).as(job.describe()).isEqualTo(victim);
                assertThat(job.finishedNs(rank))
                        .as(job.describe())
                        .isLessThan(untilNs + SimulatedJob.DEATH_TIMEOUT_NS / 10);
            }
        }
    }
}
