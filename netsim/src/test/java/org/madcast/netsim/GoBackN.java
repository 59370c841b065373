package org.madcast.netsim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The smallest reliable protocol that the simulator can be tried on: go-back-N between two nodes. A
 * datagram is [crc, number] with data number as its content, or an acknowledgement [crc, next
 * expected]. {@code total} is 0 on the receiving side.
 */
final class GoBackN implements SimulatedNode {

    static final int DATA_BYTES = 1000;
    private static final int ACK_BYTES = 8;
    private static final int WINDOW = 16;
    private static final long RETRY_NS = 3_000_000;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final int peer;
    private final int total;
    int acknowledged;
    private int next;
    private long retryAtNs = Long.MAX_VALUE;
    int expected;
    private boolean ackDue;
    int garbled;

    GoBackN(int peer, int total) {
        this.peer = peer;
        this.total = total;
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        if (datagram.get(INT, 0) != crc(datagram)) {
            garbled++;
            return;
        }
        int number = datagram.get(INT, 4);
        if (total == 0) {
            expected += number == expected ? 1 : 0;
            ackDue = true;
        } else if (number > acknowledged) {
            acknowledged = number;
            next = Math.max(next, number);
            retryAtNs = acknowledged < total ? nowNs + RETRY_NS : Long.MAX_VALUE;
        }
    }

    @Override
    public void onTimeout(long nowNs) {
        next = acknowledged;
        retryAtNs = nowNs + RETRY_NS;
    }

    @Override
    public long nextDeadlineNs() {
        return retryAtNs;
    }

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        slot.to(peer);
        if (ackDue) {
            ackDue = false;
            return write(out, ACK_BYTES, expected);
        }
        if (next < Math.min(total, acknowledged + WINDOW)) {
            retryAtNs = Math.min(retryAtNs, nowNs + RETRY_NS);
            return write(out, DATA_BYTES, next++);
        }
        return 0;
    }

    private static int write(MemorySegment out, int lengthBytes, int number) {
        MemorySegment datagram = out.asSlice(0, lengthBytes);
        datagram.fill((byte) number);
        datagram.set(INT, 4, number);
        datagram.set(INT, 0, crc(datagram));
        return lengthBytes;
    }

    private static int crc(MemorySegment datagram) {
        CRC32C crc = new CRC32C();
        ByteBuffer bytes = datagram.asSlice(4).asByteBuffer();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
