package org.madcast.madcap.codec;

import java.util.Arrays;
import org.madcast.madcap.Octets;

/** Bytes that grow, in network byte order. */
final class WireWriter {

    private byte[] bytes = new byte[256];
    private int size;

    int position() {
        return size;
    }

    void u8(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) value;
    }

    void u16(int value) {
        u8(value >> 8);
        u8(value);
    }

    void u32(long value) {
        u16((int) (value >> 16));
        u16((int) value);
    }

    void octets(Octets octets) {
        for (int i = 0; i < octets.lengthBytes(); i++) {
            u8(octets.at(i));
        }
    }

    void bytes(byte[] source) {
        for (byte b : source) {
            u8(b);
        }
    }

    void patchU16(int position, int value) {
        bytes[position] = (byte) (value >> 8);
        bytes[position + 1] = (byte) value;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }
}
