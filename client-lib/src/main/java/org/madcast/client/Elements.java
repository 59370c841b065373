package org.madcast.client;

import java.lang.foreign.MemorySegment;

/**
 * Elements of one primitive type in memory: an array or a part of one, as the argument of a message
 * or a collective operation (MPI's buffer, count and datatype). It is a view: it copies nothing,
 * and the array is the library's as long as the call says of its buffers. Immutable.
 *
 * @param memory where they lie, in the machine's byte order
 * @param type the type of each
 */
public record Elements(MemorySegment memory, ElementType type) {

    /**
     * Elements in memory of the caller's choice.
     *
     * @throws IllegalArgumentException when the memory is no whole number of elements
     */
    public Elements {
        if (memory.byteSize() % type.bytes() != 0) {
            throw new IllegalArgumentException(
                    "memory of %d bytes is no whole number of %s of %d bytes"
                            .formatted(memory.byteSize(), type, type.bytes()));
        }
    }

    /** How many they are. */
    public long length() {
        return memory.byteSize() / type.bytes();
    }

    /** A whole array. */
    public static Elements of(double[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.DOUBLE);
    }

    /**
     * A part of an array.
     *
     * @param offset the first element, counted from 0
     * @param length how many elements, 0 being valid
     * @throws IllegalArgumentException when these are not in the array
     */
    public static Elements of(double[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(float[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.FLOAT);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(float[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(long[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.LONG);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(long[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(int[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.INT);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(int[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(short[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.SHORT);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(short[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(char[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.CHAR);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(char[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /** As {@link #of(double[])}. */
    public static Elements of(byte[] array) {
        return new Elements(MemorySegment.ofArray(array), ElementType.BYTE);
    }

    /** As {@link #of(double[], int, int)}. */
    public static Elements of(byte[] array, int offset, int length) {
        return of(array).part(offset, length);
    }

    /**
     * Some of these.
     *
     * @param offset the first, counted from 0
     * @param length how many, 0 being valid
     * @throws IllegalArgumentException when they are not among these
     */
    public Elements part(long offset, long length) {
        if (offset < 0 || offset > length()) {
            throw new IllegalArgumentException("offset " + offset + " is outside 0 to " + length());
        }
        if (length < 0 || length > length() - offset) {
            throw new IllegalArgumentException(
                    "length %d is outside 0 to %d, what %d elements have from offset %d on"
                            .formatted(length, length() - offset, length(), offset));
        }
        return new Elements(memory.asSlice(offset * type.bytes(), length * type.bytes()), type);
    }

    /** Each rank's part, one behind the other, in bytes. */
    Parts packed(int[] counts) {
        long[] bytes = new long[counts.length];
        for (int rank = 0; rank < bytes.length; rank++) {
            if (counts[rank] < 0) {
                throw new IllegalArgumentException(
                        "count %d of rank %d is negative".formatted(counts[rank], rank));
            }
            bytes[rank] = (long) counts[rank] * type.bytes();
        }
        return Parts.packed(bytes);
    }

    /** The operation on elements of this type, which must be the other's too. */
    ReduceOperation operation(ReduceOperation.Kind kind, Elements other) {
        checkSameType(other);
        return ReduceOperation.of(kind, type);
    }

    /** Of a collective operation, before it sends anything. */
    void checkSameType(Elements other) {
        if (type != other.type) {
            throw new IllegalArgumentException(
                    "the type %s of what is received is not that of the data, %s"
                            .formatted(other.type, type));
        }
    }
}
