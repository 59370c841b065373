package org.madcast.madcap.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A second codec, made from the RFCs' tables in another style and of none of the first one's parts,
 * so that a misreading shows as a difference. Values are plain lists; {@link #GRAMMAR} tells how
 * each option is laid out, in the words that {@link TableValues} interprets.
 */
final class TableCodec {

    /** RFC 2730, sections 3.2 to 3.17, and RFC 2907, section 5, as a table. */
    static final Map<Integer, List<String>> GRAMMAR =
            Map.ofEntries(
                    Map.entry(1, List.of("u32")),
                    Map.entry(2, List.of("server")),
                    Map.entry(3, List.of("some")),
                    Map.entry(4, List.of("multicast")),
                    Map.entry(5, List.of("codes")),
                    Map.entry(6, List.of("u32")),
                    Map.entry(7, List.of("upto")),
                    Map.entry(8, List.of("tag")),
                    Map.entry(9, List.of("zones")),
                    Map.entry(10, List.of("ranges")),
                    Map.entry(11, List.of("u32")),
                    Map.entry(12, List.of("set", "set", "set")),
                    Map.entry(13, List.of("u32")),
                    Map.entry(14, List.of("u32")),
                    Map.entry(15, List.of("u32")),
                    Map.entry(16, List.of("u16", "rest")),
                    Map.entry(17, List.of("matrix")));

    private record RawOption(int code, Hex value) {}

    private record Parsed(int type, int family, int xid, Map<Integer, List<Object>> values) {}

    private TableCodec() {}

    /** What these bytes are, in words that can be compared. */
    static String describe(byte[] datagram) {
        Object result = parse(datagram);
        return result instanceof Parsed p
                ? "message %d %d %08x %s".formatted(p.type, p.family, p.xid, p.values)
                : result.toString();
    }

    /** The bytes that this codec writes for what it read from these. */
    static byte[] reencode(byte[] datagram) {
        if (!(parse(datagram) instanceof Parsed parsed)) {
            throw new IllegalArgumentException("No message");
        }
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.write(0);
            out.write(parsed.type);
            out.writeShort(parsed.family);
            out.writeInt(parsed.xid);
            for (Map.Entry<Integer, List<Object>> option : parsed.values.entrySet()) {
                byte[] value =
                        TableValues.write(
                                GRAMMAR.getOrDefault(option.getKey(), List.of("rest")),
                                option.getValue());
                out.writeShort(option.getKey());
                out.writeShort(value.length);
                out.write(value);
            }
            out.writeInt(0);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Either a {@link Parsed} or a description of what is wrong. */
    private static Object parse(byte[] datagram) {
        if (datagram.length < 12) {
            return "rejected TOO_SHORT";
        }
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(datagram));
            if (in.readUnsignedByte() != 0) {
                return "rejected WRONG_VERSION";
            }
            int type = in.readUnsignedByte();
            int family = in.readUnsignedShort();
            int xid = in.readInt();
            List<RawOption> raw = new ArrayList<>();
            String broken = split(in, raw);
            return broken != null ? broken : interpret(type, family, xid, raw);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String split(DataInputStream in, List<RawOption> raw)
            throws IOException {
        while (in.available() > 0) {
            if (in.available() < 4) {
                return "rejected TRUNCATED_OPTION";
            }
            int code = in.readUnsignedShort();
            int length = in.readUnsignedShort();
            if (code == 0) {
                if (length > 0) {
                    return "rejected END_WITH_LENGTH";
                }
                return in.available() > 0 ? "rejected BYTES_AFTER_END" : null;
            }
            if (in.available() < length) {
                return "rejected TRUNCATED_OPTION";
            }
            raw.add(new RawOption(code, Hex.of(in.readNBytes(length))));
        }
        return "rejected NO_END";
    }

    private static Object interpret(int type, int family, int xid, List<RawOption> raw) {
        String fault = null;
        Set<Integer> seen = new HashSet<>();
        Map<Integer, List<Object>> values = new TreeMap<>();
        if (type < 1 || type > 8) {
            fault = "UNKNOWN_TYPE 65535";
        }
        for (RawOption option : raw) {
            boolean repeated = !seen.add(option.code);
            List<String> grammar = GRAMMAR.get(option.code);
            if (grammar == null) {
                values.putIfAbsent(option.code, List.of(option.value));
                continue;
            }
            List<Object> value = TableValues.read(grammar, family, option.value.raw());
            if (fault == null && repeated) {
                fault = "REPEATED_OPTION " + option.code;
            }
            if (fault == null && value == null) {
                fault = "BAD_OPTION " + option.code;
            }
            if (value != null) {
                values.put(option.code, value);
            }
        }
        if (fault == null) {
            return new Parsed(type, family, xid, values);
        }
        List<RawOption> ids = raw.stream().filter(option -> option.code == 3).toList();
        boolean usable = ids.size() == 1 && !ids.getFirst().value.bytes().isEmpty();
        String id = usable ? ids.getFirst().value.toString() : "-";
        return "invalid %d %d %08x %s %s".formatted(type, family, xid, id, fault);
    }

    /** Bytes that show as hexadecimal digits and compare as numbers. */
    record Hex(List<Integer> bytes) {

        static Hex of(byte... raw) {
            List<Integer> bytes = new ArrayList<>();
            for (byte b : raw) {
                bytes.add(Byte.toUnsignedInt(b));
            }
            return new Hex(bytes);
        }

        byte[] raw() {
            byte[] raw = new byte[bytes.size()];
            for (int i = 0; i < raw.length; i++) {
                raw[i] = bytes.get(i).byteValue();
            }
            return raw;
        }

        @Override
        public String toString() {
            return HexFormat.of().formatHex(raw());
        }
    }
}
