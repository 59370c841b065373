package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;

/**
 * How a reduction combines two contributions (MPI_Op). The predefined ones commute; so does one of
 * a user's who says so. Whatever it is, it must be associative, and the same on every rank.
 *
 * <p>For a number of ranks and an algorithm the order of the operands is fixed, so results are the
 * same in every run, to the last bit.
 */
public final class ReduceOperation {

    /** The predefined operations. */
    public enum Kind {
        /** The sum (MPI_SUM). */
        SUM,
        /** The product (MPI_PROD). */
        PRODUCT,
        /** The least (MPI_MIN). */
        MIN,
        /** The greatest (MPI_MAX). */
        MAX,
        /** 1 when both are not 0, else 0 (MPI_LAND); of integers. */
        LOGICAL_AND,
        /** 1 unless both are 0 (MPI_LOR); of integers. */
        LOGICAL_OR,
        /** 1 when exactly one is not 0 (MPI_LXOR); of integers. */
        LOGICAL_XOR,
        /** Bit by bit (MPI_BAND); of integers. */
        BITWISE_AND,
        /** Bit by bit (MPI_BOR); of integers. */
        BITWISE_OR,
        /** Bit by bit (MPI_BXOR); of integers. */
        BITWISE_XOR,
        /**
         * Of pairs (value, place): the least value, and of equal ones the lowest place
         * (MPI_MINLOC).
         */
        MIN_PLACE,
        /**
         * Of pairs (value, place): the greatest value, and of equal ones the lowest place
         * (MPI_MAXLOC).
         */
        MAX_PLACE
    }

    /** Combines many elements. */
    @FunctionalInterface
    public interface Combiner {
        /**
         * Sets each element of {@code right} to {@code left} combined with it. Called on a thread
         * of the caller's or of the library's; must not block and must not call the communicator.
         *
         * @param left the contributions of lower ranks; not to be changed
         * @param right the contributions of higher ranks, and the result
         */
        void combine(MemorySegment left, MemorySegment right);
    }

    private static final int BLOCK_ELEMENTS = 512;

    private final String name;
    private final int elementBytes;
    private final boolean commutes;
    private final Combiner combiner;

    private ReduceOperation(String name, int elementBytes, boolean commutes, Combiner combiner) {
        this.name = name;
        this.elementBytes = elementBytes;
        this.commutes = commutes;
        this.combiner = combiner;
    }

    /**
     * A predefined operation.
     *
     * @throws IllegalArgumentException when the operation does not know the type: logical and
     *     bitwise ones of floating-point numbers
     */
    public static ReduceOperation of(Kind kind, ElementType type) {
        boolean pairs = kind == Kind.MIN_PLACE || kind == Kind.MAX_PLACE;
        boolean floating = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        Combiner combiner =
                pairs
                        ? pairs(kind == Kind.MIN_PLACE, type)
                        : floating ? floating(kind, type) : integers(kind, type);
        int bytes = pairs ? 2 * type.bytes() : type.bytes();
        return new ReduceOperation(kind + " of " + type, bytes, true, combiner);
    }

    /** The sum of such elements. */
    public static ReduceOperation sum(ElementType type) {
        return of(Kind.SUM, type);
    }

    /** The least of such elements. */
    public static ReduceOperation min(ElementType type) {
        return of(Kind.MIN, type);
    }

    /** The greatest of such elements. */
    public static ReduceOperation max(ElementType type) {
        return of(Kind.MAX, type);
    }

    /**
     * A user's own operation (MPI_Op_create).
     *
     * @param elementBytes the length of an element, which is never divided
     * @param commutes whether the operands may change places; else the order of ranks is kept
     */
    public static ReduceOperation of(int elementBytes, boolean commutes, Combiner combiner) {
        if (elementBytes < 1) {
            throw new IllegalArgumentException("elements of " + elementBytes + " bytes");
        }
        return new ReduceOperation("a user's operation", elementBytes, commutes, combiner);
    }

    /** The length of an element, in bytes. */
    public int elementBytes() {
        return elementBytes;
    }

    /** Whether the operands may change places. */
    public boolean commutes() {
        return commutes;
    }

    /** Sets each element of {@code right} to {@code left} combined with it. */
    public void combine(MemorySegment left, MemorySegment right) {
        combiner.combine(left, right);
    }

    private static LongBinaryOperator ofIntegers(Kind kind) {
        return switch (kind) {
            case SUM -> Long::sum;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            case LOGICAL_AND -> (a, b) -> a != 0 && b != 0 ? 1 : 0;
            case LOGICAL_OR -> (a, b) -> a != 0 || b != 0 ? 1 : 0;
            case LOGICAL_XOR -> (a, b) -> (a != 0) != (b != 0) ? 1 : 0;
            case BITWISE_AND -> (a, b) -> a & b;
            case BITWISE_OR -> (a, b) -> a | b;
            case BITWISE_XOR -> (a, b) -> a ^ b;
            default -> throw new IllegalArgumentException(kind + " needs pairs");
        };
    }

