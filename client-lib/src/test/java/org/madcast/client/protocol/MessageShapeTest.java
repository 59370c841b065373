package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

class MessageShapeTest {

    private static final int PAYLOAD_BYTES = 64;

    private final MessageShape shape =
            new MessageShape(DatagramLayout.HEADER_BYTES + PAYLOAD_BYTES);

    private static Datagram datagram(long messageBytes, long fragment, int payloadBytes) {
        MemorySegment datagram =
                MemorySegment.ofArray(new byte[DatagramLayout.HEADER_BYTES + payloadBytes]);
        DatagramLayout.putMessage(datagram, 0, 0, messageBytes);
        DatagramLayout.putFragment(datagram, fragment);
        return Datagram.of(datagram);
    }

    @Test
    void fragmentsCoverTheMessageWithoutOverlap() {
        for (long messageBytes = 0; messageBytes < 10 * PAYLOAD_BYTES; messageBytes++) {
            long covered = 0;
            for (long fragment = 0; fragment < shape.fragments(messageBytes); fragment++) {
                assertThat(shape.offset(fragment)).isEqualTo(covered);
                int bytes = shape.payloadBytes(messageBytes, fragment);
                boolean last = fragment == shape.fragments(messageBytes) - 1;
                assertThat(bytes).isBetween(last ? 0 : PAYLOAD_BYTES, PAYLOAD_BYTES);
                covered += bytes;
            }
            assertThat(covered).isEqualTo(messageBytes);
        }
    }

    @Test
    void anEmptyMessageIsOneEmptyFragment() {
        assertThat(shape.fragments(0)).isEqualTo(1);
        assertThat(shape.fits(datagram(0, 0, 0))).isTrue();
        assertThat(shape.fits(datagram(0, 0, 1))).isFalse();
        assertThat(shape.fits(datagram(0, 1, 0))).isFalse();
    }

    @Test
    void aDatagramFitsOnlyWithTheLengthThatItsPlaceHas() {
        long messageBytes = 2 * PAYLOAD_BYTES + 5;
        assertThat(shape.fits(datagram(messageBytes, 0, PAYLOAD_BYTES))).isTrue();
        assertThat(shape.fits(datagram(messageBytes, 1, PAYLOAD_BYTES - 1))).isFalse();
        assertThat(shape.fits(datagram(messageBytes, 2, 5))).isTrue();
        assertThat(shape.fits(datagram(messageBytes, 2, PAYLOAD_BYTES))).isFalse();
        assertThat(shape.fits(datagram(messageBytes, 3, 0))).isFalse();
    }

    /** 48 bits of length and 32 of fragment number, at the small end of datagram sizes. */
    @Test
    void theLongestMessageDoesNotOverflow() {
        long longest = DatagramLayout.MAX_MESSAGE_BYTES;
        long fragments = shape.fragments(longest);
        assertThat(shape.offset(fragments - 1)).isLessThan(longest);
        assertThat(shape.payloadBytes(longest, fragments - 1)).isEqualTo(PAYLOAD_BYTES - 1);
        assertThat(shape.fits(datagram(longest, 0xffff_ffffL, PAYLOAD_BYTES))).isTrue();
    }
}
