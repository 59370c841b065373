package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;

/** Datagrams with the right token and checksum whose content no honest rank would send. */
class HostileDatagramTest {

    private final BroadcastEngine engine = Engines.of(3, 6);

    private void arrives(Forged forged) {
        engine.onDatagram(0, Arrival.of(forged.seal()));
        engine.checkInvariants();
        Engines.pollAfterTimeout(engine, 0);
        engine.checkInvariants();
    }

    /** Sequence -1 is what an empty slot must not be taken for. */
    @Test
    void aRequestForWhatLiesBeforeTheStreamIsNotAnswered() {
        arrives(Forged.request(4, -1, 1));
        assertThat(engine.counters().repairsSent()).isZero();
    }

    @Test
    void aFragmentBeforeTheStreamIsStale() {
        arrives(Forged.fragment(2, -1, 0, 0, 64));
        assertThat(engine.counters().fragmentsUseful()).isZero();
    }

    @Test
    void aWatermarkNeverPassesWhatThisRankConsumed() {
        arrives(Forged.of(DatagramType.WATERMARK, 0).sequence(1_000_000));
    }

    @Test
    void aGoodByeIsNoWatermarkBeyondWhatThisRankConsumed() {
        arrives(Forged.of(DatagramType.BYE, 5).sequence(1_000_000));
    }

    /** A full fragment where the message's short last one is due must not be copied. */
    @Test
    void aFragmentOutOfItsPlaceInTheMessageIsNotCopied() {
        byte[] message = new byte[70];
        engine.call(0, MemorySegment.ofArray(message), 2, 0);
        arrives(Forged.fragment(2, 0, 0, 0, 70));
        arrives(Forged.fragment(2, 1, 0, 0, 70));
        assertThat(message[69]).isZero();
        assertThat(engine.callPending()).isTrue();
        assertThat(engine.counters().rejected()).containsEntry(Rejection.BAD_FIELD, 1L);
    }

    /** The same for a rank that comes late and finds the fragments waiting. */
    @Test
    void aLateCallDoesNotCopyFragmentsOutOfTheirPlaceEither() {
        byte[] message = new byte[70];
        arrives(Forged.fragment(2, 0, 0, 0, 70));
        arrives(Forged.fragment(2, 1, 0, 0, 70));
        engine.call(0, MemorySegment.ofArray(message), 2, 0);
        assertThat(engine.callPending()).isFalse();
        assertThat(engine.failure()).isNotNull();
        assertThat(engine.counters().broadcasts()).isZero();
    }

    /** Each range is cut to the window, and what several of them name is sent once. */
    @Test
    void aRequestOfManyRangesIsBoundedByTheWindow() {
        for (int sequence = 0; sequence < Engines.WINDOW; sequence++) {
            arrives(Forged.fragment(2, sequence, 0, sequence, 64 * Engines.WINDOW));
        }
        int[] ranges = new int[16];
        for (int i = 0; i < ranges.length; i += 2) {
            ranges[i] = -i;
            ranges[i + 1] = Integer.MAX_VALUE;
        }
        arrives(Forged.request(4, ranges));
        assertThat(engine.counters().repairsSent()).isEqualTo(Engines.WINDOW);
        arrives(Forged.request(4, ranges));
        assertThat(engine.counters().repairsSent())
                .as("again within the hold-off")
                .isEqualTo(Engines.WINDOW);
    }
}
