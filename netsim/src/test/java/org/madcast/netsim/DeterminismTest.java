package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeterminismTest {

    private static final FaultPlan EVERYTHING =
            FaultPlan.of(
                            Faults.loss(0.05),
                            Faults.burstLoss(0.02, 5),
                            Faults.uplinkLoss(0.01),
                            Faults.reordering(0.1, 50_000),
                            Faults.duplication(0.05, 10_000),
                            Faults.corruption(0.05))
                    .pause(2, 1_000_000, 5_000_000)
                    .crash(3, 10_000_000);

    private static Simulation run(FaultPlan plan, long seed, int logEvents) {
        Lan lan = new Lan(5, HostModel.ethernet(1_000_000_000, 2_000), plan, seed);
        lan.simulation.keepLog(logEvents);
        lan.station(0).sendMany(Destination.GROUP, 1472, 1_000);
        lan.station(1).sendMany(4, 200, 1_000);
        lan.run();
        return lan.simulation;
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        Simulation one = run(EVERYTHING, 42, 0);
        Simulation other = run(EVERYTHING, 42, 0);
        assertThat(other.traceHash()).isEqualTo(one.traceHash());
        assertThat(other.eventCount()).isEqualTo(one.eventCount());
    }

    @Test
    void anotherSeedGivesAnotherRun() {
        assertThat(run(EVERYTHING, 43, 0).traceHash())
                .isNotEqualTo(run(EVERYTHING, 42, 0).traceHash());
    }

    @Test
    void anotherFaultDoesNotShiftTheDrawsOfTheFirst() {
        long alone = run(FaultPlan.of(Faults.loss(0.1)), 7, 0).counters(4).dropped(DropCause.LOSS);
        FaultPlan more =
                FaultPlan.of(
                        Faults.duplication(0.5, 0),
                        Faults.corruption(0.5),
                        Faults.loss(0.1),
                        Faults.loss(0));
        assertThat(run(more, 7, 0).counters(4).dropped(DropCause.LOSS)).isEqualTo(alone);
    }

    @Test
    void theLogHoldsTheLastEventsInWords() {
        Simulation simulation = run(EVERYTHING, 42, 10);
        assertThat(simulation.log()).hasSize(10);
        Simulation small = new Simulation(FaultPlan.of(Faults.loss(1)), 1);
        small.keepLog(100);
        small.addNode(new Station().send(Destination.GROUP, 10, 1), HostModel.IDEAL);
        small.addNode(new Station(), HostModel.IDEAL);
        small.run(Long.MAX_VALUE);
        assertThat(small.log()).hasSize(2);
        assertThat(small.log().getFirst()).contains("0 -> group  10 bytes").endsWith("sent");
        assertThat(small.log().getLast()).contains("0 -> 1  10 bytes").endsWith("dropped: LOSS");
    }
}
