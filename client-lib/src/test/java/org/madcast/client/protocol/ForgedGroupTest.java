package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.FaultPlan;

/** Ranks that a forged datagram led astray agree again, and the broadcasts go on. */
class ForgedGroupTest {

    private static final int SIZE = 22;
    private static final long FORGED_NS = 300_000_000;
    private static final int UNICAST = 2;

    /** The job goes on for three death timeouts after the forgery. */
    private static SimulatedJob job(int victim, MemorySegment forged) {
        List<Step> script = Collections.nCopies(3_300, new Step(0, 3_000, Algorithm.ONCE));
        Shape shape = Shape.fastEthernet().joined().thinking(rank -> 1_000_000);
        SimulatedJob job = new SimulatedJob(SIZE, script, FaultPlan.NONE, 1, shape).keepingGroup();
        job.addForeigner(new Attacker().at(FORGED_NS, victim, forged));
        return job.run(60_000_000_000L).assertAllComplete();
    }

    private static int parent(int rank) {
        return (rank - 1) / TreePlace.ARITY;
    }

    /** An inner rank, whose children follow it, and a leaf. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 21})
    void aForgedStateIsTakenBack(int victim) {
        MemorySegment forged =
                Forged.of(DatagramType.WATERMARK, parent(victim)).fragment(UNICAST).seal();
        SimulatedJob job = job(victim, forged);
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(job.engine(rank).groupState()).isEqualTo(GroupState.MULTICAST);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 21})
    void aForgedMoveIsFollowedByOneOfAllRanks(int victim) {
        Forged regroup = Forged.of(DatagramType.REGROUP, parent(victim), 24, 0);
        MemorySegment forged = regroup.seal();
        DatagramLayout.putPayloadInt(forged, 0, 100);
        GroupAddress.of(new byte[] {(byte) 239, 9, 9, 9}, 9_999, 0).write(forged, 1);
        new Checksum().seal(forged);
        SimulatedJob job = job(victim, forged);
        int port = job.groupPort(0);
        assertThat(port).isPositive();
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(job.groupPort(rank)).isEqualTo(port);
            assertThat(job.engine(rank).groupState()).isEqualTo(GroupState.MULTICAST);
        }
    }

    /** Rank 0 decides by itself. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void rankZeroTakesNoStateFromAnother(int sender) {
        MemorySegment forged = Forged.of(DatagramType.WATERMARK, sender).fragment(UNICAST).seal();
        assertThat(job(0, forged).engine(0).groupState()).isEqualTo(GroupState.MULTICAST);
    }
}
