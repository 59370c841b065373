package org.madcast.client.survival;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a rank tells another one so that both survive losses. All numbers are big-endian; a set of
 * ranks is its length in bytes (32 bits) and its bits, of which the lowest is rank 0.
 *
 * <pre>
 * offset  bytes  field
 *      0      1  kind: the code of {@link Kind}
 *      1      3  zero; of WAITS how many calls of the broadcast engine preceded the call, the
 *                lower 24 bits
 *      4      4  number of the agreement; of REVOKE the rank that has revoked; of WAITS the
 *                number of the call
 *      8      8  flags; of WAITS the call
 *     16         absent ranks of the verdict, a set
 *                ranks that the sender knows to be lost, a set
 *                ranks that the sender knows to have closed the communicator, a set
 * </pre>
 *
 * @param kind what it says
 * @param number which agreement of the communicator, counted from 0
 * @param broadcasts of WAITS how many calls of the broadcast engine preceded, modulo 2^24; else 0
 * @param verdict what the sender contributes, proposes or has decided; empty where the kind has
 *     none
 * @param lost the ranks that the sender knows to be lost
 * @param gone the ranks that the sender knows to have closed the communicator
 */
public record Notice(
        Kind kind, int number, int broadcasts, Verdict verdict, BitSet lost, BitSet gone) {

    /** What a notice says. The codes are the wire's, and the order is theirs. */
    public enum Kind {
        /** The communicator is revoked. */
        REVOKE(0),
        /** The coordinator wants to know how far a rank is. */
        ASK(1),
        /** What the sender contributes; it has accepted no verdict. */
        CONTRIBUTE(2),
        /** The sender has accepted this verdict. */
        ACCEPTED(3),
        /** This verdict holds. */
        DECIDED(4),
        /** The coordinator proposes this verdict. */
        PROPOSE(5),
        /** The sender waits for the receiver in a collective call; no part of an agreement. */
        WAITS(6);

        private static final Kind[] BY_CODE = values();

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    static final Verdict NONE = new Verdict(0, new BitSet());

    private static final int FIXED_BYTES = 16;
    private static final int COUNT_BITS = 0xFF_FFFF;

    Notice(Kind kind, int number, Verdict verdict, BitSet lost, BitSet gone) {
        this(kind, number, 0, verdict, lost, gone);
    }

    /** That a rank has revoked the communicator; its number is in the place of an agreement's. */
    public static Notice revocation(int rank) {
        return new Notice(Kind.REVOKE, rank, NONE, new BitSet(), new BitSet());
    }

    /**
     * That a rank waits in a collective call.
     *
     * @param number which of the communicator's collective calls by messages
     * @param broadcasts how many calls of the broadcast engine preceded it
     * @param call what must be the same on all ranks
     */
    public static Notice waiting(int number, int broadcasts, long call) {
        Verdict in = new Verdict(call, new BitSet());
        int count = broadcasts & COUNT_BITS;
        return new Notice(Kind.WAITS, number, count, in, new BitSet(), new BitSet());
    }

    /**
     * How many more of two numbers that are known modulo 2^24 the first one is; may be negative.
     */
    public static int more(int broadcasts, int than) {
        return ((broadcasts - than) << 8) >> 8;
    }

    /** As bytes. */
    public byte[] write() {
        byte[] absent = verdict.absent().toByteArray();
        byte[] dead = lost.toByteArray();
        byte[] closed = gone.toByteArray();
        ByteBuffer out =
                ByteBuffer.allocate(
                        FIXED_BYTES
                                + 3 * Integer.BYTES
                                + absent.length
                                + dead.length
                                + closed.length);
        out.putInt(kind.code << 24 | broadcasts).putInt(number).putLong(verdict.flags());
        out.putInt(absent.length).put(absent);
        out.putInt(dead.length).put(dead);
        return out.putInt(closed.length).put(closed).array();
    }

    /**
     * Reads.
     *
     * @param size how many ranks there are
     * @return null when no rank writes such bytes
     */
    public static @Nullable Notice read(byte[] bytes, int size) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.remaining() < FIXED_BYTES) {
            return null;
        }
        int first = in.getInt();
        int number = in.getInt();
        long flags = in.getLong();
        BitSet absent = set(in, size);
        BitSet lost = absent == null ? null : set(in, size);
        BitSet gone = lost == null ? null : set(in, size);
        int code = first >>> 24;
        if (absent == null
                || lost == null
                || gone == null
                || in.hasRemaining()
                || code >= Kind.BY_CODE.length
                || (code != Kind.WAITS.code && (first & COUNT_BITS) != 0)
                || number < 0) {
            return null;
        }
        int broadcasts = first & COUNT_BITS;
        Verdict verdict = new Verdict(flags, absent);
        return new Notice(Kind.BY_CODE[code], number, broadcasts, verdict, lost, gone);
    }

    private static @Nullable BitSet set(ByteBuffer in, int size) {
        if (in.remaining() < Integer.BYTES) {
            return null;
        }
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            return null;
        }
        byte[] bits = new byte[length];
        in.get(bits);
        BitSet set = BitSet.valueOf(bits);
        return set.length() <= size ? set : null;
    }
}
