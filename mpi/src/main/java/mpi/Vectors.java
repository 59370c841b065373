package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.Memory;
import org.madcast.mpi.datatype.Packer;
import org.madcast.mpi.datatype.TypeMap;

/** The elements of a reduction as a user's operation sees them: with the type's extent. */
final class Vectors {

    private Vectors() {}

    /** The bytes of elements, the first of which is at {@link #lead}. */
    static ByteBuffer unpacked(MemorySegment packed, Datatype type, int count) {
        TypeMap map = type.map();
        long bytes = lead(map) + Math.max(0, count - 1) * Math.abs(map.extent()) + map.trueUb();
        ByteBuffer made = ByteBuffer.allocate((int) Math.max(bytes, packed.byteSize()));
        made.order(ByteOrder.nativeOrder());
        Packer.unpack(map, packed, MemorySegment.ofBuffer(made), lead(map), count);
        return made;
    }

    static void pack(ByteBuffer elements, Datatype type, int count, MemorySegment packed) {
        ByteBuffer all = elements.duplicate().clear();
        Packer.pack(type.map(), MemorySegment.ofBuffer(all), lead(type.map()), count, packed);
    }

    /** Room before the first element, for data at negative displacements. */
    static long lead(TypeMap map) {
        return Math.max(0, -map.trueLb());
    }

    /** An array of the base type's elements with a copy of these bytes. */
    static Object toArray(ByteBuffer bytes, ElementKind kind) {
        MemorySegment from = MemorySegment.ofBuffer(bytes.duplicate().clear());
        int count = (int) (from.byteSize() / Math.max(1, kind.bytes()));
        Object array =
                switch (kind) {
                    case CHAR -> new char[count];
                    case SHORT -> new short[count];
                    case BOOLEAN -> new boolean[count];
                    case INT -> new int[count];
                    case LONG -> new long[count];
                    case FLOAT -> new float[count];
                    case DOUBLE -> new double[count];
                    default -> new byte[count];
                };
        if (array instanceof boolean[] flags) {
            for (int i = 0; i < count; i++) {
                flags[i] = bytes.get(i) != 0;
            }
        } else {
            MemorySegment to = Objects.requireNonNull(Memory.of(array));
            MemorySegment.copy(from, 0, to, 0, to.byteSize());
        }
        return array;
    }

    static void copyFrom(Object array, ByteBuffer bytes) {
        if (array instanceof boolean[] flags) {
            for (int i = 0; i < flags.length; i++) {
                bytes.put(i, (byte) (flags[i] ? 1 : 0));
            }
            return;
        }
        MemorySegment from = Objects.requireNonNull(Memory.of(array));
        MemorySegment to = MemorySegment.ofBuffer(bytes.duplicate().clear());
        MemorySegment.copy(from, 0, to, 0, from.byteSize());
    }
}
