package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.Faults;

/** Siebert's ipmc between two ranks: everything is multicast, then sent again down the chain. */
class SecondStageTest {

    private static final int FRAGMENTS = 20;
    private static final long AFTER_THE_FIRST_NS = QuietJob.CALL_NS + 4_000_000;

    private final BroadcastEngine root = Engines.of(0, 2);
    private final TransmitSlot slot = new TransmitSlot();
    private final MemorySegment out = MemorySegment.ofArray(new byte[Engines.DATAGRAM_BYTES]);

    @BeforeEach
    void theFirstStageHasLeft() {
        byte[] message = new byte[FRAGMENTS * 64];
        root.call(0, MemorySegment.ofArray(message), 0, Algorithm.IPMC.code());
        for (int i = 0; i < FRAGMENTS; i++) {
            assertThat(root.pollTransmit(0, out, slot)).isEqualTo(Engines.DATAGRAM_BYTES);
            assertThat(slot.destination()).isEqualTo(TransmitSlot.GROUP);
        }
    }

    private void theRestLeavesAndTheCallEnds() {
        assertThat(root.callPending()).isTrue();
        assertThat(Engines.poll(root, 0))
                .filteredOn(sent -> sent.type() == DatagramType.DATA)
                .hasSize(FRAGMENTS)
                .allMatch(sent -> sent.destination() == 1);
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

    /** What stage 1 loses stage 2 brings: the thesis's ranks have no way to ask. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatTheGroupLosesIsNotAskedFor(long seed) {
        Tap tap = new Tap();
        int bytes = 200 * (1472 - DatagramLayout.HEADER_BYTES);
        List<Step> script =
                List.of(new Step(0, bytes, Algorithm.IPMC), new Step(3, bytes, Algorithm.IPMC));
        Fault lossy = Faults.loss(0.3).onlyMulticast();
        QuietJob.run(6, script, QuietJob.shape(), seed, tap.fault(), lossy);
        assertThat(tap.unicast(DatagramType.REPAIR_REQUEST)).isZero();
        assertThat(tap.repairs()).isZero();
    }

    /** Nor is it when the next broadcast shows that it is missing, while stage 2 is on its way. */
    @Test
    void aLaterBroadcastDoesNotHurryTheSecondStage() {
        Tap tap = new Tap();
        int bytes = 60 * (1472 - DatagramLayout.HEADER_BYTES);
        List<Step> script =
                List.of(new Step(0, bytes, Algorithm.IPMC), new Step(0, 16, Algorithm.ONCE));
        Fault lossy = Faults.loss(1).onlyMulticast().onNode(4).during(0, AFTER_THE_FIRST_NS);
        QuietJob.run(5, script, QuietJob.shape(), 1, tap.fault(), lossy);
        assertThat(tap.unicast(DatagramType.REPAIR_REQUEST)).isZero();
    }

    /** Stage 2 is reliable: what it loses too is asked for, at the rank before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatBothStagesLoseIsRepairedByTheRankBefore(long seed) {
        Tap tap = new Tap();
        int bytes = 200 * (1472 - DatagramLayout.HEADER_BYTES);
        List<Step> script = List.of(new Step(0, bytes, Algorithm.IPMC));
        QuietJob.run(6, script, QuietJob.shape(), seed, tap.fault(), Faults.loss(0.1));
        assertThat(tap.unicast(DatagramType.REPAIR)).isPositive();
        assertThat(tap.multicast(DatagramType.GROUP_REPAIR)).isZero();
    }

    /** Of a message that is longer than the ring too, all is sent twice: the stages take turns. */
    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 96, 97, 300})
    void nothingIsLeftOut(int fragments) {
        Tap tap = new Tap();
        int ranks = 4;
        Shape shape = QuietJob.shape().withWindow(64);
        int bytes = fragments * (1472 - DatagramLayout.HEADER_BYTES);
        QuietJob.run(ranks, List.of(new Step(0, bytes, Algorithm.IPMC)), shape, 1, tap.fault());
        assertThat(tap.multicast(DatagramType.DATA)).isEqualTo(fragments);
        assertThat(tap.unicast(DatagramType.DATA)).isEqualTo((ranks - 1L) * fragments);
        assertThat(tap.repairs()).isZero();
    }
}
