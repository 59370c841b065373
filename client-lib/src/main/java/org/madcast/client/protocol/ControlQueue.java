package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/**
 * Control datagrams that wait to be sent, first in, first out, in memory that is reused. When it is
 * full the newest is dropped: every control datagram is repeated by some timer.
 */
final class ControlQueue {

    private static final int CAPACITY = 64;

    /** Where answers and questions end, so that a flood of questions crowds out no life sign. */
    private static final int MOST_ANSWERS = 48;

    /** Fits a datagram with the smallest fragments that may be configured. */
    static final int MAX_BYTES = DatagramLayout.HEADER_BYTES + 256;

    /** Ranges that fit one request: two 32-bit numbers each. */
    static final int MAX_RANGES = (MAX_BYTES - DatagramLayout.HEADER_BYTES) / 8;

    private final MemorySegment memory;
    private final int[] lengths = new int[CAPACITY];
    private final int[] destinations = new int[CAPACITY];
    private final MemorySegment overflow;
    private final int sender;
    private final long token;
    private final Checksum checksum;
    private long head;
    private long tail;

    ControlQueue(int sender, long token, Checksum checksum, Arena arena) {
        this.sender = sender;
        this.token = token;
        this.checksum = checksum;
        this.memory = arena.allocate((long) CAPACITY * MAX_BYTES);
        this.overflow = arena.allocate(MAX_BYTES);
    }

    /** Starts a datagram; the caller fills in what the type carries. */
    MemorySegment add(DatagramType type, int destination, long sequence, int payloadInts) {
        int bytes = DatagramLayout.HEADER_BYTES + 4 * payloadInts;
        MemorySegment datagram = overflow;
        boolean answer =
                type == DatagramType.HAVE
                        || type == DatagramType.PING
                        || type == DatagramType.REPAIR_REQUEST;
        if (tail - head < (answer ? MOST_ANSWERS : CAPACITY)) {
            int slot = (int) (tail++ % CAPACITY);
            lengths[slot] = bytes;
            destinations[slot] = destination;
            datagram = memory.asSlice((long) slot * MAX_BYTES, bytes);
        }
        DatagramLayout.start(datagram, 0, type, sender, token);
        DatagramLayout.putSequence(datagram, sequence);
        return datagram;
    }

    int poll(MemorySegment out, TransmitSlot transmit) {
        if (head == tail) {
            return 0;
        }
        int slot = (int) (head++ % CAPACITY);
        MemorySegment datagram = memory.asSlice((long) slot * MAX_BYTES, lengths[slot]);
        checksum.seal(datagram);
        MemorySegment.copy(datagram, 0, out, 0, lengths[slot]);
        transmit.destination(destinations[slot]);
        return lengths[slot];
    }

    boolean isEmpty() {
        return head == tail;
    }
}
