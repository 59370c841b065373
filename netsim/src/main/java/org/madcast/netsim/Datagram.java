package org.madcast.netsim;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A datagram in flight: a pooled buffer with a count of the events and receive buffers that hold
 * it. All copies that the switch makes share one buffer. When the last holder lets go the bytes are
 * overwritten, so that an engine which kept the segment past its call is found out.
 */
final class Datagram {

    private static final byte POISON = (byte) 0xDB;

    private final DatagramPool pool;
    private final MemorySegment buffer;
    private final MemorySegment readOnly;
    private final ByteBuffer bytes;
    private MemorySegment view;
    private int holders;
    private int from;
    private int destination;
    private int crc;
    private int wireBytes;
    private int frames;
    private boolean reliable;

    Datagram(DatagramPool pool, MemorySegment buffer) {
        this.pool = pool;
        this.buffer = buffer;
        this.readOnly = buffer.asReadOnly();
        this.bytes = buffer.asByteBuffer();
        this.view = readOnly;
    }

    /** The whole buffer, for the node that writes into it. */
    MemorySegment buffer() {
        return buffer;
    }

    /** The datagram's bytes, read-only. */
    MemorySegment view() {
        return view;
    }

    int lengthBytes() {
        return (int) view.byteSize();
    }

    int from() {
        return from;
    }

    /** A node's number or {@link Destination#GROUP}. */
    int destination() {
        return destination;
    }

    boolean isMulticast() {
        return destination == Destination.GROUP;
    }

    /** Whether a connection carries it, so that neither faults nor full queues drop it. */
    boolean isReliable() {
        return reliable;
    }

    /** As {@link #isReliable}; of a datagram that was just sealed. */
    void reliable(boolean byConnection) {
        reliable = byConnection;
    }

    int crc() {
        return crc;
    }

    int wireBytes() {
        return wireBytes;
    }

    int frames() {
        return frames;
    }

    /** Gives a freshly written buffer its length and addresses, held once. */
    void seal(int lengthBytes, int newFrom, int newDestination, Framing framing) {
        if (view.byteSize() != lengthBytes) {
            view = readOnly.asSlice(0, lengthBytes);
        }
        from = newFrom;
        destination = newDestination;
        wireBytes = framing.wireBytes(lengthBytes);
        frames = framing.frames(lengthBytes);
        holders = 1;
        reliable = false;
        updateCrc();
    }

    /** A copy of its own, held once, whose bytes may be changed; then {@link #flipBit}. */
    Datagram copy(Framing framing) {
        Datagram copy = pool.acquire();
        MemorySegment.copy(buffer, 0, copy.buffer, 0, lengthBytes());
        copy.seal(lengthBytes(), from, destination, framing);
        return copy;
    }

    void flipBit(long bit) {
        long index = bit >>> 3;
        byte flipped = (byte) (bytes.get((int) index) ^ (1 << (bit & 7)));
        bytes.put((int) index, flipped);
        updateCrc();
    }

    Datagram hold() {
        holders++;
        return this;
    }

    void release() {
        if (--holders < 0) {
            throw new IllegalStateException("a datagram was released more often than held");
        }
        if (holders == 0) {
            buffer.asSlice(0, lengthBytes()).fill(POISON);
            pool.giveBack(this);
        }
    }

    private void updateCrc() {
        CRC32C checksum = pool.checksum();
        checksum.reset();
        checksum.update(bytes.clear().limit(lengthBytes()));
        bytes.clear();
        crc = (int) checksum.getValue();
    }
}
