package org.madcast.madcap.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.codec.TableCodec.Hex;

/** Reads and writes the values that {@link TableCodec#GRAMMAR} lays out. */
final class TableValues {

    private static final class Wrong extends IOException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private TableValues() {}

    /** The value, null when the bytes are not as they should be. */
    static @Nullable List<Object> read(List<String> grammar, int family, byte[] bytes) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        List<Object> value = new ArrayList<>();
        try {
            for (String word : grammar) {
                word(word, family, in, value);
            }
            return in.available() == 0 ? value : null;
        } catch (EOFException | Wrong e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void word(String word, int family, DataInputStream in, List<Object> value)
            throws IOException {
        switch (word) {
            case "u16" -> value.add(in.readUnsignedShort());
            case "u32" -> value.add(Integer.toUnsignedLong(in.readInt()));
            case "rest" -> value.add(Hex.of(in.readAllBytes()));
            case "some" -> {
                demand(in.available() >= 1);
                value.add(Hex.of(in.readAllBytes()));
            }
            case "server" -> {
                int serverFamily = in.readUnsignedShort();
                int length = in.available();
                demand(
                        serverFamily == 1
                                ? length == 4
                                : serverFamily == 2 ? length == 16 : length >= 1);
                value.add(serverFamily);
                value.add(Hex.of(in.readAllBytes()));
            }
            case "multicast" -> value.add(multicast(family, in));
            case "codes" -> {
                List<Integer> codes = new ArrayList<>();
                demand(in.available() >= 2);
                while (in.available() > 0) {
                    codes.add(in.readUnsignedShort());
                }
                value.add(codes);
            }
            case "upto" -> {
                int low = in.readUnsignedShort();
                int high = in.readUnsignedShort();
                demand(low <= high);
                value.add(low);
                value.add(high);
            }
            case "tag" -> value.add(tag(in.readAllBytes()));
            case "set" -> {
                TreeSet<Integer> set = new TreeSet<>();
                for (int left = in.readUnsignedShort(); left > 0; left--) {
                    set.add(in.readUnsignedShort());
                }
                value.add(new ArrayList<>(set));
            }
            case "zones" -> value.add(zones(family, in));
            case "ranges" -> value.add(ranges(family, in));
            case "matrix" -> matrix(in, value);
            default -> throw new IllegalArgumentException(word);
        }
    }

    private static Hex multicast(int family, DataInputStream in) throws IOException {
        demand(family == 1 || family == 2);
        byte[] address = new byte[family == 1 ? 4 : 16];
        in.readFully(address);
        demand(isMulticast(number(address), address.length));
        return Hex.of(address);
    }

    /** 224.0.0.0 to 239.255.255.255, or ff00:: and up. */
    private static boolean isMulticast(BigInteger address, int length) {
        int top = address.shiftRight(length * 8 - 8).intValueExact();
        return length == 4 ? top >= 224 && top <= 239 : top == 255;
    }

    private static BigInteger number(byte[] bytes) {
        return new BigInteger(1, bytes);
    }

    private static List<Object> zones(int family, DataInputStream in) throws IOException {
        List<Object> zones = new ArrayList<>();
        TreeSet<BigInteger> ids = new TreeSet<>();
        if (in.available() == 0) {
            return zones;
        }
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            Hex first = multicast(family, in);
            Hex last = multicast(family, in);
            demand(number(first.raw()).compareTo(number(last.raw())) <= 0);
            demand(ids.add(number(first.raw())));
            int ttl = in.readUnsignedByte();
            List<Object> names = new ArrayList<>();
            for (int namesLeft = in.readUnsignedByte(); namesLeft > 0; namesLeft--) {
                int flags = in.readUnsignedByte() & 128;
                byte[] tag = new byte[in.readUnsignedByte()];
                in.readFully(tag);
                byte[] name = new byte[in.readUnsignedByte()];
                in.readFully(name);
                demand(tag.length > 0 && name.length > 0);
                names.add(List.of(flags, tag(tag), utf8(name)));
            }
            zones.add(List.of(first, last, ttl, names));
        }
        return zones;
    }

    private static List<Object> ranges(int family, DataInputStream in) throws IOException {
        List<Object> ranges = new ArrayList<>();
        while (in.available() > 0) {
            Hex first = multicast(family, in);
            int count = in.readUnsignedShort();
            demand(count > 0);
            BigInteger last = number(first.raw()).add(BigInteger.valueOf(count - 1L));
            int length = first.raw().length;
            demand(last.bitLength() <= 8 * length && isMulticast(last, length));
            ranges.add(List.of(first, count));
        }
        return ranges;
    }