    private static Combiner integers(Kind kind, ElementType type) {
        LongBinaryOperator operator = ofIntegers(kind);
        return switch (type) {
            case BYTE ->
                    inBlocks(
                            ValueLayout.JAVA_BYTE,
                            byte[]::new,
                            (a, b, count) -> {
                                for (int i = 0; i < count; i++) {
                                    b[i] = (byte) operator.applyAsLong(a[i], b[i]);
                                }
                            });
            case SHORT ->
                    inBlocks(
                            ValueLayout.JAVA_SHORT_UNALIGNED,
                            short[]::new,
                            (a, b, count) -> {
                                for (int i = 0; i < count; i++) {
                                    b[i] = (short) operator.applyAsLong(a[i], b[i]);
                                }
                            });
            case CHAR ->
                    inBlocks(
                            ValueLayout.JAVA_CHAR_UNALIGNED,
                            char[]::new,
                            (a, b, count) -> {
                                for (int i = 0; i < count; i++) {
                                    b[i] = (char) operator.applyAsLong(a[i], b[i]);
                                }
                            });
            case INT ->
                    inBlocks(
                            ValueLayout.JAVA_INT_UNALIGNED,
                            int[]::new,
                            (a, b, count) -> {
                                for (int i = 0; i < count; i++) {
                                    b[i] = (int) operator.applyAsLong(a[i], b[i]);
                                }
                            });
            default ->
                    inBlocks(
                            ValueLayout.JAVA_LONG_UNALIGNED,
                            long[]::new,
                            (a, b, count) -> {
                                for (int i = 0; i < count; i++) {
                                    b[i] = operator.applyAsLong(a[i], b[i]);
                                }
                            });
        };
    }

    /** Combines elements of arrays, into the second one. */
    private interface Loop<A> {
        void run(A left, A right, int count);
    }

    /**
     * Copies blocks of both operands into arrays, and the result back. The access to single
     * elements of memory costs more than that many times over, until the JVM's second compiler has
     * taken the loop.
     */
    private static <A> Combiner inBlocks(ValueLayout layout, IntFunction<A> array, Loop<A> loop) {
        return (left, right) -> {
            long bytes = layout.byteSize();
            long elements = right.byteSize() / bytes;
            int most = (int) Math.min(elements, BLOCK_ELEMENTS);
            A a = array.apply(most);
            A b = array.apply(most);
            for (long at = 0; at < elements; at += most) {
                int count = (int) Math.min(most, elements - at);
                MemorySegment.copy(left, layout, at * bytes, a, 0, count);
                MemorySegment.copy(right, layout, at * bytes, b, 0, count);
                loop.run(a, b, count);
                MemorySegment.copy(b, 0, right, layout, at * bytes, count);
            }
        };
    }

    private static Combiner floating(Kind kind, ElementType type) {
        // A float's sum and product, computed as doubles and rounded, are those of floats.
        DoubleBinaryOperator operator =
                switch (kind) {
                    case SUM -> Double::sum;
                    case PRODUCT -> (a, b) -> a * b;
                    case MIN -> Math::min;
                    case MAX -> Math::max;
                    default -> throw new IllegalArgumentException(kind + " of " + type);
                };
        return type == ElementType.FLOAT
                ? inBlocks(
                        ValueLayout.JAVA_FLOAT_UNALIGNED,
                        float[]::new,
                        (a, b, count) -> {
                            for (int i = 0; i < count; i++) {
                                b[i] = (float) operator.applyAsDouble(a[i], b[i]);
                            }
                        })
                : inBlocks(
                        ValueLayout.JAVA_DOUBLE_UNALIGNED,
                        double[]::new,
                        (a, b, count) -> {
                            for (int i = 0; i < count; i++) {
                                b[i] = operator.applyAsDouble(a[i], b[i]);
                            }
                        });
    }

    private static Combiner pairs(boolean least, ElementType type) {
        int bytes = type.bytes();
        return (left, right) -> {
            for (long at = 0; at < right.byteSize(); at += 2L * bytes) {
                int order = compare(type, left, right, at);
                boolean better = least ? order < 0 : order > 0;
                boolean lower = order == 0 && compare(type, left, right, at + bytes) < 0;
                if (better || lower) {
                    MemorySegment.copy(left, at, right, at, 2L * bytes);
                }
            }
        };
    }

    private static int compare(ElementType type, MemorySegment a, MemorySegment b, long at) {
        return type == ElementType.FLOAT || type == ElementType.DOUBLE
                ? Double.compare(real(type, a, at), real(type, b, at))
                : Long.compare(integer(type, a, at), integer(type, b, at));
    }

    private static long integer(ElementType type, MemorySegment from, long at) {
        return switch (type) {
            case BYTE -> from.get(ValueLayout.JAVA_BYTE, at);
            case SHORT -> from.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case CHAR -> from.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
            case INT -> from.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            default -> from.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    private static double real(ElementType type, MemorySegment from, long at) {
        return type == ElementType.FLOAT
                ? from.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
                : from.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
    }

    /** The operation and the type. */
    @Override
    public String toString() {
        return name;
    }
}
