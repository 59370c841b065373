package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;
import org.madcast.netsim.FaultPlan;

/** One forged datagram announces fragments that were never sent: no call waits for them. */
class ForgedAnnouncementTest {

    private static final int SIZE = 6;
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long FORGED_NS = 33_333_333;
    private static final long LONG_NS = 20_000_000_000L;

    /** A quarter beyond the death timeout, and a tenth for the news to travel. */
    private static final long LATEST_NS =
            FORGED_NS + SimulatedJob.DEATH_TIMEOUT_NS * 5 / 4 + SimulatedJob.DEATH_TIMEOUT_NS / 10;

    /** Calls twice, or waits for a while in between on the first rank. */
    private static SimulatedJob run(Step step, long rootThinksNs, Forged forged, int... to) {
        List<Step> script = Collections.nCopies(2, step);
        Shape shape =
                Shape.fastEthernet()
                        .joined()
                        .thinking(rank -> rank == 0 ? rootThinksNs : 1_000_000);
        SimulatedJob job = new SimulatedJob(SIZE, script, FaultPlan.NONE, 1, shape);
        Attacker attacker = new Attacker();
        for (int destination : to) {
            attacker.at(FORGED_NS, destination, forged.seal());
        }
        job.addForeigner(attacker);
        return job.run(LIMIT_NS);
    }

    private static void assertEndsInTime(SimulatedJob job) {
        for (int rank = 0; rank < SIZE; rank++) {
            Failure failure = Objects.requireNonNull(job.engine(rank).failure(), job::describe);
            assertThat(failure.kind()).isEqualTo(Failure.Kind.FRAGMENT_MISSING);
            assertThat(job.finishedNs(rank)).isLessThan(LATEST_NS);
        }
    }

    /** Of the rank that repairs come from, so that it counts whatever the algorithm is. */
    private static Forged have(int sender) {
        return Forged.of(DatagramType.HAVE, sender).sequence(200);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void callsThatWaitForALateRootEndInTime(Algorithm algorithm) {
        assertEndsInTime(run(new Step(0, 1_000, algorithm), LONG_NS, have(0), 1, 2, 3, 4, 5));
    }

    @Test
    void soDoesABarrier() {
        assertEndsInTime(run(Step.BARRIER, LONG_NS, have(1), 3));
    }

    /** What the root sends next fills what was announced. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void aRootThatCallsInTimeSavesThemAll(Algorithm algorithm) {
        Step step = new Step(0, 200_000, algorithm);
        run(step, SimulatedJob.DEATH_TIMEOUT_NS / 2, have(0), 1, 2, 3, 4, 5).assertAllComplete();
    }

    /** Only the root can send what comes next, so it does not wait for it. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void aRootDoesNotWaitForWhatItIsToSendItself(Algorithm algorithm) {
        long laterNs = 10 * FORGED_NS;
        for (int from : new int[] {1, 5}) {
            SimulatedJob job = run(new Step(0, 200_000, algorithm), laterNs, have(from), 0);
            job.assertAllComplete();
        }
    }

    @Test
    void theFailureNamesWhoMissesWhatAndWhoAnnouncedIt() {
        SimulatedJob job = run(new Step(0, 1_000, Algorithm.ONCE), LONG_NS, have(2), 4);
        Failure failure = Objects.requireNonNull(job.engine(1).failure(), job::describe);
        assertThat(failure.describe()).contains("rank 4 asked in vain", "rank 2 announced");
        assertThat(job.engine(4).counters().rejected()).containsEntry(Rejection.NEVER_SENT, 1L);
    }

    /** A root that gets what only it can send is not kept from sending it. */
    @Test
    void aFragmentOfTheReceiversOwnIsRefused() {
        BroadcastEngine root = Engines.of(2, 6);
        root.onDatagram(0, Arrival.of(Forged.fragment(2, 0, 0, 0, 64).senderOf(1).seal()));
        assertThat(root.counters().rejected()).containsEntry(Rejection.BAD_FIELD, 1L);
        root.call(0, MemorySegment.ofArray(new byte[64]), 2, 0);
        assertThat(Engines.poll(root, 0)).isNotEmpty();
        assertThat(root.callPending()).isFalse();
    }
}
