package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.netsim.SwitchTopology.Forwarding;
import org.madcast.netsim.SwitchTopology.Trunk;

/** Several switches, shapers, and processors that datagrams keep busy. */
class SwitchesTest {

    private static final long MBIT_100 = 100_000_000;
    private static final long DELAY_NS = 1_000;

    /** 1472 bytes of payload at 100 Mbit/s. */
    private static final long FULL_NS = 1538 * 80;

    private static final HostModel HOST = HostModel.ethernet(MBIT_100, DELAY_NS);
    private static final LinkModel TRUNK = new LinkModel(MBIT_100, DELAY_NS, 512 * 1024);

    private final List<Station> stations = new ArrayList<>();

    private static SwitchTopology tree(int switches) {
        return SwitchTopology.binaryTree(switches, TRUNK, Forwarding.STORE_AND_FORWARD);
    }

    /** One station on each of these switches. */
    private Simulation network(SwitchTopology topology, HostModel host, int... switches) {
        Simulation simulation = new Simulation(Framing.ETHERNET, topology, FaultPlan.NONE, 1);
        for (int number : switches) {
            Station station = new Station();
            stations.add(station);
            int _ = simulation.addNode(station, host, number);
        }
        return simulation;
    }

    private void assertArrivals(int station, Long... timesNs) {
        assertThat(stations.get(station).arrivalTimes()).containsExactly(timesNs);
    }

    /** Switches 1 and 2 hang on 0, and 3 on 1. */
    @Test
    void unicastCrossesEachCableOfItsWayOneAfterTheOther() {
        Simulation simulation = network(tree(4), HOST, 0, 1, 2, 3);
        stations.get(2).send(3, 1472, 7);
        simulation.run(Long.MAX_VALUE);
        assertArrivals(3, 5 * (FULL_NS + DELAY_NS));
        assertThat(stations.get(0).arrivals).isEmpty();
        assertThat(stations.get(1).arrivals).isEmpty();
    }

    @Test
    void multicastReachesEachHostOnceAfterAsManyCables() {
        Simulation simulation = network(tree(4), HOST, 0, 1, 2, 3, 3);
        stations.get(3).send(Destination.GROUP, 1472, 7);
        simulation.run(Long.MAX_VALUE);
        assertArrivals(4, 2 * (FULL_NS + DELAY_NS));
        assertArrivals(1, 3 * (FULL_NS + DELAY_NS));
        assertArrivals(0, 4 * (FULL_NS + DELAY_NS));
        assertArrivals(2, 5 * (FULL_NS + DELAY_NS));
        assertThat(stations.get(3).arrivals).isEmpty();
    }

    /** Else the datagrams would wait for the multicast on the trunk. */
    @Test
    void multicastDoesNotCrossTrunksBehindWhichNobodyHasJoined() {
        Simulation simulation = network(tree(2), HOST, 0, 1);
        simulation.leave(1);
        stations.get(0).send(Destination.GROUP, 1472, 1).send(1, 1472, 2);
        simulation.run(Long.MAX_VALUE);
        assertArrivals(1, 2 * FULL_NS + DELAY_NS + 2 * (FULL_NS + DELAY_NS));
        simulation.join(1);
        stations.get(0).send(Destination.GROUP, 1472, 3);
        simulation.touch(0);
        simulation.run(Long.MAX_VALUE);
        assertThat(stations.get(1).numbers()).containsExactly(2, 3);
    }

    @Test
    void aTrunkThatTooMuchWaitsForDropsTheTail() {
        LinkModel slow = new LinkModel(MBIT_100 / 10, 0, 3 * 1538);
        SwitchTopology topology = SwitchTopology.binaryTree(2, slow, Forwarding.STORE_AND_FORWARD);
        Simulation simulation = network(topology, HostModel.IDEAL, 0, 0, 1);
        stations.get(0).sendMany(2, 1472, 10);
        stations.get(1).sendMany(Destination.GROUP, 1472, 1);
        simulation.run(Long.MAX_VALUE);
        assertThat(stations.get(2).numbers()).containsExactly(0, 1, 2);
        assertThat(simulation.droppedAtTrunks()).isEqualTo(8);
        assertThat(stations.get(0).arrivals).hasSize(1);
    }

