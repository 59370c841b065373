package org.madcast.client.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A datagram that arrived, where it lies in larger memory, with the fields of its header, which are
 * read once: the layout is {@link DatagramLayout}'s. One such object serves for all that arrive in
 * its memory, one after the other; nothing is allocated for each. Not thread-safe.
 */
public final class Datagram {

    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private int at;
    private int length;

    /** Bytes 0 to 7: version, algorithm, type, sender and checksum. */
    private long first;

    private long token;

    /** Bytes 16 to 23: sequence and broadcast. */
    private long place;

    private int fragment;

    /** Bytes 28 to 35: root and message length. */
    private long message;

    /** No datagram yet; those to come lie in this memory, of two GiB at most. */
    public Datagram(MemorySegment memory) {
        this.memory = memory;
        bytes = memory.asByteBuffer();
    }

    /** The datagram that is all of this memory. */
    public static Datagram of(MemorySegment datagram) {
        return new Datagram(datagram).lay(0, (int) datagram.byteSize());
    }

    /**
     * Lays it upon what arrived last. The fields of one that is shorter than a header are
     * undefined.
     *
     * @param newAt where in the memory it begins
     * @param newLength in bytes
     */
    public Datagram lay(int newAt, int newLength) {
        at = newAt;
        length = newLength;
        if (newLength >= DatagramLayout.HEADER_BYTES) {
            bytes.clear();
            first = bytes.getLong(newAt);
            token = bytes.getLong(newAt + DatagramLayout.TOKEN_OFFSET);
            place = bytes.getLong(newAt + DatagramLayout.SEQUENCE_OFFSET);
            fragment = bytes.getInt(newAt + DatagramLayout.FRAGMENT_OFFSET);
            message = bytes.getLong(newAt + DatagramLayout.MESSAGE_OFFSET);
        }
        return this;
    }

    /** Its length. */
    public int byteSize() {
        return length;
    }

    /** Its bytes, in place: valid until the next one is laid here. */
    public MemorySegment segment() {
        return memory.asSlice(at, length);
    }

    /** Copies its bytes. */
    public void copyTo(MemorySegment target, long offset) {
        MemorySegment.copy(memory, at, target, offset, length);
    }

    /** Its first two bytes, which name the sender of a sealed one. */
    public int firstShort() {
        return (int) (first >>> 48);
    }

    /** Whether the checksum fits; 0 means, as in UDP, that the sender computed none. */
    boolean matches(Checksum checksum) {
        int given = (int) first;
        return given == 0 || checksum.compute(bytes, at, at + length) == given;
    }

    int version() {
        return (int) (first >>> 60);
    }

    long token() {
        return token;
    }

    byte typeCode() {
        return (byte) (first >>> 48);
    }

    /** The code of the algorithm by which the message travels. */
    public int algorithm() {
        return (int) (first >>> 56) & 0xf;
    }

    /** The type, once {@link DatagramCheck} has accepted it. */
    public DatagramType type() {
        return DatagramType.of(typeCode());
    }

    /** The rank that sent it. */
    public int sender() {
        return (int) (first >>> 32) & 0xffff;
    }

    /** The low 32 bits of the sequence; {@link SequenceNumbers} gives the whole. */
    public int sequence() {
        return (int) (place >>> 32);
    }

    /** The low 32 bits of the broadcast's number. */
    public int broadcast() {
        return (int) place;
    }

    /** The fragment's number within its message. */
    public long fragment() {
        return fragment & ~DatagramLayout.AHEAD;
    }

    /** As {@link DatagramLayout#isAhead}. */
    public boolean isAhead() {
        return (fragment & DatagramLayout.AHEAD) != 0;
    }

    /** The root of the broadcast. */
    public int root() {
        return (int) (message >>> 48);
    }

    /** The length of the message in bytes. */
    public long messageBytes() {
        return message & DatagramLayout.MAX_MESSAGE_BYTES;
    }
}
