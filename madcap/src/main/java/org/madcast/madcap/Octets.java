package org.madcast.madcap;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Immutable bytes, equal by content and ordered as unsigned numbers. Bytes given in and taken out
 * are copied.
 */
public final class Octets implements Comparable<Octets> {

    /** No bytes. */
    public static final Octets EMPTY = new Octets(new byte[0]);

    private final byte[] bytes;

    private Octets(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A copy of these bytes. */
    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Octets(bytes.clone());
    }

    /** The bytes written in hexadecimal digits, for instance {@code "00ff10"}. */
    public static Octets ofHex(String digits) {
        return new Octets(HexFormat.of().parseHex(digits));
    }

    /** The next bytes of a buffer, whose position moves past them. */
    public static Octets read(ByteBuffer source, int lengthBytes) {
        if (lengthBytes < 0 || lengthBytes > source.remaining()) {
            throw new IllegalArgumentException(
                    lengthBytes + " bytes of a buffer that has " + source.remaining());
        }
        byte[] copy = new byte[lengthBytes];
        source.get(copy);
        return new Octets(copy);
    }

    /** How many bytes there are. */
    public int lengthBytes() {
        return bytes.length;
    }

    /** One byte, 0 to 255. */
    public int at(int index) {
        return bytes[index] & 0xff;
    }

    /** A copy of the bytes, the caller's own. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    @Override
    public int compareTo(Octets other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The bytes in hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
