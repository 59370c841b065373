package org.madcast.client.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header that every datagram starts with; all numbers are big-endian.
 *
 * <pre>
 * offset size field
 *      0    1 version (high 4 bits, 1) and algorithm code (low 4 bits)
 *      1    1 type, see {@link DatagramType}
 *      2    2 rank of the sender
 *      4    4 CRC-32C of all other bytes of the datagram
 *      8    8 token of the communicator
 *     16    4 sequence: the low 32 bits of a fragment's number in the communicator's stream
 *     20    4 broadcast: the low 32 bits of the number of the broadcast
 *     24    4 fragment number within the message; the highest bit: sent {@linkplain #isAhead ahead}
 *     28    2 rank of the root
 *     30    1 kind of the call: 0 for a broadcast, else the collective operation it is a part of
 *     31    5 message length in bytes
 *     36      payload
 * </pre>
 *
 * A field that a type does not use is zero. Static accessors over the caller's memory: nothing is
 * allocated, nothing is kept.
 */
public final class DatagramLayout {

    /** Bytes of the header. */
    public static final int HEADER_BYTES = 36;

    /** The version that this library speaks. */
    public static final int VERSION = 1;

    /** The longest message, in bytes: what 40 bits hold. */
    public static final long MAX_MESSAGE_BYTES = (1L << 40) - 1;

    private static final int KIND_SHIFT = 40;

    static final int CHECKSUM_OFFSET = 4;
    static final int TOKEN_OFFSET = 8;
    static final int SEQUENCE_OFFSET = 16;
    static final int FRAGMENT_OFFSET = 24;
    static final int MESSAGE_OFFSET = 28;

    static final int AHEAD = 1 << 31;

    private static final int BROADCAST_OFFSET = 20;

    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private DatagramLayout() {}

    /** Writes version, algorithm, type, sender and token, and zeroes the rest of the header. */
    public static void start(
            MemorySegment out, int algorithm, DatagramType type, int sender, long token) {
        out.asSlice(0, HEADER_BYTES).fill((byte) 0);
        out.set(JAVA_BYTE, 0, (byte) (VERSION << 4 | algorithm));
        out.set(JAVA_BYTE, 1, type.code());
        out.set(U16, 2, (short) sender);
        out.set(U64, TOKEN_OFFSET, token);
    }

    /** Makes a stored fragment another rank's datagram: only type and sender change. */
    public static void restamp(MemorySegment datagram, DatagramType type, int sender) {
        datagram.set(JAVA_BYTE, 1, type.code());
        datagram.set(U16, 2, (short) sender);
    }

    /** Writes the sequence. */
    public static void putSequence(MemorySegment out, long sequence) {
        out.set(U32, SEQUENCE_OFFSET, (int) sequence);
    }

    /**
     * Writes the broadcast that the datagram belongs to.
     *
     * @param message kind and length, as {@link #message} packs them
     */
    public static void putMessage(MemorySegment out, long broadcast, int root, long message) {
        out.set(U32, BROADCAST_OFFSET, (int) broadcast);
        out.set(U64, MESSAGE_OFFSET, messageOf(root, message));
    }

    /** Packs the kind of a call and the length of its message. */
    public static long message(int kind, long lengthBytes) {
        return (long) kind << KIND_SHIFT | lengthBytes;
    }

    /** Writes the fragment number. */
    public static void putFragment(MemorySegment out, long fragment) {
        out.set(U32, FRAGMENT_OFFSET, (int) fragment);
    }

    /** Writes the fragment number of one that is sent {@linkplain #isAhead ahead}. */
    public static void putFragmentAhead(MemorySegment out, long fragment) {
        putFragment(out, fragment | AHEAD);
    }

    /** Writes a 32-bit number into the payload. */
    public static void putPayloadInt(MemorySegment out, int index, int value) {
        out.set(U32, HEADER_BYTES + 4L * index, value);
    }

    static void putChecksum(MemorySegment datagram, int checksum) {
        datagram.set(U32, CHECKSUM_OFFSET, checksum);
    }

    /** The code of the algorithm by which the message travels. */
    public static int algorithm(MemorySegment datagram) {
        return datagram.get(JAVA_BYTE, 0) & 0xf;
    }

    /** The type of a checked datagram. */
    public static DatagramType type(MemorySegment datagram) {
        return DatagramType.of(datagram.get(JAVA_BYTE, 1));
    }

    /** The rank that sent the datagram. */
    public static int sender(MemorySegment datagram) {
        return datagram.get(U16, 2) & 0xffff;
    }

    /** The low 32 bits of the sequence; {@link SequenceNumbers} gives the whole. */
    public static int sequence(MemorySegment datagram) {
        return datagram.get(U32, SEQUENCE_OFFSET);
    }

    /** The low 32 bits of the broadcast's number. */
    public static int broadcast(MemorySegment datagram) {
        return datagram.get(U32, BROADCAST_OFFSET);
    }

    /** The fragment's number within its message. */
    public static long fragment(MemorySegment datagram) {
        return datagram.get(U32, FRAGMENT_OFFSET) & ~AHEAD;
    }

    /**
     * Whether the root sent the fragment before it had all of the stream that precedes it. Then a
     * gap before its message shows no loss.
     */
    public static boolean isAhead(MemorySegment datagram) {
        return (datagram.get(U32, FRAGMENT_OFFSET) & AHEAD) != 0;
    }

    /** The root of the broadcast. */
    public static int root(MemorySegment datagram) {
        return datagram.get(U16, MESSAGE_OFFSET) & 0xffff;
    }

    /** The kind of the call: 0 for a broadcast. */
    public static int kind(MemorySegment datagram) {
        return (int) (datagram.get(U64, MESSAGE_OFFSET) >>> KIND_SHIFT) & 0xff;
    }

    /** The length of the message in bytes. */
    public static long messageBytes(MemorySegment datagram) {
        return datagram.get(U64, MESSAGE_OFFSET) & MAX_MESSAGE_BYTES;
    }

    /** Whether these are the datagram's broadcast, fragment, root, and kind and length. */
    public static boolean isOf(
            MemorySegment datagram, long broadcast, long fragment, int root, long message) {
        long place = (broadcast << 32) | fragment;
        return (datagram.get(U64, BROADCAST_OFFSET) & ~(AHEAD & 0xffff_ffffL)) == place
                && datagram.get(U64, MESSAGE_OFFSET) == messageOf(root, message);
    }

    private static long messageOf(int root, long message) {
        return (long) root << 48 | message;
    }

    /** A 32-bit number of the payload. */
    public static int payloadInt(MemorySegment datagram, int index) {
        return datagram.get(U32, HEADER_BYTES + 4L * index);
    }
}
