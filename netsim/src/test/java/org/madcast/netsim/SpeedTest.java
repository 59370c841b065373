package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bounds so wide that only a gross mistake breaks them; the numbers are printed. */
@Tag("performance")
class SpeedTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private static Simulation lan(int nodes, int datagrams) {
        Simulation simulation = new Simulation(FaultPlan.of(Faults.loss(0.01)), 1);
        HostModel host = HostModel.ethernet(1_000_000_000, 5_000);
        simulation.addNode(new Station().sendMany(Destination.GROUP, 1472, datagrams), host);
        for (int i = 1; i < nodes; i++) {
            simulation.addNode(new Counter(), host);
        }
        return simulation;
    }

    private static final class Counter extends TestNode {
        private long deadlineNs = Long.MAX_VALUE;

        @Override
        public void onDatagram(long nowNs, MemorySegment datagram) {
            deadlineNs = nowNs + 20_000;
        }

        @Override
        public void onTimeout(long nowNs) {
            deadlineNs = Long.MAX_VALUE;
        }

        @Override
        public long nextDeadlineNs() {
            return deadlineNs;
        }
    }

    private static void run(int nodes, int datagrams) {
        Simulation simulation = lan(nodes, datagrams);
        long startNs = System.nanoTime();
        assertThat(simulation.run(Long.MAX_VALUE)).isEqualTo(RunResult.IDLE);
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        System.out.println(
                nodes
                        + " nodes: "
                        + simulation.eventCount()
                        + " events in "
                        + took.toMillis()
                        + " ms");
        assertThat(simulation.counters(nodes - 1).receivedDatagrams())
                .isGreaterThan(datagrams * 9L / 10);
        assertThat(took).isLessThan(BOUND);
    }

    @Test
    void aMillionEventsOfSixteenNodes() {
        run(16, 40_000);
    }

    @Test
    void fourThousandNodes() {
        run(4_096, 200);
    }
}
