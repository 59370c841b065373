package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.wire.DatagramType;

/** Siebert's ipmc between two ranks: everything is multicast, then sent again down the chain. */
class SecondStageTest {

    private static final int FRAGMENTS = 20;

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
        root.onDatagram(0, Forged.of(DatagramType.PROGRESS, 1).sequence(FRAGMENTS).seal());
        root.onDatagram(0, Forged.of(DatagramType.BYE, 1).sequence(FRAGMENTS).seal());
        root.onTimeout(0);
        theRestLeavesAndTheCallEnds();
    }
}
