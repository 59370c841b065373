package org.madcast.madcap.codec;

import java.nio.ByteBuffer;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/**
 * Writes messages (RFC 2730, section 2.1).
 *
 * <pre>
 * offset  bytes
 *      0      1  version, 0
 *      1      1  type
 *      2      2  address family
 *      4      4  xid
 *      8      .  options: number (2), length (2), value; the last is End, 00 00 00 00
 * </pre>
 *
 * Stateless; may be called from any thread.
 */
public final class MadcapEncoder {

    /** The most bytes that a message can have in one UDP datagram over IPv4. */
    public static final int MAX_BYTES = 65507;

    private MadcapEncoder() {}

    /**
     * The bytes of a message, the caller's own.
     *
     * @throws IllegalArgumentException when they are more than {@link #MAX_BYTES}
     */
    public static byte[] encode(Message message) {
        WireWriter out = new WireWriter();
        out.u8(0);
        out.u8(message.type().code());
        out.u16(message.family().code());
        out.u32(message.xid());
        for (Option option : message.options()) {
            out.u16(option.code());
            int lengthAt = out.position();
            out.u16(0);
            OptionCodec.write(option, out);
            out.patchU16(lengthAt, out.position() - lengthAt - 2);
        }
        out.u32(0);
        if (out.position() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A message of " + out.position() + " bytes, at most " + MAX_BYTES + " go");
        }
        return out.toByteArray();
    }

    /**
     * Writes a message from the buffer's position on, which moves behind it.
     *
     * @return how many bytes were written
     * @throws IllegalArgumentException when there is not enough room; nothing is written then
     */
    public static int encode(Message message, ByteBuffer out) {
        byte[] bytes = encode(message);
        if (bytes.length > out.remaining()) {
            throw new IllegalArgumentException(
                    "A message of " + bytes.length + " bytes, room for " + out.remaining());
        }
        out.put(bytes);
        return bytes.length;
    }
}
