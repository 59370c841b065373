package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Siebert's ipmc: everything is multicast, then goes once more down the chain, reliably. */
class SecondStageTest {

    private static final int FRAGMENTS = 20;
    private static final int PAYLOAD = 1472 - DatagramLayout.HEADER_BYTES;
    private static final int IPMC = Algorithm.IPMC.code();
    private static final long MS = Engines.MS;
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long AFTER_THE_FIRST_NS = QuietJob.CALL_NS + 4_000_000;

    private final BroadcastEngine root = Engines.of(0, 2);
    private final TransmitSlot slot = new TransmitSlot();
    private final MemorySegment out = MemorySegment.ofArray(new byte[Engines.DATAGRAM_BYTES]);

    @BeforeEach
    void theFirstStageHasLeft() {
        byte[] message = new byte[FRAGMENTS * 64];
        root.call(0, MemorySegment.ofArray(message), 0, IPMC);
        for (int i = 0; i < FRAGMENTS; i++) {
            assertThat(Engines.pollReliable(root, 0)).isEmpty();
            assertThat(root.pollTransmit(0, out, slot)).isEqualTo(Engines.DATAGRAM_BYTES);
            assertThat(slot.destination()).isEqualTo(TransmitSlot.GROUP);
        }
    }

    private static boolean isFragment(Sent sent) {
        return sent.type().carriesFragment();
    }

    private void theRestLeavesAndTheCallEnds() {
        assertThat(Engines.poll(root, 0)).noneMatch(SecondStageTest::isFragment);
        assertThat(root.callPending()).isTrue();
        assertThat(Engines.pollReliable(root, 0))
                .hasSize(FRAGMENTS)
                .allMatch(sent -> sent.destination() == 1 && sent.type() == DatagramType.DATA);
        assertThat(Engines.poll(root, 0)).noneMatch(SecondStageTest::isFragment);
        assertThat(root.callPending()).isFalse();
        assertThat(root.failure()).isNull();
    }

    @Test
    void theCallEndsWhenTheSecondStageHasLeftToo() {
        theRestLeavesAndTheCallEnds();
    }

    /** The other rank got everything by the first stage, finished and left; that harms nobody. */
    @Test
    void aRankThatLeftWithEverythingIsNoDeserter() {
        root.onDatagram(
                0, Arrival.of(Forged.of(DatagramType.PROGRESS, 1).sequence(FRAGMENTS).seal()));
        root.onDatagram(0, Arrival.of(Forged.of(DatagramType.BYE, 1).sequence(FRAGMENTS).seal()));
        root.onTimeout(0);
        theRestLeavesAndTheCallEnds();
    }

    /** As much of it as an engine has sent. */
    private static List<Sent> multicastBy(BroadcastEngine engine, int fragments) {
        engine.call(0, MemorySegment.ofArray(new byte[64 * fragments]), 0, IPMC);
        return Engines.poll(engine, 0).stream()
                .filter(sent -> sent.type() == DatagramType.DATA)
                .toList();
    }

    /** While the next rank takes nothing the window closes: nothing is dropped for want of room. */
    @Test
    void whatWasNotHandedOnIsNotReportedAsConsumed() {
        BroadcastEngine inner = Engines.of(1, 3);
        int fragments = Engines.WINDOW;
        inner.call(0, MemorySegment.ofArray(new byte[64 * fragments]), 0, IPMC);
        for (Sent sent : multicastBy(Engines.of(0, 3), fragments)) {
            inner.onDatagram(0, Arrival.of(sent.datagram()));
        }
        assertThat(inner.callPending()).isFalse();
        assertThat(reported(inner, 20 * MS)).isZero();
        assertThat(inner.pollReliable(20 * MS, out, slot)).isEqualTo(Engines.DATAGRAM_BYTES);
        assertThat(reported(inner, 40 * MS)).isEqualTo(1);
        assertThat(Engines.pollReliable(inner, 40 * MS)).hasSize(fragments - 1);
        assertThat(reported(inner, 60 * MS)).isEqualTo(fragments);
    }

    private static long reported(BroadcastEngine engine, long nowNs) {
        return DatagramLayout.sequence(
                Engines.first(Engines.pollAfterTimeout(engine, nowNs), DatagramType.PROGRESS)
                        .datagram());
    }

