package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FaultsTest {

    private static final int COUNT = 20_000;
    private static final long GAP_NS = 1_000;

    /** Node 0 multicasts to nodes 1 to 3, one datagram of 100 bytes each microsecond. */
    private static Lan multicast(FaultPlan plan, long seed, int count) {
        Lan lan = new Lan(4, HostModel.IDEAL, plan, seed);
        for (int i = 0; i < count; i++) {
            lan.sendAt(GAP_NS * i, 0, Destination.GROUP, i);
        }
        lan.run();
        return lan;
    }

    private static Offset<Double> about() {
        return within(0.01);
    }

    private static double share(long part) {
        return (double) part / COUNT;
    }

    @Test
    void lossIsIndependentPerReceiver() {
        Lan lan = multicast(FaultPlan.of(Faults.loss(0.1)), 1, COUNT);
        for (int i = 1; i < 4; i++) {
            assertThat(share(lan.counters(i).dropped(DropCause.LOSS))).isCloseTo(0.1, about());
        }
        assertThat(lan.station(1).arrivalTimes()).isNotEqualTo(lan.station(2).arrivalTimes());
    }

    @Test
    void lossOnTheUplinkIsTheSameForAllReceivers() {
        Lan lan = multicast(FaultPlan.of(Faults.uplinkLoss(0.1)), 1, COUNT);
        assertThat(share(lan.counters(0).droppedOnUplink(DropCause.LOSS))).isCloseTo(0.1, about());
        assertThat(lan.counters(1).droppedTotal()).isZero();
        assertThat(lan.station(1).arrivalTimes()).isEqualTo(lan.station(2).arrivalTimes());
    }

    @Test
    void burstsHaveTheirRateAndLength() {
        Lan lan = multicast(FaultPlan.of(Faults.burstLoss(0.1, 8)), 5, COUNT);
        long lost = 0;
        long bursts = 0;
        for (int i = 1; i < 4; i++) {
            List<Long> times = lan.station(i).arrivalTimes();
            lost += lan.counters(i).dropped(DropCause.BURST_LOSS);
            bursts +=
                    IntStream.range(1, times.size())
                            .filter(n -> times.get(n) - times.get(n - 1) > GAP_NS)
                            .count();
        }
        assertThat(share(lost) / 3).isCloseTo(0.1, within(0.02));
        assertThat((double) lost / bursts).isCloseTo(8, within(1.0));
    }

    @Test
    void someDatagramsAreOvertaken() {
        Lan lan = multicast(FaultPlan.of(Faults.reordering(0.2, 5 * GAP_NS)), 1, COUNT);
        List<Station.Arrival> arrivals = lan.station(1).arrivals;
        assertThat(arrivals).hasSize(COUNT);
        long late = arrivals.stream().filter(a -> a.timeNs() % GAP_NS != 0).count();
        assertThat(share(late)).isCloseTo(0.2, about());
        List<Integer> numbers = lan.station(1).numbers();
        long overtaken =
                IntStream.range(1, COUNT)
                        .filter(n -> (byte) (numbers.get(n) - numbers.get(n - 1)) < 0)
                        .count();
        assertThat(overtaken).isGreaterThan(COUNT / 20);
    }

    @Test
    void someDatagramsComeTwice() {
        Lan lan = multicast(FaultPlan.of(Faults.duplication(0.1, GAP_NS)), 1, COUNT);
        assertThat(share(lan.counters(1).receivedDatagrams())).isCloseTo(1.1, about());
    }

    @Test
    void corruptionFlipsOneBitOfOneReceiversCopy() {
        Lan lan = multicast(FaultPlan.of(Faults.corruption(0.1).onNode(2)), 1, COUNT);
        Lan clean = multicast(FaultPlan.NONE, 1, COUNT);
        int corrupt = 0;
        for (int n = 0; n < COUNT; n++) {
            ByteBuffer sent = clean.station(1).arrivals.get(n).bytes();
            assertThat(flippedBits(sent, lan.station(1).arrivals.get(n).bytes())).isZero();
            int flipped = flippedBits(sent, lan.station(2).arrivals.get(n).bytes());
            assertThat(flipped).isBetween(0, 1);
            corrupt += flipped;
        }
        assertThat(share(corrupt)).isCloseTo(0.1, about());
        assertThat(lan.simulation.traceHash()).isNotEqualTo(clean.simulation.traceHash());
    }

    private static int flippedBits(ByteBuffer one, ByteBuffer other) {
        return IntStream.range(0, one.limit())
                .map(i -> Integer.bitCount((one.get(i) ^ other.get(i)) & 0xFF))
                .sum();
    }

    @Test
    void onTheUplinkAllReceiversSeeTheSameMishap() {
        FaultPlan plan =
                FaultPlan.of(
                        Faults.reordering(0.2, 5 * GAP_NS).onUplink(),
                        Faults.duplication(0.2, 5 * GAP_NS).onUplink(),
                        Faults.corruption(0.2).onUplink());
        Lan lan = multicast(plan, 1, 1_000);
        assertThat(lan.station(1).arrivals).hasSizeGreaterThan(1_100);
        assertThat(lan.station(1).arrivalTimes()).isEqualTo(lan.station(3).arrivalTimes());
        assertThat(lan.station(1).numbers()).isEqualTo(lan.station(3).numbers());
    }

    @Test
    void blackoutsEndAndTouchOneLink() {
        FaultPlan plan =
                FaultPlan.of(
                        Faults.uplinkBlackout(0, 10 * GAP_NS, 20 * GAP_NS),
                        Faults.downlinkBlackout(1, 30 * GAP_NS, 50 * GAP_NS));
        Lan lan = multicast(plan, 1, 100);
        assertThat(lan.counters(0).droppedOnUplink(DropCause.BLACKOUT)).isEqualTo(10);
        assertThat(lan.counters(1).dropped(DropCause.BLACKOUT)).isEqualTo(20);
        assertThat(lan.station(1).arrivals).hasSize(70);
        assertThat(lan.station(2).arrivals).hasSize(90);
    }

    @Test
    void aPartitionCutsBothWaysAndHeals() {
        Lan lan = new Lan(4, HostModel.IDEAL, FaultPlan.of(Faults.partition(100, 200, 0, 1)), 1);
        for (long timeNs : new long[] {99, 100, 199, 200}) {
            lan.sendAt(timeNs, 0, Destination.GROUP, 0);
            lan.sendAt(timeNs, 2, 1, 1);
        }

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(0, 1, 0, 0, 0, 1);
        assertThat(lan.station(3).arrivalTimes()).containsExactly(99L, 200L);
        assertThat(lan.counters(1).dropped(DropCause.PARTITION)).isEqualTo(2);
    }

    @Test
    void blockedMulticastLeavesUnicastAlone() {
        Lan lan = new Lan(3, HostModel.IDEAL, FaultPlan.of(Faults.multicastBlocked(100)), 1);
        for (long timeNs : new long[] {50, 150}) {
            lan.sendAt(timeNs, 0, Destination.GROUP, 0);
            lan.sendAt(timeNs, 0, 1, 1);
        }

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(0, 1, 1);
        assertThat(lan.counters(0).droppedOnUplink(DropCause.MULTICAST_BLOCKED)).isEqualTo(1);
    }

    @Test
    void faultsCanBeKeptToMulticastOrUnicast() {
        FaultPlan plan =
                FaultPlan.of(
                        Faults.loss(1).onlyMulticast().onNode(1),
                        Faults.loss(1).onlyUnicast().onNode(2));
        Lan lan = new Lan(3, HostModel.IDEAL, plan, 1);
        lan.station(0).send(Destination.GROUP, 10, 0).send(1, 10, 1).send(2, 10, 2);

        lan.run();

        assertThat(lan.station(1).numbers()).containsExactly(1);
        assertThat(lan.station(2).numbers()).containsExactly(0);
    }

    @Test
    void aScriptLosesExactlyWhatItNames() {
        Fault thirdToTwo = Faults.drop((from, to, bytes, count) -> to == 2 && count == 3);
        Fault firstOnUplink = Faults.drop((from, to, bytes, count) -> count == 0).onUplink();
        Lan lan = multicast(FaultPlan.of(thirdToTwo, firstOnUplink), 1, 6);
        assertThat(lan.station(1).numbers()).containsExactly(1, 2, 3, 4, 5);
        assertThat(lan.station(2).numbers()).containsExactly(1, 2, 3, 5);
    }
}
