package org.madcast.madcap.codec;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Damages datagrams: blindly, and where an option begins, has its length or could stand twice. */
final class Mutations {

    private static final int[] TELLING = {0, 1, 2, 3, 4, 6, 17, 127, 128, 255};

    private Mutations() {}

    static byte[] apply(RandomGenerator random, byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        byte[] copy = bytes.clone();
        int at = random.nextInt(bytes.length);
        List<Integer> options = optionOffsets(bytes);
        int option = options.isEmpty() ? 0 : options.get(random.nextInt(options.size()));
        switch (random.nextInt(9)) {
            case 0 -> copy[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> copy[at] = (byte) TELLING[random.nextInt(TELLING.length)];
            case 2 -> copy = Arrays.copyOf(bytes, at);
            case 3 -> copy = Arrays.copyOf(bytes, bytes.length + random.nextInt(1, 6));
            case 4 -> set(copy, option + 3, TELLING[random.nextInt(TELLING.length)]);
            case 5 -> set(copy, option + 1, random.nextInt(19));
            case 6 -> copy = spliced(bytes, option, optionAt(bytes, option));
            case 7 -> set(copy, 1, random.nextInt(10));
            default -> copy = shortened(random, bytes, option);
        }
        return copy;
    }

    private static void set(byte[] bytes, int at, int value) {
        if (at < bytes.length) {
            bytes[at] = (byte) value;
        }
    }

    /** Takes a byte out of an option and its length, so that the frame stays whole. */
    private static byte[] shortened(RandomGenerator random, byte[] bytes, int option) {
        byte[] whole = optionAt(bytes, option);
        if (whole.length <= 4) {
            return bytes;
        }
        byte[] without = Arrays.copyOf(bytes, bytes.length - 1);
        int at = option + 4 + random.nextInt(whole.length - 4);
        System.arraycopy(bytes, at + 1, without, at, bytes.length - at - 1);
        without[option + 3]--;
        return without;
    }

    private static byte[] spliced(byte[] bytes, int at, byte[] more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        out.writeBytes(more);
        out.write(bytes, at, bytes.length - at);
        return out.toByteArray();
    }

    private static byte[] optionAt(byte[] bytes, int at) {
        if (at + 4 > bytes.length) {
            return new byte[0];
        }
        int end = Math.min(bytes.length, at + 4 + u16(bytes, at + 2));
        return Arrays.copyOfRange(bytes, at, end);
    }

    private static List<Integer> optionOffsets(byte[] bytes) {
        List<Integer> offsets = new ArrayList<>();
        for (int at = 8; at + 4 <= bytes.length; at += 4 + u16(bytes, at + 2)) {
            offsets.add(at);
        }
        return offsets;
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 255) << 8 | (bytes[at + 1] & 255);
    }
}
