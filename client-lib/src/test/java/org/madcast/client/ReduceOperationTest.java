package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.ReduceOperation.Kind;

class ReduceOperationTest {

    private static final ValueLayout[] LAYOUTS = {
        ValueLayout.JAVA_BYTE,
        ValueLayout.JAVA_SHORT_UNALIGNED,
        ValueLayout.JAVA_CHAR_UNALIGNED,
        ValueLayout.JAVA_INT_UNALIGNED,
        ValueLayout.JAVA_LONG_UNALIGNED,
        ValueLayout.JAVA_FLOAT_UNALIGNED,
        ValueLayout.JAVA_DOUBLE_UNALIGNED
    };

    private static ValueLayout layout(ElementType type) {
        for (ValueLayout each : LAYOUTS) {
            if (each.carrier().getSimpleName().equalsIgnoreCase(type.name())) {
                return each;
            }
        }
        throw new AssertionError(type);
    }

    private static void set(MemorySegment to, ElementType type, long index, long value) {
        layout(type).varHandle().set(to, index * type.bytes(), cast(type, value));
    }

    private static Object get(MemorySegment from, ElementType type, long index) {
        return layout(type).varHandle().get(from, index * type.bytes());
    }

    private static Object cast(ElementType type, long value) {
        return switch (type) {
            case BYTE -> (byte) value;
            case SHORT -> (short) value;
            case CHAR -> (char) value;
            case INT -> (int) value;
            case FLOAT -> (float) value;
            case DOUBLE -> (double) value;
            default -> value;
        };
    }

    /** Also where the elements are more than are combined at a time, and not aligned. */
    @ParameterizedTest
    @EnumSource(ElementType.class)
    void combinesAnyNumberOfElementsOfEachType(ElementType type) {
        for (int count : new int[] {0, 1, 511, 512, 513, 1300}) {
            MemorySegment memory = MemorySegment.ofArray(new byte[2 * count * type.bytes() + 1]);
            MemorySegment left = memory.asSlice(1, (long) count * type.bytes());
            MemorySegment right = memory.asSlice(1 + left.byteSize());
            for (int i = 0; i < count; i++) {
                set(left, type, i, i % 50);
                set(right, type, i, 30 - i % 20);
            }
            ReduceOperation.of(Kind.SUM, type).combine(left, right);
            ReduceOperation.of(Kind.MAX, type).combine(left, right);
            for (int i = 0; i < count; i++) {
                int sum = i % 50 + 30 - i % 20;
                assertThat(get(right, type, i)).isEqualTo(cast(type, Math.max(sum, i % 50)));
                assertThat(get(left, type, i)).isEqualTo(cast(type, i % 50));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 5, Long.MAX_VALUE})
    void knowsLogicAndBits(long value) {
        assertThat(combined(Kind.LOGICAL_AND, value, 7)).isEqualTo(value != 0 ? 1 : 0);
        assertThat(combined(Kind.LOGICAL_OR, value, 0)).isEqualTo(value != 0 ? 1 : 0);
        assertThat(combined(Kind.LOGICAL_XOR, value, 7)).isEqualTo(value != 0 ? 0 : 1);
        assertThat(combined(Kind.BITWISE_AND, value, 6)).isEqualTo(value & 6);
        assertThat(combined(Kind.BITWISE_OR, value, 6)).isEqualTo(value | 6);
        assertThat(combined(Kind.BITWISE_XOR, value, 6)).isEqualTo(value ^ 6);
        assertThat(combined(Kind.PRODUCT, value, 6)).isEqualTo(value * 6);
        assertThat(combined(Kind.MIN, value, 6)).isEqualTo(Math.min(value, 6));
    }

    private static long combined(Kind kind, long left, long right) {
        long[] result = {right};
        ReduceOperation.of(kind, ElementType.LONG)
                .combine(MemorySegment.ofArray(new long[] {left}), MemorySegment.ofArray(result));
        return result[0];
    }
}
