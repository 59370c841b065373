package org.madcast.madcap.codec;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Octets;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.DecodeResult.Decoded;
import org.madcast.madcap.codec.DecodeResult.Fault;
import org.madcast.madcap.codec.DecodeResult.Invalid;
import org.madcast.madcap.codec.DecodeResult.RejectReason;
import org.madcast.madcap.codec.DecodeResult.Rejected;

/**
 * Reads messages. Whatever the bytes are, the answer is a {@link DecodeResult} and never an
 * exception. The layout is that of {@link MadcapEncoder}.
 *
 * <p>First the frame: length, version, and options up to one End that is last and empty; what fails
 * here is rejected. Then the type and, in the order of the bytes, the contents; the first fault
 * makes the message invalid, and the lease identifier is still looked for, since an answer needs
 * it. An option that is not defined is kept as it is; should it be repeated, the first one is.
 *
 * <p>Stateless; may be called from any thread.
 */
public final class MadcapDecoder {

    private static final int HEADER_BYTES = 8;
    private static final int OPTION_HEADER_BYTES = 4;

    private MadcapDecoder() {}

    /** Reads a whole array. */
    public static DecodeResult decode(byte[] datagram) {
        return decode(ByteBuffer.wrap(datagram));
    }

    /** Reads what remains of a buffer, of whatever byte order, and leaves the buffer unchanged. */
    public static DecodeResult decode(ByteBuffer datagram) {
        ByteBuffer in = datagram.slice().order(ByteOrder.BIG_ENDIAN);
        if (in.remaining() < Message.MIN_BYTES) {
            return new Rejected(RejectReason.TOO_SHORT);
        }
        if (in.get(0) != 0) {
            return new Rejected(RejectReason.WRONG_VERSION);
        }
        RejectReason broken = checkFrame(in);
        return broken != null ? new Rejected(broken) : contents(in);
    }

    private static @Nullable RejectReason checkFrame(ByteBuffer in) {
        int at = HEADER_BYTES;
        while (in.limit() - at >= OPTION_HEADER_BYTES) {
            int code = u16(in, at);
            int lengthBytes = u16(in, at + 2);
            at += OPTION_HEADER_BYTES;
            if (code == Option.Kind.END.code()) {
                if (lengthBytes != 0) {
                    return RejectReason.END_WITH_LENGTH;
                }
                return at == in.limit() ? null : RejectReason.BYTES_AFTER_END;
            }
            if (lengthBytes > in.limit() - at) {
                return RejectReason.TRUNCATED_OPTION;
            }
            at += lengthBytes;
        }
        return at == in.limit() ? RejectReason.NO_END : RejectReason.TRUNCATED_OPTION;
    }

    private static DecodeResult contents(ByteBuffer in) {
        MessageType type = MessageType.ofCode(in.get(1) & 0xff);
        if (type == null) {
            return invalid(in, Fault.UNKNOWN_TYPE, Option.Kind.NO_OPTION);
        }
        AddressFamily family = new AddressFamily(u16(in, 2));
        List<Option> options = new ArrayList<>();
        Set<Integer> codes = new HashSet<>();
        int at = HEADER_BYTES;
        for (int code = u16(in, at); code != Option.Kind.END.code(); code = u16(in, at)) {
            ByteBuffer value = valueAt(in, at);
            at += OPTION_HEADER_BYTES + value.remaining();
            Option.Kind kind = Option.Kind.ofCode(code);
            boolean isNew = codes.add(code);
            if (kind == null) {
                if (isNew) {
                    options.add(new Option.Unknown(code, Octets.read(value, value.remaining())));
                }
                continue;
            }
            if (!isNew) {
                return invalid(in, Fault.REPEATED_OPTION, code);
            }
            Option option = readOption(kind, family, value);
            if (option == null) {
                return invalid(in, Fault.BAD_OPTION, code);
            }
            options.add(option);
        }
        return new Decoded(new Message(type, family, in.getInt(4), options));
    }

    /** The option, null when its value is not as its definition demands. */
    private static @Nullable Option readOption(
            Option.Kind kind, AddressFamily family, ByteBuffer value) {
        try {
            Option option = OptionCodec.read(kind, family, value);
            return value.hasRemaining() ? null : option;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    private static Invalid invalid(ByteBuffer in, Fault fault, int optionCode) {
        return new Invalid(
                in.get(1) & 0xff, u16(in, 2), in.getInt(4), onlyLeaseId(in), fault, optionCode);
    }

    /** The lease identifier of a message whose frame is sound, null when it has not exactly one. */
    private static @Nullable LeaseId onlyLeaseId(ByteBuffer in) {
        LeaseId found = null;
        int at = HEADER_BYTES;
        for (int code = u16(in, at); code != Option.Kind.END.code(); code = u16(in, at)) {
            ByteBuffer value = valueAt(in, at);
            at += OPTION_HEADER_BYTES + value.remaining();
            if (code == Option.Kind.LEASE_IDENTIFIER.code()) {
                if (found != null || !value.hasRemaining()) {
                    return null;
                }
                found = new LeaseId(Octets.read(value, value.remaining()));
            }
        }
        return found;
    }

    private static ByteBuffer valueAt(ByteBuffer in, int at) {
        return in.slice(at + OPTION_HEADER_BYTES, u16(in, at + 2));
    }

    private static int u16(ByteBuffer in, int at) {
        return in.getShort(at) & 0xffff;
    }
}
