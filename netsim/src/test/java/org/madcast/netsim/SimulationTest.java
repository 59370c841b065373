package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

    @Test
    void aDeadlineIsServedOnTimeAlsoAfterItWasMoved() {
        Lan lan = new Lan(1, HostModel.IDEAL, FaultPlan.NONE, 1);
        Station station = lan.station(0);
        station.deadlineNs = 1_000;
        lan.simulation.at(500, () -> moveDeadline(lan, 3_000));
        lan.simulation.at(2_000, () -> moveDeadline(lan, 2_500));

        assertThat(lan.run()).isEqualTo(RunResult.IDLE);
        assertThat(station.timeouts).containsExactly(2_500L);

        moveDeadline(lan, 10);
        lan.run();
        assertThat(station.timeouts).hasSize(2);
    }

    private static void moveDeadline(Lan lan, long deadlineNs) {
        lan.station(0).deadlineNs = deadlineNs;
        lan.simulation.touch(0);
    }

    @Test
    void runsEndByConditionLimitOrIdleness() {
        Lan lan = new Lan(2, HostModel.ethernet(100_000_000, 0), FaultPlan.NONE, 1);
        lan.station(0).sendMany(1, 1472, 3);

        assertThat(lan.simulation.run(1_000)).isEqualTo(RunResult.TIME_LIMIT);
        assertThat(lan.simulation.nowNs()).isEqualTo(1_000);
        Station receiver = lan.station(1);
        assertThat(lan.simulation.runUntil(() -> receiver.arrivals.size() == 2, 1_000_000_000))
                .isEqualTo(RunResult.DONE);
        assertThat(receiver.arrivals).hasSize(2);
        assertThat(lan.run()).isEqualTo(RunResult.IDLE);
        assertThat(receiver.arrivals).hasSize(3);
    }

    @Test
    void everyStepIsFollowedByTheCheck() {
        Lan lan = new Lan(3, HostModel.IDEAL, FaultPlan.NONE, 1);
        List<Integer> steps = new ArrayList<>();
        lan.simulation.afterStep(steps::add);
        lan.sendAt(10, 2, Destination.GROUP, 1);

        lan.run();

        assertThat(steps).containsExactly(0, 1, 2, 2, 0, 1);
    }

    @Test
    void aPausedNodeReadsAndSendsLater() {
        FaultPlan plan = FaultPlan.NONE.pause(1, 100, 1_000);
        Lan lan = new Lan(2, HostModel.IDEAL.withReceiver(250, 0), plan, 1);
        for (int i = 0; i < 4; i++) {
            lan.sendAt(90 + 100L * i, 0, 1, i);
        }
        lan.station(1).deadlineNs = 500;
        lan.sendAt(600, 1, 0, 9);

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(0, 1, 2);
        assertThat(lan.station(1).arrivalTimes()).containsExactly(90L, 1_000L, 1_000L);
        assertThat(lan.counters(1).dropped(DropCause.RECEIVE_BUFFER)).isEqualTo(1);
        assertThat(lan.station(1).timeouts).containsExactly(1_000L);
        assertThat(lan.station(0).arrivalTimes()).containsExactly(1_000L);
    }

    @Test
    void overlappingPausesEndWithTheLast() {
        FaultPlan plan = FaultPlan.NONE.pause(1, 100, 1_000).pause(1, 200, 2_000);
        Lan lan = new Lan(2, HostModel.IDEAL, plan, 1);
        lan.sendAt(300, 0, 1, 5);

        lan.run();

        assertThat(lan.station(1).arrivalTimes()).containsExactly(2_000L);
    }

    @Test
    void aCrashedNodeNeitherReceivesNorSendsNorTimesOut() {
        Lan lan = new Lan(2, HostModel.IDEAL, FaultPlan.NONE.crash(1, 100), 1);
        lan.station(1).deadlineNs = 200;
        lan.sendAt(50, 0, 1, 0);
        lan.sendAt(150, 0, 1, 1);
        lan.sendAt(160, 1, 0, 2);

        lan.run();

        assertThat(lan.simulation.isCrashed(1)).isTrue();
        assertThat(lan.station(1).numbers()).containsExactly(0);
        assertThat(lan.counters(1).dropped(DropCause.CRASHED)).isEqualTo(1);
        assertThat(lan.station(1).timeouts).isEmpty();
        assertThat(lan.station(0).arrivals).isEmpty();
    }

    @Test
    void anEngineThatKeepsASegmentSeesItOverwritten() {
        List<MemorySegment> kept = new ArrayList<>();
        Simulation simulation = new Simulation(FaultPlan.NONE, 1);
        simulation.addNode(new Station().send(1, 100, 7), HostModel.IDEAL);
        simulation.addNode(
                new TestNode() {
                    @Override
                    public void onDatagram(long nowNs, MemorySegment datagram) {
                        assertThat(datagram.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
                        assertThat(datagram.isReadOnly()).isTrue();
                        kept.add(datagram);
                    }
                },
                HostModel.IDEAL);

        simulation.run(Long.MAX_VALUE);

        assertThat(kept.getFirst().get(ValueLayout.JAVA_BYTE, 0)).isNotEqualTo((byte) 7);
    }

    @Test
    void anEngineThatNeverRestsIsNamed() {
        Simulation simulation = new Simulation(FaultPlan.NONE, 1);
        simulation.addNode(
                new TestNode() {
                    @Override
                    public long nextDeadlineNs() {
                        return 0;
                    }
                },
                HostModel.IDEAL);

        assertThatThrownBy(() -> simulation.run(Long.MAX_VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("node 0")
                .hasMessageContaining("endless loop");
    }

    @Test
    void anImpatientEngineWaitsForAFullUplink() {
        LinkModel uplink = new LinkModel(1_000_000, 0, 100);
        Simulation simulation = new Simulation(FaultPlan.NONE, 1);
        Station sender = new Station().sendMany(1, 1000, 10);
        Station receiver = new Station();
        simulation.addNode(
                new TestNode() {
                    @Override
                    public long nextDeadlineNs() {
                        return sender.unsent() > 0 ? 0 : Long.MAX_VALUE;
                    }

                    @Override
                    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
                        return sender.pollTransmit(nowNs, out, slot);
                    }
                },
                new HostModel(uplink, LinkModel.IDEAL, 0, 0));
        simulation.addNode(receiver, HostModel.IDEAL);

        assertThat(simulation.run(Long.MAX_VALUE)).isEqualTo(RunResult.IDLE);
        assertThat(receiver.arrivals).hasSize(10);
    }

    @Test
    void anImpossibleDestinationIsTheEnginesFault() {
        Lan lan = new Lan(2, HostModel.IDEAL, FaultPlan.NONE, 1);
        lan.station(1).send(1, 100, 0);
        assertThatThrownBy(lan::run).hasMessage("node 1 sends to 1");
    }
}
