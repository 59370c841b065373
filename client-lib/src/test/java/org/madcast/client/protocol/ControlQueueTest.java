package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramCheck;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

class ControlQueueTest {

    private final ControlQueue queue = Engines.controlQueue(3);

    @Test
    void firstInFirstOutSealedAndWithItsDestination() {
        queue.add(DatagramType.HAVE, 1, 77, 0);
        DatagramLayout.putPayloadInt(queue.add(DatagramType.FAILURE, -1, 0, 6), 5, 42);
        List<Sent> sent = Engines.poll(queue);
        assertThat(sent)
                .extracting(Sent::type)
                .containsExactly(DatagramType.HAVE, DatagramType.FAILURE);
        assertThat(sent).extracting(Sent::destination).containsExactly(1, TransmitSlot.GROUP);
        assertThat(DatagramLayout.sequence(sent.getFirst().datagram())).isEqualTo(77);
        assertThat(DatagramLayout.payloadInt(sent.getLast().datagram(), 5)).isEqualTo(42);
        DatagramCheck check = new DatagramCheck(Engines.TOKEN, 0, 6, 512, true, new Checksum());
        assertThat(sent)
                .allSatisfy(one -> assertThat(check.reject(Datagram.of(one.datagram()))).isNull());
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whenFullTheNewestIsDroppedAndItsMemoryMayStillBeWritten() {
        for (int i = 0; i < 100; i++) {
            DatagramLayout.putFragment(queue.add(DatagramType.HAVE, 1, i, 0), i);
        }
        List<Sent> sent = Engines.poll(queue);
        assertThat(sent).hasSizeBetween(16, 99);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(DatagramLayout.fragment(sent.get(i).datagram())).isEqualTo(i);
        }
    }

    @Test
    void theLongestRequestFits() {
        queue.add(DatagramType.REPAIR_REQUEST, 1, 0, 2 * ControlQueue.MAX_RANGES);
        assertThat(Engines.poll(queue).getFirst().datagram().byteSize())
                .isBetween(ControlQueue.MAX_BYTES - 8L, (long) ControlQueue.MAX_BYTES);
    }
}