    /** All but the first cable begin when the first 64 bytes of the frame have come. */
    @Test
    void whoCutsThroughDoesNotWaitForTheWholeFrame() {
        SwitchTopology topology = SwitchTopology.binaryTree(2, TRUNK, Forwarding.CUT_THROUGH);
        Simulation simulation = network(topology, HOST, 0, 1);
        stations.get(0).sendMany(1, 1472, 2);
        simulation.run(Long.MAX_VALUE);
        long firstNs = FULL_NS + 2 * 64 * 80 + 3 * DELAY_NS;
        assertArrivals(1, firstNs, firstNs + FULL_NS);
    }

    @ParameterizedTest
    @EnumSource(Forwarding.class)
    void aFastCableBehindASlowOneHasNothingToSendBeforeItCame(Forwarding forwarding) {
        LinkModel fast = new LinkModel(10 * MBIT_100, 0, 0);
        Simulation simulation = network(SwitchTopology.binaryTree(2, fast, forwarding), HOST, 0, 1);
        stations.get(0).sendMany(1, 1472, 3);
        simulation.run(Long.MAX_VALUE);
        long lastNs = stations.get(1).arrivalTimes().getLast();
        assertThat(lastNs).isGreaterThanOrEqualTo(3 * FULL_NS + 2 * DELAY_NS);
    }

    /** A burst of two frames, and then the rate. */
    @Test
    void aShaperLetsABurstPassAtOnce() {
        Link shaper = new Link(new LinkModel(MBIT_100, 0, 0, 2 * 1538));
        assertThat(shaper.send(0, 1538)).isZero();
        assertThat(shaper.send(0, 1538)).isZero();
        assertThat(shaper.send(0, 1538)).isEqualTo(FULL_NS);
        assertThat(shaper.send(2 * FULL_NS, 1538)).isEqualTo(2 * FULL_NS);
        long muchLaterNs = 100 * FULL_NS;
        assertThat(shaper.send(muchLaterNs, 1538)).isEqualTo(muchLaterNs);
        assertThat(shaper.send(muchLaterNs, 1538)).isEqualTo(muchLaterNs);
        assertThat(shaper.send(muchLaterNs, 1538)).isEqualTo(muchLaterNs + FULL_NS);
    }

    @Test
    void shapersCountTheHeaderOfAFrameOnly() {
        assertThat(Framing.ETHERNET.shaped().wireBytes(1472)).isEqualTo(1514);
    }

    /** 10 us a datagram and 1 ns a byte, both ways: the processor is what limits. */
    @Test
    void aProcessorIsBusyWithEachDatagram() {
        HostModel busy =
                new HostModel(LinkModel.IDEAL, LinkModel.IDEAL, 0, HostCosts.bothWays(10_000, 1));
        Simulation simulation = network(SwitchTopology.ONE_SWITCH, busy, 0, 0);
        stations.get(0).sendMany(1, 1000, 3);
        simulation.run(Long.MAX_VALUE);
        assertArrivals(1, 11_000L, 22_000L, 33_000L);
    }

    /** What it sends while something waits to be read delays the reading, and no more. */
    @Test
    void whoSendsWhileItReadsReadsEverything() {
        HostModel busy =
                new HostModel(LinkModel.IDEAL, LinkModel.IDEAL, 0, HostCosts.bothWays(10_000, 0));
        Simulation simulation = network(SwitchTopology.ONE_SWITCH, busy, 0, 0);
        stations.get(0).sendMany(1, 1000, 3);
        simulation.at(
                15_000,
                () -> {
                    stations.get(1).sendMany(0, 1000, 2);
                    simulation.touch(1);
                });
        simulation.run(Long.MAX_VALUE);
        assertThat(stations.get(1).arrivals).hasSize(3);
        assertThat(stations.get(0).arrivals).hasSize(2);
    }

    @Test
    void whatIsNoTreeIsRefused() {
        assertRefused("2 switches and 0 trunks", 2);
        assertRefused("no trunk leads to switch 3", 4, 0, 1, 1, 2, 2, 0);
        assertRefused("no trunk leads to switch 1", 2, 0, 0);
        assertRefused("from switch 0 to 7, of 2", 2, 0, 7);
    }

    private static void assertRefused(String why, int switches, int... ends) {
        List<Trunk> trunks = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            trunks.add(new Trunk(ends[i], ends[i + 1], TRUNK));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new SwitchTopology(switches, trunks, Forwarding.STORE_AND_FORWARD))
                .withMessageContaining(why);
    }
}
