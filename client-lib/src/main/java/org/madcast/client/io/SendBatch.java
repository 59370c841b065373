package org.madcast.client.io;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.protocol.TransmitSlot;

/**
 * Datagrams on their way from an engine to a transport: as many of one length and for one
 * destination as one call can send. A link that cannot follow gets small batches, so that what is
 * urgent does not queue behind much; one that can gets large ones, which cost less. For one thread.
 */
final class SendBatch {

    private static final int FEWEST = 8;
    private static final int MOST = 64;

    private final MemorySegment memory;

    /** Views of where datagrams lie that are all of the full length, as in a stream. */
    private final MemorySegment[] rooms;

    private final int datagramBytes;
    private final int most;
    private final TransmitSlot slot = new TransmitSlot();
    private int limit;
    private int startBytes;
    private int endBytes;
    private int eachBytes;
    private int destination;

    /** Of another length or destination, polled already; it lies at {@link #keptAt}. */
    private int nextBytes;

    private int keptAt;

    SendBatch(Arena arena, int datagramBytes, int batchBytes) {
        this.datagramBytes = datagramBytes;
        most = Math.clamp(batchBytes / datagramBytes, 1, MOST);
        limit = Math.min(FEWEST, most);
        memory = arena.allocate((most + 1L) * datagramBytes, 64);
        rooms = new MemorySegment[most];
        Arrays.setAll(rooms, i -> memory.asSlice((long) i * datagramBytes, datagramBytes));
    }

    private boolean isEmpty() {
        return startBytes == endBytes;
    }

    /**
     * Polls the engine for more, unless the last batch has not left yet.
     *
     * @return whether there is something to send
     */
    boolean fill(ProtocolEngine engine, long nowNs) {
        if (isEmpty()) {
            refill(engine, nowNs);
        }
        return !isEmpty();
    }

    private void refill(ProtocolEngine engine, long nowNs) {
        startBytes = 0;
        endBytes = 0;
        int count = 0;
        while (count < limit) {
            if (nextBytes == 0) {
                nextBytes = engine.pollTransmit(nowNs, room(count), slot);
            } else if (count == 0) {
                MemorySegment.copy(memory, keptAt, memory, 0, nextBytes);
            }
            if (nextBytes == 0) {
                return;
            }
            if (count == 0) {
                eachBytes = nextBytes;
                destination = slot.destination();
            } else if (nextBytes > eachBytes || slot.destination() != destination) {
                keptAt = endBytes;
                return;
            }
            boolean last = nextBytes < eachBytes;
            endBytes += nextBytes;
            nextBytes = 0;
            count++;
            if (last) {
                return;
            }
        }
    }

    private MemorySegment room(int count) {
        return endBytes == count * datagramBytes
                ? rooms[count]
                : memory.asSlice(endBytes, datagramBytes);
    }

    /** How many bytes of what was polled have not left. */
    int waitingBytes() {
        return endBytes - startBytes;
    }

    /** True when all of it is gone; else the socket's buffer is full. */
    boolean send(DatagramTransport transport) {
        MemorySegment rest = memory.asSlice(startBytes, endBytes - startBytes);
        startBytes += transport.send(rest, eachBytes, destination);
        boolean gone = isEmpty();
        limit = gone ? Math.min(limit + 1, most) : Math.min(FEWEST, most);
        return gone;
    }
}
