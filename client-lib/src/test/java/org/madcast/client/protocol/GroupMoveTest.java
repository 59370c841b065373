package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;
import org.madcast.netsim.Destination;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.Seeds;

/** All ranks go to another group, in the middle of broadcasts, and none is lost. */
class GroupMoveTest {

    private static final long MS = 1_000_000;
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final List<Step> SCRIPT =
            Collections.nCopies(40, new Step(0, 50_000, Algorithm.ONCE));

    /** The groups differ by port in these tests. */
    private static GroupAddress group(int port) {
        return GroupAddress.of(new byte[] {(byte) 239, 1, 2, 3}, port, 0);
    }

    /** One multicast datagram that left a rank. */
    private record Multicast(int from, int groupPort, DatagramType type, long atNs) {}

    /** A run in which multicast reaches those who are in the sender's group. */
    private static final class Run {
        final List<Multicast> multicasts = new ArrayList<>();
        private SimulatedJob job;

        Run(int ranks, List<Step> script, long seed, Shape shape, Fault... more) {
            List<Fault> faults = new ArrayList<>(List.of(more));
            faults.add(
                    Faults.drop(
                                    (from, to, datagram, _) -> {
                                        boolean known = from < ranks && to == Destination.GROUP;
                                        if (known) {
                                            note(from, datagram);
                                        }
                                        return false;
                                    })
                            .onUplink());
            faults.add(
                    Faults.drop((from, to, _, _) -> job().groupPort(from) != job().groupPort(to))
                            .onlyMulticast());
            job =
                    new SimulatedJob(
                            ranks, script, FaultPlan.of(faults.toArray(Fault[]::new)), seed, shape);
        }

        SimulatedJob job() {
            return job;
        }

        private void note(int from, MemorySegment datagram) {
            multicasts.add(
                    new Multicast(
                            from,
                            job.groupPort(from),
                            DatagramLayout.type(datagram),
                            job.simulation().nowNs()));
        }

        Run moveAt(long atNs, int port) {
            return at(atNs, 0, () -> job.engine(0).moveTo(atNs, group(port)));
        }

        Run at(long atNs, int rank, Runnable action) {
            job.simulation()
                    .at(
                            atNs,
                            () -> {
                                action.run();
                                job.simulation().touch(rank);
                            });
            return this;
        }

        Run complete() {
            job.run(LIMIT_NS).assertAllComplete();
            return this;
        }

        void assertAllIn(int port, GroupState state) {
            for (int rank = 0; rank < job.size(); rank++) {
                assertThat(job.groupPort(rank)).as("rank %d", rank).isEqualTo(port);
                assertThat(job.engine(rank).groupState()).as("rank %d", rank).isEqualTo(state);
            }
        }

        long data(int port) {
            return multicasts.stream()
                    .filter(it -> it.groupPort() == port && it.type() == DatagramType.DATA)
                    .count();
        }
    }

    private static Shape shape() {
        return Shape.fastEthernet().joined().thinking(rank -> 5 * MS);
    }

    @ParameterizedTest
    @CsvSource({"2, 50", "2, 52", "4, 50", "16, 50", "16, 53", "16, 57", "40, 51"})
    void allMoveAndMulticastInTheNewGroup(int ranks, long atMs) {
        Run run = new Run(ranks, SCRIPT, 1, shape()).moveAt(atMs * MS, 7001).complete();
        run.assertAllIn(7001, GroupState.MULTICAST);
        assertThat(run.data(0)).isPositive();
        assertThat(run.data(7001)).as("multicast serves again").isGreaterThan(500);
    }

    @Test
    void whileItIsBeingFoundOutNothingButTheProbeIsMulticast() {
        Run run = new Run(16, SCRIPT, 1, shape());
        long movedNs = 50 * MS;
        long[] decidedNs = {Long.MAX_VALUE};
        run.moveAt(movedNs, 7001);
        for (long atNs = movedNs; atNs < 300 * MS; atNs += MS / 10) {
            long nowNs = atNs;
            run.at(
                    nowNs,
                    0,
                    () -> {
                        boolean decided = run.job().engine(0).groupState() == GroupState.MULTICAST;
                        decidedNs[0] = decided ? Math.min(decidedNs[0], nowNs) : decidedNs[0];
                    });
        }
        run.complete();
        assertThat(decidedNs[0]).isBetween(movedNs, movedNs + 50 * MS);
        assertThat(run.multicasts)
                .filteredOn(it -> it.from() == 0 && it.atNs() >= movedNs)
                .filteredOn(it -> it.atNs() < decidedNs[0])
                .extracting(Multicast::type)
                .containsOnly(DatagramType.WATERMARK);
        assertThat(run.multicasts)
                .filteredOn(it -> it.from() == 0 && it.groupPort() == 0)
                .allMatch(it -> it.atNs() <= movedNs);
    }

    /** REGROUP, the reports and the probes may all be lost, late or double. */
    @Test
    void noBroadcastIsLostWhateverTheNetworkDoes() {
        assertNoBroadcastIsLost(40);
    }

    @Tag("slow")
    @Test
    void noBroadcastIsLostWithManySeeds() {
        assertNoBroadcastIsLost(200);
    }

