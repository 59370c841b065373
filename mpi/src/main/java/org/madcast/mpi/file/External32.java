package org.madcast.mpi.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.madcast.mpi.datatype.Elements;

/** MPI's portable representation of data in files: each number with its first byte first. */
public final class External32 {

    /** The longest number; what is longer consists of such. */
    private static final long LONGEST = Long.BYTES;

    private External32() {}

    /**
     * Turns packed data from this machine's representation to the portable one, or back.
     *
     * @param elements of the data's type, whose map is repeated as often as needed
     * @param number the length of all numbers; 0 when they differ
     */
    public static void convert(MemorySegment data, Elements elements, long number) {
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN || elements.count() == 0) {
            return;
        }
        long at = 0;
        while (at < data.byteSize()) {
            at = convert(data, at, elements, number);
        }
    }

    private static long convert(MemorySegment data, long begin, Elements elements, long number) {
        long at = begin;
        if (elements.parts().isEmpty()) {
            long element = elements.bytes() / elements.count();
            long length = number > 0 ? number : Math.min(element, LONGEST);
            long present = Math.min(elements.bytes(), data.byteSize() - begin);
            long end = begin + present / length * length;
            for (; at < end; at += length) {
                reverse(data, at, length);
            }
            return begin + elements.bytes();
        }
        for (long i = 0; i < elements.repeat(); i++) {
            for (Elements part : elements.parts()) {
                at = convert(data, at, part, number);
            }
        }
        return at;
    }

    private static void reverse(MemorySegment data, long at, long length) {
        for (long i = 0; i < length / 2; i++) {
            long other = at + length - 1 - i;
            byte kept = data.get(JAVA_BYTE, at + i);
            data.set(JAVA_BYTE, at + i, data.get(JAVA_BYTE, other));
            data.set(JAVA_BYTE, other, kept);
        }
    }
}