    private static void matrix(DataInputStream in, List<Object> value) throws IOException {
        int zones = in.readUnsignedByte();
        int rowLength = (int) Math.ceil((zones - 1) / 8.0);
        byte[] rows = in.readAllBytes();
        demand(rows.length == zones * Math.max(0, rowLength));
        for (int bit = 0; bit < rows.length * 8; bit++) {
            if (bit % (rowLength * 8) >= zones - 1) {
                rows[bit / 8] &= (byte) ~(1 << (7 - bit % 8));
            }
        }
        value.add(zones);
        value.add(Hex.of(rows));
    }

    private static String tag(byte[] bytes) throws Wrong {
        String allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
        List<String> shown = new ArrayList<>();
        for (byte b : bytes) {
            demand(b > 0 && allowed.indexOf(b) >= 0);
            shown.add(Integer.toHexString(b));
        }
        return String.join(".", shown);
    }

    /**
     * RFC 2279 within the limits of Unicode: no overlong forms, no surrogates, no more than 10ffff.
     */
    private static String utf8(byte[] bytes) throws Wrong {
        List<String> shown = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int lead = bytes[at++] & 255;
            int more = lead < 0x80 ? 0 : lead < 0xc0 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
            demand(more >= 0 && lead < 0xf8 && at + more <= bytes.length);
            int point = more == 0 ? lead : lead & (0x3f >> more);
            for (int i = 0; i < more; i++) {
                int next = bytes[at++] & 255;
                demand((next & 0xc0) == 0x80);
                point = point << 6 | (next & 0x3f);
            }
            int[] least = {0, 0x80, 0x800, 0x10000};
            demand(point >= least[more] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
            shown.add(Integer.toHexString(point));
        }
        return String.join(".", shown);
    }

    static byte[] write(List<String> grammar, List<Object> value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int i = 0; i < value.size(); i++) {
            Object item = value.get(i);
            switch (grammar.get(Math.min(i, grammar.size() - 1))) {
                case "u32" -> out.writeInt((int) (long) (Long) item);
                case "u16", "upto" -> writeU16OrHex(item, out);
                case "server", "rest", "some", "multicast" -> writeU16OrHex(item, out);
                case "codes" -> writeAll((List<?>) item, out);
                case "set" -> {
                    out.writeShort(((List<?>) item).size());
                    writeAll((List<?>) item, out);
                }
                case "tag" -> writeText((String) item, out);
                case "zones" -> writeZones((List<?>) item, out);
                case "ranges" -> {
                    for (Object range : (List<?>) item) {
                        writeAll((List<?>) range, out);
                    }
                }
                case "matrix" -> {
                    if (item instanceof Integer zones) {
                        out.write(zones);
                    } else {
                        writeU16OrHex(item, out);
                    }
                }
                default -> throw new IllegalArgumentException(grammar.toString());
            }
        }
        return bytes.toByteArray();
    }

    private static void writeAll(List<?> items, DataOutputStream out) throws IOException {
        for (Object item : items) {
            writeU16OrHex(item, out);
        }
    }

    private static void writeU16OrHex(Object item, DataOutputStream out) throws IOException {
        if (item instanceof Hex hex) {
            out.write(hex.raw());
        } else {
            out.writeShort((Integer) item);
        }
    }

    private static void writeZones(List<?> zones, DataOutputStream out) throws IOException {
        out.write(zones.size());
        for (Object zone : zones) {
            List<?> parts = (List<?>) zone;
            writeU16OrHex(parts.get(0), out);
            writeU16OrHex(parts.get(1), out);
            out.write((Integer) parts.get(2));
            List<?> names = (List<?>) parts.get(3);
            out.write(names.size());
            for (Object name : names) {
                out.write((Integer) ((List<?>) name).get(0));
                for (Object text : ((List<?>) name).subList(1, 3)) {
                    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
                    writeText((String) text, new DataOutputStream(encoded));
                    out.write(encoded.size());
                    encoded.writeTo(out);
                }
            }
        }
    }

    private static void writeText(String points, DataOutputStream out) throws IOException {
        for (String shown :
                points.isEmpty() ? List.<String>of() : List.of(points.split("\\.", -1))) {
            int point = Integer.parseInt(shown, 16);
            int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
            int[] marks = {0, 0xc0, 0xe0, 0xf0};
            out.write(marks[more] | point >> (6 * more));
            for (int left = more - 1; left >= 0; left--) {
                out.write(0x80 | (point >> (6 * left) & 0x3f));
            }
        }
    }

    private static void demand(boolean isSo) throws Wrong {
        if (!isSo) {
            throw new Wrong();
        }
    }
}
