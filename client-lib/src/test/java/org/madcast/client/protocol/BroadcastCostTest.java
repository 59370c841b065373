package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.Faults;
import org.madcast.netsim.Seeds;

/** What a broadcast by {@code once} costs on 100 Mbit/s links, in bytes, repairs and time. */
class BroadcastCostTest {

    private static final int MIB = 1 << 20;
    private static final int PAYLOAD_BYTES = 1472 - DatagramLayout.HEADER_BYTES;

    /** A full datagram with all that Ethernet, IP and UDP add, preamble and gap too. */
    private static final long NS_PER_DATAGRAM = 1538L * 8 * 10;

    private final Tap tap = new Tap();

    private static long fragments(int bytes) {
        return (bytes + PAYLOAD_BYTES - 1L) / PAYLOAD_BYTES;
    }

    /** Loses the first transmission of the chosen fragments for all receivers. */
    private static Fault lostOnTheRootsUplink(IntPredicate which) {
        Set<Integer> lost = new HashSet<>();
        return Faults.drop(
                        (from, to, datagram, count) -> {
                            boolean data = DatagramLayout.type(datagram) == DatagramType.DATA;
                            int sequence = DatagramLayout.sequence(datagram);
                            return data && which.test(sequence) && lost.add(sequence);
                        })
                .onUplink()
                .onNode(0);
    }

    /**
     * What the root hands to UDP, joining and leaving included. Of the 3 % that are allowed, the
     * headers of 36 bytes to 1436 of payload take 2.5 %.
     */
    @ParameterizedTest
    @CsvSource({"2, 1048576", "16, 1048576", "64, 1048576", "16, 4194304"})
    void withoutLossTheDataCrossesTheRootsWireOnce(int ranks, int bytes) {
        SimulatedJob job = QuietJob.run(ranks, bytes, tap.fault());
        assertThat(tap.multicast(DatagramType.DATA)).isEqualTo(fragments(bytes));
        assertThat(tap.unicast(DatagramType.DATA) + tap.repairs()).isZero();
        long sentBytes = job.simulation().counters(0).sentBytes();
        long headerBytes = fragments(bytes) * DatagramLayout.HEADER_BYTES;
        assertThat(sentBytes).isLessThanOrEqualTo((long) (1.03 * bytes));
        assertThat(sentBytes - bytes - headerBytes).isLessThan(bytes / 200);
    }

    /** The last byte comes when the wire has carried everything, plus a moment for the way. */
    @Test
    void withoutLossTheWireIsNeverIdle() {
        for (int bytes : new int[] {16 * PAYLOAD_BYTES, 200 * PAYLOAD_BYTES, MIB}) {
            long wireNs = fragments(bytes) * NS_PER_DATAGRAM;
            SimulatedJob job = QuietJob.run(16, bytes);
            assertThat(QuietJob.tookNs(job)).isBetween(wireNs, wireNs * 103 / 100 + 300_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "8, 0", "8, 1", "64, 17", "8, 33", "3, 34", "64, 34"})
    void aFragmentLostOnTheRootsUplinkIsRepairedByOneMulticast(int ranks, int lost) {
        int bytes = 35 * PAYLOAD_BYTES - 100;
        QuietJob.run(ranks, bytes, tap.fault(), lostOnTheRootsUplink(s -> s == lost));
        assertThat(tap.multicast(DatagramType.GROUP_REPAIR)).isEqualTo(1);
        assertThat(tap.unicast(DatagramType.REPAIR)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 64})
    void soIsAMessageOfOneFragmentThatNobodyGot(int ranks) {
        QuietJob.run(ranks, 16, tap.fault(), lostOnTheRootsUplink(s -> true));
        assertThat(tap.multicast(DatagramType.GROUP_REPAIR)).isEqualTo(1);
        assertThat(tap.unicast(DatagramType.REPAIR)).isZero();
    }

    /**
     * However many ranks miss them: the repairs cost at most what the data cost, not P - 1 times.
     */
    @ParameterizedTest
    @CsvSource({"8, 1", "8, 2", "64, 2", "64, 10"})
    void manyFragmentsLostOnTheRootsUplinkAreRepairedByMulticast(int ranks, int everyNth) {
        int bytes = 200 * PAYLOAD_BYTES;
        QuietJob.run(ranks, bytes, tap.fault(), lostOnTheRootsUplink(s -> s % everyNth == 0));
        long lost = fragments(bytes) / everyNth;
        assertThat(tap.multicast(DatagramType.GROUP_REPAIR)).isBetween(lost, lost * 3 / 2);
        assertThat(tap.repairs()).isLessThan(2 * lost);
    }

    @Test
    void onePercentOfLossCostsAtMostAQuarterOfTheTime() {
        long losslessNs = QuietJob.tookNs(QuietJob.run(16, MIB));
        Seeds.forEach(
                10,
                seed -> {
                    SimulatedJob job =
                            QuietJob.run(16, MIB, QuietJob.shape(), seed, Faults.loss(0.01));
                    assertThat(QuietJob.tookNs(job)).isLessThan(losslessNs * 125 / 100);
                });
    }
}
