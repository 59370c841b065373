package mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.Buffer;
import org.jspecify.annotations.Nullable;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.Memory;
import org.madcast.mpi.datatype.Packer;
import org.madcast.mpi.datatype.TypeMap;

/**
 * What a call sends or receives: elements of a type from a place in a program's buffer. When the
 * data are one block of the buffer's own memory, that block is the message; else a packed copy is.
 */
final class Payload {

    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    /** In place of a null buffer of which nothing is used. */
    private static final byte[] NONE = {};

    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final Object buffer;
    private final TypeMap map;
    private final int count;
    private final long place;

    /** The buffer's memory; null for booleans and objects. */
    private final @Nullable MemorySegment whole;

    private final boolean receives;
    private @Nullable MemorySegment message;

    private Payload(
            @Nullable Object buffer, int offset, int count, Datatype type, boolean receives) {
        ElementKind elements = check(buffer, offset, count, type);
        this.buffer = buffer == null ? NONE : buffer;
        this.map = type.map();
        this.count = count;
        this.place = (long) offset * elements.bytes();
        this.whole = type.base() == ElementKind.OBJECT ? null : Memory.of(this.buffer);
        this.receives = receives;
        checkRange(whole == null ? Array.getLength(this.buffer) : whole.byteSize());
        if (receives && buffer instanceof Buffer nio && nio.isReadOnly()) {
            throw new MPIException(ErrorClass.BUFFER, "the receive buffer is read-only");
        }
    }

    /** Elements to send. */
    static Payload toSend(@Nullable Object buffer, int offset, int count, Datatype type) {
        return new Payload(buffer, offset, count, type, false);
    }

    /** Room for elements to receive. */
    static Payload toReceive(@Nullable Object buffer, int offset, int count, Datatype type) {
        return new Payload(buffer, offset, count, type, true);
    }

    /**
     * The memory of such elements when it is one block of an array or a buffer: the short way, in
     * which nothing else is made. Null when a payload is needed.
     */
    static @Nullable MemorySegment block(
            @Nullable Object buffer, int offset, int count, Datatype type) {
        if (buffer == null || type == null || count < 0 || offset < 0 || type.isNull()) {
            return null;
        }
        TypeMap map = type.committedMap();
        ElementKind elements = Memory.elementsOf(buffer);
        if (!map.isDense() || elements == null || type.base() == ElementKind.OBJECT) {
            return null;
        }
        MemorySegment memory = Memory.of(buffer);
        long place = (long) offset * elements.bytes();
        long bytes = count * map.size();
        return memory != null
                        && Memory.holds(buffer, elements, type.base())
                        && place <= memory.byteSize() - bytes
                ? memory.asSlice(place, bytes)
                : null;
    }

    /** What the elements of the buffer are, once everything but its length is right. */
    private static ElementKind check(
            @Nullable Object buffer, int offset, int count, Datatype type) {
        if (type == null) {
            throw new MPIException(ErrorClass.TYPE, "the type is null");
        }
        if (count < 0) {
            throw new MPIException(ErrorClass.COUNT, "count is " + count + ", less than 0");
        }
        TypeMap _ = type.committedMap();
        if (buffer == null && count == 0) {
            return ElementKind.BYTE;
        }
        if (buffer == null) {
            throw new MPIException(ErrorClass.BUFFER, "the buffer is null");
        }
        ElementKind elements = Memory.elementsOf(buffer);
        if (elements == null) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "the buffer is a %s; an array or an NIO buffer is needed"
                            .formatted(buffer.getClass().getName()));
        }
        if (!Memory.holds(buffer, elements, type.base())) {
            throw new MPIException(
                    ErrorClass.TYPE,
                    "the type is %s, but the buffer is %s"
                            .formatted(type, buffer.getClass().getSimpleName()));
        }
        if (offset < 0) {
            throw new MPIException(ErrorClass.BUFFER, "offset is " + offset + ", less than 0");
        }
        return type.base() == ElementKind.OBJECT ? ElementKind.OBJECT : elements;
    }

    private void checkRange(long capacity) {
        if (count == 0 || map.size() == 0) {
            return;
        }
        long far = (count - 1) * map.extent();
        long first = place + Math.min(0, far) + map.trueLb();
        long end = place + Math.max(0, far) + map.trueUb();
        if (first < 0 || end > capacity) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "count %d needs the bytes %d to %d of a buffer of %d bytes"
                            .formatted(count, first, end, capacity));
        }
    }

    /** The data of all elements, in bytes. */
    private long size() {
        return count * map.size();
    }

    /** The message to send, or the memory to receive into. */
    MemorySegment memory() {
        MemorySegment known = message;
        if (known == null) {
            known = makeMemory();
            message = known;
        }
        return known;
    }

    private MemorySegment makeMemory() {
        if (size() == 0) {
            return EMPTY;
        }
        if (whole != null && map.isDense()) {
            return whole.asSlice(place, size());
        }
        MemorySegment packed = allocate(size());
        if (!receives) {
            pack(packed);
        }
        return packed;
    }

    private void pack(MemorySegment packed) {
        if (whole != null) {
            Packer.pack(map, whole, place, count, packed);
            return;
        }
        boolean[] flags = (boolean[]) buffer;
        int[] at = {0};
        Packer.forEachBlock(
                map,
                place,
                count,
                (from, bytes) -> {
                    for (int i = 0; i < bytes; i++) {
                        packed.set(
                                ValueLayout.JAVA_BYTE,
                                at[0]++,
                                (byte) (flags[(int) from + i] ? 1 : 0));
                    }
                });
    }

    /** Unpacks what has come into the buffer. Called once, before the program sees it. */
    void arrived(long bytes) {
        MemorySegment packed = memory();
        if ((whole != null && map.isDense()) || bytes == 0) {
            return;
        }
        MemorySegment data = packed.asSlice(0, bytes);
        if (whole != null) {
            Packer.unpack(map, data, whole, place, count);
            return;
        }
        boolean[] flags = (boolean[]) buffer;
        int[] at = {0};
        Packer.forEachBlock(
                map,
                place,
                count,
                (to, length) -> {
                    for (int i = 0; i < length && at[0] < bytes; i++) {
                        flags[(int) to + i] = data.get(ValueLayout.JAVA_BYTE, at[0]++) != 0;
                    }
                });
    }

    /** Objects: the length is known only when the message has come. */
    boolean sizedByMessage() {
        return false;
    }

    /** The memory for a message of objects. */
    MemorySegment memoryFor(long bytes) {
        MemorySegment made = allocate(bytes);
        message = made;
        return made;
    }

    /** Memory for a message: a Java array while one can be so long. */
    static MemorySegment allocate(long bytes) {
        return bytes <= LONGEST_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, Long.BYTES);
    }
}
