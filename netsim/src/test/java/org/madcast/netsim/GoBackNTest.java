package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A whole protocol under every fault at once: the simulator's own proof that it can be used. */
class GoBackNTest {

    private static final int TOTAL = 300;
    private static final long LIMIT_NS = 60_000_000_000L;

    @Test
    void survivesEverySeed() {
        FaultPlan plan =
                FaultPlan.of(
                                Faults.loss(0.05),
                                Faults.burstLoss(0.02, 6),
                                Faults.uplinkLoss(0.01),
                                Faults.reordering(0.05, 300_000),
                                Faults.duplication(0.05, 300_000),
                                Faults.corruption(0.02),
                                Faults.partition(20_000_000, 40_000_000, 0))
                        .pause(1, 50_000_000, 60_000_000);
        Seeds.forEach(100, seed -> transfer(plan, seed));
    }

    private static void transfer(FaultPlan plan, long seed) {
        Simulation simulation = new Simulation(plan, seed);
        HostModel host = HostModel.ethernet(100_000_000, 10_000);
        GoBackN sender = new GoBackN(1, TOTAL);
        GoBackN receiver = new GoBackN(0, 0);
        simulation.addNode(sender, host);
        simulation.addNode(receiver, host);
        simulation.afterStep(_ -> assertThat(sender.acknowledged).isBetween(0, receiver.expected));

        RunResult result = simulation.runUntil(() -> sender.acknowledged == TOTAL, LIMIT_NS);

        assertThat(result).isEqualTo(RunResult.DONE);
        assertThat(receiver.expected).isEqualTo(TOTAL);
        assertThat(sender.garbled + receiver.garbled).isPositive();
    }
}
