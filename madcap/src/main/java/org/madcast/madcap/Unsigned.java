package org.madcast.madcap;

/** Checks of the unsigned numbers that the wire has room for. */
final class Unsigned {

    static final int U8_MAX = 0xff;
    static final int U16_MAX = 0xffff;
    static final long U32_MAX = 0xffff_ffffL;

    private Unsigned() {}

    static int u8(String name, int value) {
        return (int) within(name, value, 0, U8_MAX);
    }

    static int u16(String name, int value) {
        return (int) within(name, value, 0, U16_MAX);
    }

    static long u32(String name, long value) {
        return within(name, value, 0, U32_MAX);
    }

    static long within(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", outside of " + min + " to " + max);
        }
        return value;
    }
}