    /** A rank that has nobody behind it hands nothing on, and reports at once. */
    @Test
    void theLastRankOwesNothing() {
        BroadcastEngine last = Engines.of(2, 3);
        last.call(0, MemorySegment.ofArray(new byte[64 * 3]), 0, IPMC);
        for (Sent sent : multicastBy(Engines.of(0, 3), 3)) {
            last.onDatagram(0, Arrival.of(sent.datagram()));
        }
        assertThat(Engines.pollReliable(last, 0)).isEmpty();
        assertThat(reported(last, 20 * MS)).isEqualTo(3);
    }

    /** Something holds the second stage up for a death timeout; only then it is asked for. */
    @Test
    void aSecondStageThatBreaksDownIsNoDeadEnd() {
        BroadcastEngine last = Engines.of(2, 3);
        last.call(0, MemorySegment.ofArray(new byte[64 * 3]), 0, IPMC);
        List<Sent> sent = multicastBy(Engines.of(0, 3), 3);
        last.onDatagram(0, Arrival.of(sent.get(0).datagram()));
        last.onDatagram(0, Arrival.of(sent.get(2).datagram()));
        List<Long> askedNs = new ArrayList<>();
        for (long nowNs = 0; nowNs <= 1_100 * MS; nowNs += MS) {
            for (int rank = 0; rank < 2; rank++) {
                Forged have = Forged.of(DatagramType.HAVE, rank).sequence(3);
                last.onDatagram(nowNs, Arrival.of(have.seal()));
            }
            boolean asks =
                    Engines.pollAfterTimeout(last, nowNs).stream()
                            .anyMatch(it -> it.type() == DatagramType.REPAIR_REQUEST);
            if (asks) {
                askedNs.add(nowNs);
            }
        }
        assertThat(askedNs).isNotEmpty();
        assertThat(askedNs.getFirst()).isEqualTo(1_000 * MS);
    }

    private static void assertNobodyAsks(Tap tap) {
        assertThat(tap.unicast(DatagramType.REPAIR_REQUEST)).isZero();
        assertThat(tap.repairs()).isZero();
    }

    private static final int[] RANKS = {2, 3, 4, 5, 8, 17, 33};

