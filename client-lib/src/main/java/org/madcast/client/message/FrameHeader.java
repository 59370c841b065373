package org.madcast.client.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a frame; the body follows. All numbers are big-endian.
 *
 * <pre>
 * offset  bytes  field
 *      0      1  type: the code of {@link Type}
 *      1      3  zero
 *      4      4  tag; -1 where the type has none
 *      8      8  context: which communicator, for EAGER and READY
 *     16      8  id: of the sending operation; for DATA of the receiving one
 *     24      8  other: what the type says
 *     32      8  call: which collective call the message belongs to; 0 for none; the highest bit
 *                says that it has no data of use
 *     40      4  body: how many bytes follow
 * </pre>
 *
 * @param type what the frame is
 * @param tag the message's tag
 * @param context the communicator
 * @param id the operation that the frame belongs to
 * @param other READY: bytes of the message; CLEAR: id of the receiving operation, or -1 when the
 *     message is refused; DATA: offset of the body in the message; CREDIT: bytes that are free
 *     again; LEAVE: {@link #CLOSED} or {@link #GIVEN_UP}
 * @param call the collective call, for EAGER and READY
 * @param bodyBytes bytes of the body
 */
record FrameHeader(
        Type type, int tag, long context, long id, long other, long call, int bodyBytes) {

    static final int BYTES = 44;

    /** The longest body of any frame. */
    static final int MOST_BODY_BYTES = 1 << 18;

    /** LEAVE: the sender has closed its communicators. */
    static final int CLOSED = 0;

    /** LEAVE: the sender counts the receiver as lost. */
    static final int GIVEN_UP = 1;

    /** What a frame is. The codes are the wire's, and the order is theirs. */
    enum Type {
        /** A whole message, sent before the receiver asked. */
        EAGER(0),
        /** A message is ready at its sender (request to send). */
        READY(1),
        /** The receiver has room for it (clear to send). */
        CLEAR(2),
        /** A piece of a message that was cleared. */
        DATA(3),
        /** The receiver has consumed bytes of eager messages. */
        CREDIT(4),
        /** Asks for a PONG. */
        PING(5),
        /** The answer to a PING. */
        PONG(6),
        /** Nothing follows. */
        LEAVE(7),
        /** The collective calls of a context have failed; the body says why. */
        ABORT(8),
        /** What the ranks of a context tell each other to survive losses; empty: it is closed. */
        NOTICE(9);

        private static final Type[] BY_CODE = values();

        private final int code;

        Type(int code) {
            this.code = code;
        }
    }

    static FrameHeader eager(long context, int tag, long id, long call, int bytes) {
        return new FrameHeader(Type.EAGER, tag, context, id, 0, call, bytes);
    }

    static FrameHeader ready(long context, int tag, long id, long call, long messageBytes) {
        return new FrameHeader(Type.READY, tag, context, id, messageBytes, call, 0);
    }

    static FrameHeader clear(long sendId, long receiveId) {
        return new FrameHeader(Type.CLEAR, -1, 0, sendId, receiveId, 0, 0);
    }

    static FrameHeader data(long receiveId, long offset, int bytes) {
        return new FrameHeader(Type.DATA, -1, 0, receiveId, offset, 0, bytes);
    }

    static FrameHeader abort(long context, int bytes) {
        return new FrameHeader(Type.ABORT, -1, context, 0, 0, 0, bytes);
    }

    static FrameHeader notice(long context, int bytes) {
        return new FrameHeader(Type.NOTICE, -1, context, 0, 0, 0, bytes);
    }

    /** A frame of a type that has nothing but a number. */
    static FrameHeader bare(Type type, long other) {
        return new FrameHeader(type, -1, 0, 0, other, 0, 0);
    }

    void write(ByteBuffer to) {
        to.putInt(type.code << 24).putInt(tag).putLong(context).putLong(id).putLong(other);
        to.putLong(call).putInt(bodyBytes);
    }

    /** Reads a header, of which all bytes must be there; null when no rank writes such a one. */
    static @Nullable FrameHeader read(ByteBuffer from) {
        int first = from.getInt();
        int code = first >>> 24;
        int tag = from.getInt();
        long context = from.getLong();
        long id = from.getLong();
        long other = from.getLong();
        long call = from.getLong();
        int bodyBytes = from.getInt();
        if (code >= Type.BY_CODE.length
                || (first & 0xffffff) != 0
                || bodyBytes < 0
                || bodyBytes > MOST_BODY_BYTES) {
            return null;
        }
        Type type = Type.BY_CODE[code];
        boolean mayHaveBody =
                switch (type) {
                    case EAGER, DATA, ABORT, NOTICE -> true;
                    default -> false;
                };
        boolean hasTag = type == Type.EAGER || type == Type.READY;
        boolean valid =
                (bodyBytes == 0 || mayHaveBody)
                        && (hasTag ? tag >= 0 : tag == -1)
                        && other >= (type == Type.CLEAR ? -1 : 0);
        return valid ? new FrameHeader(type, tag, context, id, other, call, bodyBytes) : null;
    }
}
