package org.madcast.mpi.datatype;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.madcast.client.ReduceOperation;

/** Reductions of elements that client-lib has no type for: complex numbers, a value with an int. */
public final class Pairs {

    private Pairs() {}

    /**
     * MPI_MINLOC or MPI_MAXLOC of packed pairs: a value, then the int that is its place.
     *
     * @param value SHORT, INT, LONG, FLOAT or DOUBLE
     */
    public static ReduceOperation extreme(ElementKind value, boolean least) {
        int place = value.bytes();
        int bytes = place + Integer.BYTES;
        return ReduceOperation.of(
                bytes,
                true,
                (left, right) -> {
                    for (long at = 0; at < right.byteSize(); at += bytes) {
                        int order = compare(value, left, right, at);
                        boolean better = least ? order < 0 : order > 0;
                        boolean lower =
                                order == 0
                                        && left.get(JAVA_INT_UNALIGNED, at + place)
                                                < right.get(JAVA_INT_UNALIGNED, at + place);
                        if (better || lower) {
                            MemorySegment.copy(left, at, right, at, bytes);
                        }
                    }
                });
    }

    private static int compare(ElementKind value, MemorySegment a, MemorySegment b, long at) {
        return switch (value) {
            case SHORT ->
                    Short.compare(a.get(JAVA_SHORT_UNALIGNED, at), b.get(JAVA_SHORT_UNALIGNED, at));
            case INT ->
                    Integer.compare(a.get(JAVA_INT_UNALIGNED, at), b.get(JAVA_INT_UNALIGNED, at));
            case LONG ->
                    Long.compare(a.get(JAVA_LONG_UNALIGNED, at), b.get(JAVA_LONG_UNALIGNED, at));
            case FLOAT ->
                    Float.compare(a.get(JAVA_FLOAT_UNALIGNED, at), b.get(JAVA_FLOAT_UNALIGNED, at));
            case DOUBLE ->
                    Double.compare(
                            a.get(JAVA_DOUBLE_UNALIGNED, at), b.get(JAVA_DOUBLE_UNALIGNED, at));
            default -> throw new IllegalArgumentException("pairs of " + value);
        };
    }

    /** The sum of complex numbers of two floats or doubles. */
    public static ReduceOperation complexSum(ElementKind part) {
        return complex(part, false);
    }

    /** The product of complex numbers of two floats or doubles. */
    public static ReduceOperation complexProduct(ElementKind part) {
        return complex(part, true);
    }

    private static ReduceOperation complex(ElementKind part, boolean product) {
        int half = part.bytes();
        return ReduceOperation.of(
                2 * half,
                true,
                (left, right) -> {
                    for (long at = 0; at < right.byteSize(); at += 2L * half) {
                        double a = get(part, left, at);
                        double b = get(part, left, at + half);
                        double c = get(part, right, at);
                        double d = get(part, right, at + half);
                        set(part, right, at, product ? a * c - b * d : a + c);
                        set(part, right, at + half, product ? a * d + b * c : b + d);
                    }
                });
    }

    private static double get(ElementKind part, MemorySegment from, long at) {
        return part == ElementKind.FLOAT
                ? from.get(JAVA_FLOAT_UNALIGNED, at)
                : from.get(JAVA_DOUBLE_UNALIGNED, at);
    }

    private static void set(ElementKind part, MemorySegment to, long at, double value) {
        if (part == ElementKind.FLOAT) {
            to.set(JAVA_FLOAT_UNALIGNED, at, (float) value);
        } else {
            to.set(JAVA_DOUBLE_UNALIGNED, at, value);
        }
    }
}
