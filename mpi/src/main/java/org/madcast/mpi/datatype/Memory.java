package org.madcast.mpi.datatype;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/** The memory behind a program's buffer, and what its elements are. */
public final class Memory {

    private Memory() {}

    /**
     * The whole memory of an array of primitives, without a copy, or of an NIO buffer from index 0
     * to its capacity. Null for everything else; Java gives no access to a boolean array's memory.
     */
    public static @Nullable MemorySegment of(Object buffer) {
        return switch (buffer) {
            case byte[] array -> MemorySegment.ofArray(array);
            case char[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            // A copy of it, for instance of a string.
            case CharBuffer text when text.isReadOnly() && !text.isDirect() ->
                    MemorySegment.ofArray(text.duplicate().clear().toString().toCharArray())
                            .asReadOnly();
            case Buffer nio -> MemorySegment.ofBuffer(nio.duplicate().clear());
            default -> null;
        };
    }

    /** What the elements of a buffer are; null when it is no buffer that MPI knows. */
    public static @Nullable ElementKind elementsOf(Object buffer) {
        return switch (buffer) {
            case byte[] _ -> ElementKind.BYTE;
            case char[] _ -> ElementKind.CHAR;
            case short[] _ -> ElementKind.SHORT;
            case boolean[] _ -> ElementKind.BOOLEAN;
            case int[] _ -> ElementKind.INT;
            case long[] _ -> ElementKind.LONG;
            case float[] _ -> ElementKind.FLOAT;
            case double[] _ -> ElementKind.DOUBLE;
            case Object[] _ -> ElementKind.OBJECT;
            case ByteBuffer _ -> ElementKind.BYTE;
            case CharBuffer _ -> ElementKind.CHAR;
            case ShortBuffer _ -> ElementKind.SHORT;
            case IntBuffer _ -> ElementKind.INT;
            case LongBuffer _ -> ElementKind.LONG;
            case FloatBuffer _ -> ElementKind.FLOAT;
            case DoubleBuffer _ -> ElementKind.DOUBLE;
            default -> null;
        };
    }

    /** Whether elements of a type may be in a buffer. */
    public static boolean holds(Object buffer, ElementKind elements, ElementKind type) {
        if (type == ElementKind.OBJECT) {
            return buffer instanceof Object[];
        }
        if (type == elements || (buffer instanceof ByteBuffer && !type.isMark())) {
            return true;
        }
        if (buffer instanceof Buffer) {
            return type.isRaw() || (type.bytes() == elements.bytes() && !type.isMark());
        }
        return buffer instanceof byte[] && type.isRaw();
    }
}
