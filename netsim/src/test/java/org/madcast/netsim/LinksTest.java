package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinksTest {

    private static final long MBIT_100 = 100_000_000;
    private static final long DELAY_NS = 5_000;

    /** 1538 bytes of wire at 100 Mbit/s. */
    private static final long FULL_FRAME_NS = 123_040;

    private static Lan lan(int count, HostModel model) {
        return new Lan(count, model, FaultPlan.NONE, 1);
    }

    @Test
    void framesAreCountedAsEthernetSendsThem() {
        assertThat(Framing.ETHERNET.wireBytes(1472)).isEqualTo(1538);
        assertThat(Framing.ETHERNET.wireBytes(1)).isEqualTo(84);
        assertThat(Framing.ETHERNET.wireBytes(18)).isEqualTo(84);
        assertThat(Framing.ETHERNET.wireBytes(19)).isEqualTo(85);
        assertThat(Framing.ETHERNET_FRAGMENTED.frames(1472)).isEqualTo(1);
        assertThat(Framing.ETHERNET_FRAGMENTED.frames(1473)).isEqualTo(2);
        assertThat(Framing.ETHERNET_FRAGMENTED.wireBytes(1473)).isEqualTo(1538 + 84);
        assertThat(Framing.JUMBO.wireBytes(8972)).isEqualTo(9038);
    }

    @Test
    void aDatagramTakesBothSerialisationsAndBothDelays() {
        Lan lan = lan(2, HostModel.ethernet(MBIT_100, DELAY_NS));
        lan.station(0).sendMany(1, 1472, 3);

        assertThat(lan.run()).isEqualTo(RunResult.IDLE);

        long first = 2 * FULL_FRAME_NS + 2 * DELAY_NS;
        assertThat(lan.station(1).arrivalTimes())
                .containsExactly(first, first + FULL_FRAME_NS, first + 2 * FULL_FRAME_NS);
        assertThat(lan.counters(0).sentWireBytes()).isEqualTo(3 * 1538);
        assertThat(lan.counters(1).receivedBytes()).isEqualTo(3 * 1472);
    }

    @Test
    void roundingOfOddRatesDoesNotAddUp() {
        Link link = new Link(new LinkModel(3_000_000_000L, 0, 0));
        long lastNs = 0;
        for (int i = 0; i < 3000; i++) {
            lastNs = link.send(0, 1538);
        }
        assertThat(lastNs).isEqualTo(1538L * 8 * 1000);
    }

    @Test
    void multicastCrossesTheUplinkOnceAndReachesAllOthersThatJoined() {
        Lan lan = lan(5, HostModel.ethernet(MBIT_100, DELAY_NS));
        lan.simulation.leave(3);
        lan.station(1).send(Destination.GROUP, 1472, 7);

        lan.run();

        long at = 2 * FULL_FRAME_NS + 2 * DELAY_NS;
        for (int i : new int[] {0, 2, 4}) {
            assertThat(lan.station(i).arrivalTimes()).containsExactly(at);
        }
        assertThat(lan.station(1).arrivals).isEmpty();
        assertThat(lan.station(3).arrivals).isEmpty();
        assertThat(lan.counters(1).sentDatagrams()).isEqualTo(1);
        assertThat(lan.counters(1).sentMulticastDatagrams()).isEqualTo(1);
    }

    @Test
    void aFullUplinkIsNotPolledUntilItDrains() {
        LinkModel uplink = new LinkModel(MBIT_100, 0, 4 * 1538);
        Lan lan = lan(2, new HostModel(uplink, LinkModel.IDEAL, 0, 0));
        lan.station(0).sendMany(1, 1472, 20);
        List<Integer> unsent = new ArrayList<>();
        lan.simulation.at(0, () -> unsent.add(lan.station(0).unsent()));
        lan.simulation.at(FULL_FRAME_NS + 1, () -> unsent.add(lan.station(0).unsent()));

        lan.run();

        assertThat(unsent).containsExactly(15, 14);
        assertThat(lan.station(1).arrivals).hasSize(20);
        assertThat(lan.station(1).arrivals.getLast().timeNs()).isEqualTo(20 * FULL_FRAME_NS);
    }

    @Test
    void thePortOfASlowReceiverDropsTheTail() {
        LinkModel slow = new LinkModel(MBIT_100, 0, 5 * 1538);
        Lan lan = lan(3, new HostModel(LinkModel.IDEAL, slow, 0, 0));
        lan.station(0).sendMany(1, 1472, 20);

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(0, 1, 2, 3, 4);
        assertThat(lan.counters(1).dropped(DropCause.SWITCH_QUEUE)).isEqualTo(15);
        assertThat(lan.counters(2).droppedTotal()).isZero();
    }

    @Test
    void aSlowHostFillsItsReceiveBufferAndDrops() {
        HostModel slow = HostModel.IDEAL.withReceiver(3 * 1000, 10_000);
        Lan lan = lan(2, slow);
        lan.station(0).sendMany(1, 1000, 10);

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(0, 1, 2, 3);
        assertThat(lan.station(1).arrivalTimes()).containsExactly(0L, 10_000L, 20_000L, 30_000L);
        assertThat(lan.counters(1).dropped(DropCause.RECEIVE_BUFFER)).isEqualTo(6);
    }
}