    private static void assertNoBroadcastIsLost(int seeds) {
        Seeds.forEach(
                seeds,
                seed -> {
                    int ranks = 2 + (int) (seed % 20);
                    List<Step> script = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        script.add(new Step(i % ranks, 1 + 997 * i * i, Algorithm.ONCE));
                    }
                    Run run =
                            new Run(
                                    ranks,
                                    script,
                                    seed,
                                    Shape.fastEthernet().joined().thinking(rank -> rank * MS / 4),
                                    Faults.loss(0.05),
                                    Faults.duplication(0.02, 300_000),
                                    Faults.reordering(0.05, 400_000));
                    run.moveAt(20 * MS + seed * 100_000 % (40 * MS), 7001)
                            .moveAt(90 * MS + seed * 100_000 % (10 * MS), 7002)
                            .complete();
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void whoLostTheLeaseStopsAtOnceAndTheOthersFollow(int loser) {
        Run run = new Run(16, SCRIPT, 1, shape());
        long lostNs = 50 * MS;
        run.at(lostNs, loser, () -> run.job().engine(loser).loseGroup(lostNs))
                .moveAt(120 * MS, 7001)
                .complete();
        assertThat(run.multicasts)
                .filteredOn(it -> it.atNs() > lostNs && it.groupPort() == 0)
                .noneMatch(it -> it.from() == loser)
                .allMatch(it -> it.atNs() < lostNs + 20 * MS);
        run.assertAllIn(7001, GroupState.MULTICAST);
    }

    @Test
    void aRankThatCannotJoinMakesAllDoWithoutMulticast() {
        Run run = new Run(16, SCRIPT, 1, shape());
        run.job().joiningOnly(rank -> rank != 9);
        run.moveAt(50 * MS, 7001).complete();
        for (int rank = 0; rank < 16; rank++) {
            assertThat(run.job().engine(rank).groupState()).isEqualTo(GroupState.UNICAST);
        }
        assertThat(run.data(7001)).isZero();
    }

    @Test
    void aSecondMoveOvertakesTheFirst() {
        Run run = new Run(16, SCRIPT, 1, shape());
        run.moveAt(50 * MS, 7001).moveAt(50 * MS + 200_000, 7002).complete();
        run.assertAllIn(7002, GroupState.MULTICAST);
    }

    @Test
    void onlyRankZeroLeads() {
        BroadcastEngine engine = Engines.of(1, 3);
        assertThatThrownBy(() -> engine.moveTo(0, group(7001)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rank 1");
    }

    @Test
    void whatIsNoGroupOrNotFromTheParentIsNotBelieved() {
        BroadcastEngine zero = Engines.of(0, 8);
        zero.moveTo(0, group(7001));
        MemorySegment good =
                Engines.first(Engines.pollAfterTimeout(zero, Engines.MS), DatagramType.REGROUP)
                        .datagram();
        assertThat(reaction(Engines.of(5, 8), good)).isEqualTo(Rejection.BAD_FIELD);
        assertThat(
                        reaction(
                                Engines.of(1, 8),
                                sealed(
                                        good,
                                        copy -> {
                                            DatagramLayout.putPayloadInt(copy, 5, 0x0a000001);
                                        })))
                .isEqualTo(Rejection.BAD_FIELD);
        assertThat(
                        reaction(
                                Engines.of(1, 8),
                                sealed(
                                        good,
                                        copy -> {
                                            DatagramLayout.putPayloadInt(copy, 0, 0);
                                        })))
                .isEqualTo(Rejection.BAD_FIELD);
        byte[] cut = Arrays.copyOf(bytes(good), (int) good.byteSize() - 4);
        assertThat(reaction(Engines.of(1, 8), sealed(MemorySegment.ofArray(cut), copy -> {})))
                .isEqualTo(Rejection.BAD_LENGTH);
        BroadcastEngine one = Engines.of(1, 8);
        assertThat(reaction(one, good)).isNull();
        assertThat(one.takeNewGroup()).isEqualTo(group(7001));
    }

    private static byte[] bytes(MemorySegment datagram) {
        return datagram.toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment sealed(MemorySegment datagram, Consumer<MemorySegment> change) {
        MemorySegment copy = MemorySegment.ofArray(bytes(datagram));
        change.accept(copy);
        new Checksum().seal(copy);
        return copy;
    }

    private static @Nullable Rejection reaction(BroadcastEngine engine, MemorySegment datagram) {
        engine.onDatagram(Engines.MS, Arrival.of(datagram));
        return engine.counters().rejected().keySet().stream().findFirst().orElse(null);
    }

    @Test
    void addressesOfBothFamiliesSurviveTheWire() {
        byte[] ipv6 = new byte[16];
        ipv6[0] = (byte) 0xff;
        ipv6[1] = 0x15;
        ipv6[12] = (byte) 0xc0;
        ipv6[15] = 7;
        for (GroupAddress each : List.of(group(65_535), GroupAddress.of(ipv6, 5000, 2))) {
            MemorySegment datagram =
                    MemorySegment.ofArray(
                            new byte[DatagramLayout.HEADER_BYTES + 4 * GroupAddress.PAYLOAD_INTS]);
            each.write(datagram, 0);
            assertThat(GroupAddress.read(datagram, 0)).isEqualTo(each);
        }
        assertThat(GroupAddress.of(ipv6, 5000, 2).address()).isEqualTo(ipv6);
    }
}
