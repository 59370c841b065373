package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts that share processors. */
class ProcessorsTest {

    private static final long WAKE_NS = 30_000;
    private static final long GAP_NS = 5_000;

    private static final HostModel HOST =
            new HostModel(LinkModel.IDEAL, LinkModel.IDEAL, 0, HostCosts.bothWays(GAP_NS, 0));

    private static Lan sharing(int hosts, int processors) {
        Lan lan = new Lan(hosts, HOST, FaultPlan.NONE, 1);
        lan.simulation.shareProcessors(processors, WAKE_NS);
        return lan;
    }

    /** All ask once at the start, when the node is asked what it wants to send. */
    private static void settle(Lan lan) {
        assertThat(lan.simulation.run(1_000_000)).isEqualTo(RunResult.IDLE);
    }

    @Test
    void aHostThatSleptWakesUpBeforeItReads() {
        Lan lan = sharing(2, 2);
        settle(lan);
        long startNs = lan.simulation.nowNs();
        lan.sendAt(startNs, 0, 1, 7);
        lan.run();
        long sentNs = startNs + WAKE_NS + GAP_NS;
        assertThat(lan.station(1).arrivalTimes()).containsExactly(sentNs + WAKE_NS);
    }

    @Test
    void aHostThatIsAwakeReadsWhatHasComeOneAfterTheOther() {
        Lan lan = sharing(2, 2);
        settle(lan);
        lan.station(0).sendMany(1, 100, 3);
        lan.simulation.touch(0);
        long firstNs = lan.simulation.nowNs() + WAKE_NS + GAP_NS + WAKE_NS;
        lan.run();
        assertThat(lan.station(1).arrivalTimes())
                .containsExactly(firstNs, firstNs + GAP_NS, firstNs + 2 * GAP_NS);
    }

    @Test
    void onOneProcessorAReceiverWaitsUntilTheSenderHasSentAll() {
        Lan lan = sharing(2, 1);
        settle(lan);
        lan.station(0).sendMany(1, 100, 10);
        lan.simulation.touch(0);
        long startNs = lan.simulation.nowNs();
        lan.run();
        assertThat(lan.station(1).arrivalTimes().getFirst())
                .isEqualTo(startNs + WAKE_NS + 10 * GAP_NS + WAKE_NS);
    }

    @Test
    void computationsOfAsManyHostsTakeTurns() {
        Lan lan = sharing(4, 2);
        settle(lan);
        long startNs = lan.simulation.nowNs();
        List<Long> ends = new ArrayList<>();
        for (int host = 0; host < 4; host++) {
            lan.simulation.compute(host, 100_000, () -> ends.add(lan.simulation.nowNs()));
        }
        lan.run();
        long turnNs = WAKE_NS + 100_000;
        assertThat(ends)
                .containsExactly(
                        startNs + turnNs,
                        startNs + turnNs,
                        startNs + 2 * turnNs,
                        startNs + 2 * turnNs);
    }

    @Test
    void withAProcessorOfItsOwnAHostNeedsNoTurn() {
        Lan lan = new Lan(2, HOST, FaultPlan.NONE, 1);
        List<Long> ends = new ArrayList<>();
        lan.simulation.at(
                10, () -> lan.simulation.compute(1, 50, () -> ends.add(lan.simulation.nowNs())));
        lan.run();
        assertThat(ends).containsExactly(60L);
    }

    @Test
    void aHostThatHasMuchToDoLetsOthersHaveTheProcessor() {
        Lan lan = sharing(2, 1);
        settle(lan);
        long startNs = lan.simulation.nowNs();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lan.simulation.compute(0, 1_000_000, () -> order.add(0));
        }
        lan.simulation.compute(1, 1_000, () -> order.add(1));
        lan.run();
        assertThat(order).containsExactly(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
        assertThat(lan.simulation.nowNs()).isGreaterThan(startNs + 10_000_000);
    }

    @Test
    void timeoutsTakeTheirTurn() {
        Lan lan = sharing(2, 1);
        lan.station(0).deadlineNs = 500_000;
        lan.run();
        assertThat(lan.station(0).timeouts).containsExactly(500_000 + WAKE_NS);
    }

    @Test
    void aPausedHostDoesNothingAndGoesOnAfterwards() {
        Lan lan = sharing(2, 1);
        settle(lan);
        long startNs = lan.simulation.nowNs();
        lan.simulation.pause(1);
        lan.sendAt(startNs, 0, 1, 3);
        lan.simulation.at(startNs + 700_000, () -> lan.simulation.resume(1));
        lan.run();
        assertThat(lan.station(1).arrivalTimes()).containsExactly(startNs + 700_000 + WAKE_NS);
    }

    @Test
    void whatCannotBeIsRefused() {
        Lan lan = new Lan(2, HOST, FaultPlan.NONE, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lan.simulation.shareProcessors(0, WAKE_NS));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lan.simulation.shareProcessors(1, -1));
    }
}