    private static List<Step> script(RandomStream random, int ranks) {
        List<Step> script = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int bytes = random.chance(0.5) ? random.nextInt(300) : random.nextInt(100_000);
            Step step = new Step(random.nextInt(ranks), bytes, Algorithm.IPMC);
            script.add(random.chance(0.15) ? Step.BARRIER : step);
        }
        return script;
    }

    private static void assertLossIsNotAskedFor(long seed) {
        RandomStream random = RandomStream.of(seed, "ipmc");
        int ranks = RANKS[random.nextInt(RANKS.length)];
        Tap tap = new Tap();
        long lateNs = random.chance(0.5) ? 0 : 20_000_000;
        Shape shape =
                QuietJob.shape()
                        .withWindow(32 << random.nextInt(4))
                        .thinking(rank -> QuietJob.CALL_NS + lateNs * (rank % 3))
                        .callingTogether(1 + random.nextInt(3));
        Fault lossy = Faults.loss(0.2 * random.nextDouble()).during(QuietJob.CALL_NS, LIMIT_NS);
        Fault more = random.chance(0.3) ? Faults.uplinkLoss(0.1) : Faults.reordering(0.1, MS);
        Fault later = more.during(QuietJob.CALL_NS, LIMIT_NS);
        SimulatedJob job =
                QuietJob.run(ranks, script(random, ranks), shape, seed, tap.fault(), lossy, later);
        assertThat(job.engine(0).groupState()).isEqualTo(GroupState.MULTICAST);
        assertNobodyAsks(tap);
    }

    /** Late ranks, several calls at once, barriers, small windows: no seed makes a rank ask. */
    @Test
    void whateverIsLostNobodyAsks() {
        Seeds.forEach(150, SecondStageTest::assertLossIsNotAskedFor);
    }

    @Tag("slow")
    @Test
    void whateverIsLostNobodyAsksWithManySeeds() {
        Seeds.forEach(1_000, SecondStageTest::assertLossIsNotAskedFor);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 9, 33})
    void withoutLossNobodyAsks(int ranks) {
        Tap tap = new Tap();
        List<Step> script =
                List.of(
                        new Step(0, 0, Algorithm.IPMC),
                        new Step(ranks - 1, 1, Algorithm.IPMC),
                        new Step(1, 200_000, Algorithm.IPMC));
        QuietJob.run(ranks, script, QuietJob.shape(), 1, tap.fault());
        assertNobodyAsks(tap);
    }

    /** Nothing at all comes by multicast to a rank: everything comes down the chain. */
    @ParameterizedTest
    @CsvSource({"5, 1", "5, 4", "33, 20"})
    void aRankThatHearsNothingGetsAllFromTheRankBefore(int ranks, int deaf) {
        Tap tap = new Tap();
        List<Step> script = Collections.nCopies(5, new Step(0, 30 * PAYLOAD, Algorithm.IPMC));
        Fault lossy =
                Faults.loss(1)
                        .onlyMulticast()
                        .onNode(deaf)
                        .during(QuietJob.CALL_NS, Long.MAX_VALUE);
        QuietJob.run(ranks, script, QuietJob.shape(), 1, tap.fault(), lossy);
        assertNobodyAsks(tap);
    }

    /** Nor is it when the next broadcast shows that it is missing, while stage 2 is on its way. */
    @Test
    void aLaterBroadcastDoesNotHurryTheSecondStage() {
        Tap tap = new Tap();
        List<Step> script =
                List.of(new Step(0, 60 * PAYLOAD, Algorithm.IPMC), new Step(0, 16, Algorithm.ONCE));
        Fault lossy = Faults.loss(1).onlyMulticast().onNode(4).during(0, AFTER_THE_FIRST_NS);
        QuietJob.run(5, script, QuietJob.shape(), 1, tap.fault(), lossy);
        assertNobodyAsks(tap);
    }

    /** What is lost of another algorithm's messages in between is asked for as ever. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void messagesOfOtherAlgorithmsInBetweenAreRepaired(long seed) {
        Tap tap = new Tap();
        List<Step> script = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            script.add(new Step(i % 3, 20_000, Algorithm.IPMC));
            script.add(new Step(i % 2, 20_000, Algorithm.ONCE));
            script.add(new Step(0, 5_000, Algorithm.CHAIN));
        }
        SimulatedJob job =
                QuietJob.run(
                        6,
                        script,
                        QuietJob.shape().thinking(rank -> rank * MS),
                        seed,
                        tap.fault(),
                        Faults.loss(0.1));
        assertThat(tap.repairs()).isPositive();
        assertThat(job.lastCompletionNs()).isLessThan(SimulatedJob.DEATH_TIMEOUT_NS);
    }

    /** When multicast dies in the middle of a call the second stage does the rest alone. */
    @ParameterizedTest
    @CsvSource({"2, 10", "4, 2000000", "16, 10", "16, 30000000"})
    void theSecondStageGoesOnAloneWhenMulticastHasDied(int ranks, long afterNs) {
        Tap tap = new Tap();
        List<Step> script =
                List.of(new Step(0, 1 << 20, Algorithm.IPMC), new Step(1, 0, Algorithm.IPMC));
        SimulatedJob job =
                new SimulatedJob(
                        ranks,
                        script,
                        FaultPlan.of(
                                tap.fault(), Faults.multicastBlocked(QuietJob.CALL_NS + afterNs)),
                        1,
                        QuietJob.shape());
        long knownNs = QuietJob.CALL_NS + afterNs + 10 * MS;
        job.simulation().at(knownNs, () -> job.engine(ranks - 1).loseGroup(knownNs));
        job.run(LIMIT_NS).assertAllComplete();
        assertThat(job.engine(0).groupState()).isEqualTo(GroupState.UNICAST);
        assertNobodyAsks(tap);
    }

    /** Of a message that is longer than the ring too, all is sent twice: the stages take turns. */
    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 96, 97, 300})
    void nothingIsLeftOut(int fragments) {
        Tap tap = new Tap();
        int ranks = 4;
        Shape shape = QuietJob.shape().withWindow(64);
        int bytes = fragments * PAYLOAD;
        QuietJob.run(ranks, List.of(new Step(0, bytes, Algorithm.IPMC)), shape, 1, tap.fault());
        assertThat(tap.multicast(DatagramType.DATA)).isEqualTo(fragments);
        assertThat(tap.unicast(DatagramType.DATA)).isEqualTo((ranks - 1L) * fragments);
        assertNobodyAsks(tap);
    }
}
