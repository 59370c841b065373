package mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ObjectCodec;
import org.madcast.client.ObjectException;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.Memory;
import org.madcast.mpi.datatype.Packer;
import org.madcast.mpi.datatype.TypeMap;

/**
 * What a call sends or receives: elements of a type from a place in a program's buffer. When the
 * data are one block of the buffer's own memory, that block is the message; else a packed copy is.
 */
final class Payload {

    /** No data. */
    static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

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

    private final boolean isObjects;
    private int objects = -1;

    private Payload(
            @Nullable Object buffer, long place, int count, Datatype type, boolean receives) {
        this.buffer = buffer == null ? NONE : buffer;
        this.map = type.map();
        this.count = count;
        this.place = place;
        this.isObjects = type.base() == ElementKind.OBJECT;
        this.whole = isObjects ? null : Memory.of(this.buffer);
        this.receives = receives;
        checkRange(whole == null ? Array.getLength(this.buffer) : whole.byteSize());
        if (receives && buffer instanceof Buffer nio && nio.isReadOnly()) {
            throw new MPIException(ErrorClass.BUFFER, "the receive buffer is read-only");
        }
    }

    private static Payload of(
            @Nullable Object buffer, int offset, int count, Datatype type, boolean receives) {
        ElementKind elements = check(buffer, offset, count, type);
        return new Payload(buffer, (long) offset * elements.bytes(), count, type, receives);
    }

    /** Elements to send. */
    static Payload toSend(@Nullable Object buffer, int offset, int count, Datatype type) {
        return of(buffer, offset, count, type, false);
    }

    /** Room for elements to receive. */
    static Payload toReceive(@Nullable Object buffer, int offset, int count, Datatype type) {
        return of(buffer, offset, count, type, true);
    }

    /**
     * The payload of one rank in a collective call.
     *
     * @param offset where the buffer begins, in its own elements
     * @param displacement from there, in bytes
     */
    static Payload part(
            @Nullable Object buffer,
            int offset,
            long displacement,
            int count,
            Datatype type,
            boolean receives) {
        ElementKind elements = check(buffer, offset, count, type);
        long place = (long) offset * elements.bytes() + displacement;
        return new Payload(buffer, place, count, type, receives);
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
        if (memory == null || !type.fits(buffer, elements) || place > memory.byteSize() - bytes) {
            return null;
        }
        return bytes == memory.byteSize() ? memory : memory.asSlice(place, bytes);
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
        if (!type.fits(buffer, elements)) {
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

    /** The data of all elements, in bytes; of objects their number. */
    long size() {
        return count * map.size();
    }

    /** Whether it is a message of objects, the length of which nothing else tells. */
    boolean isObjects() {
        return isObjects;
    }

    /** Whether the data are a block of the buffer's own memory; then where, in bytes. */
    boolean isBlock() {
        return whole != null && (map.isDense() || size() == 0);
    }

    long place() {
        return place;
    }

    /** The buffer's own memory, of a payload that is a block. */
    MemorySegment whole() {
        return Objects.requireNonNull(whole);
    }

    /** Whether it lies in memory that the other one is received into. */
    boolean overlaps(Payload received) {
        return isBlock()
                && received.isBlock()
                && memory().byteSize() > 0
                && memory().asOverlappingSlice(received.memory()).isPresent();
    }

    /**
     * Data that can be sent while other memory receives: a copy where the two overlap. MPI forbids
     * that, but programs of mpiJava, which has no calls in place, pass one array for both.
     */
    static MemorySegment apart(MemorySegment data, MemorySegment receiving) {
        return data.byteSize() > 0 && data.asOverlappingSlice(receiving).isPresent()
                ? AttachedBuffer.copy(data)
                : data;
    }

    /** Whether two segments are the same memory. */
    static boolean isSame(MemorySegment one, MemorySegment other) {
        long bytes = one.byteSize();
        return bytes == other.byteSize()
                && one.asOverlappingSlice(other).filter(it -> it.byteSize() == bytes).isPresent();
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
        if (isObjects) {
            return receives || size() == 0 ? EMPTY : write(readObjects());
        }
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

    /** Packs the data, also of a payload that is received into. */
    void pack(MemorySegment packed) {
        if (whole != null) {
            Packer.pack(map, whole, place, count, packed);
            return;
        }
        boolean[] flags = (boolean[]) buffer;
        byte[] bytes = new byte[(int) size()];
        int[] at = {0};
        Packer.forEachBlock(
                map,
                place,
                count,
                (from, length) -> {
                    int to = at[0];
                    for (int i = 0; i < length; i++) {
                        bytes[to + i] = (byte) (flags[(int) from + i] ? 1 : 0);
                    }
                    at[0] = to + (int) length;
                });
        MemorySegment.copy(bytes, 0, packed, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** Unpacks what has come into the buffer. Called once, before the program sees it. */
    void arrived(long bytes) {
        if (isObjects) {
            storeObjects(read(memory().asSlice(0, bytes)));
        } else if (!isBlock() && bytes > 0) {
            unpack(memory().asSlice(0, bytes));
        }
    }

    /** Unpacks data that are packed elsewhere. */
    void unpack(MemorySegment data) {
        if (whole != null) {
            Packer.unpack(map, data, whole, place, count);
            return;
        }
        boolean[] flags = (boolean[]) buffer;
        byte[] bytes = data.toArray(ValueLayout.JAVA_BYTE);
        int[] at = {0};
        Packer.forEachBlock(
                map,
                place,
                count,
                (to, length) -> {
                    int from = at[0];
                    int present = (int) Math.min(length, bytes.length - from);
                    for (int i = 0; i < present; i++) {
                        flags[(int) to + i] = bytes[from + i] != 0;
                    }
                    at[0] = from + present;
                });
    }

    /** Puts packed data of some elements into the first ones. */
    void storeFirst(MemorySegment data) {
        if (isBlock()) {
            memory().asSlice(0, data.byteSize()).copyFrom(data);
        } else {
            unpack(data);
        }
    }

    /** Takes a whole message that has come elsewhere. */
    void take(MemorySegment data) {
        if (isObjects) {
            storeObjects(read(data));
            return;
        }
        if (data.byteSize() != size()) {
            throw new MPIException(
                    data.byteSize() > size() ? ErrorClass.TRUNCATE : ErrorClass.COUNT,
                    "%d bytes came, but %d are received".formatted(data.byteSize(), size()));
        }
        if (data.byteSize() > 0) {
            storeFirst(data);
        }
    }

    /** Objects: the length is known only when the message has come. */
    boolean sizedByMessage() {
        return isObjects && receives;
    }

    /** The memory for a message of objects. */
    MemorySegment memoryFor(long bytes) {
        MemorySegment made = allocate(bytes);
        message = made;
        return made;
    }

    /** How many objects have arrived; -1 of other types. */
    int objects() {
        return objects;
    }

    /** The objects to send, or those that lie where others will be received. */
    @Nullable Object[] readObjects() {
        List<@Nullable Object> all = new ArrayList<>();
        forEachObject(index -> all.add(Array.get(buffer, index)));
        return all.toArray();
    }

    /** The message of objects. */
    static MemorySegment write(@Nullable Object[] objects) {
        try {
            return MemorySegment.ofArray(ObjectCodec.write(objects));
        } catch (IllegalArgumentException wrong) {
            throw new MPIException(ErrorClass.TYPE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** The objects of a message; an empty one has none. */
    static @Nullable Object[] read(MemorySegment message) {
        if (message.byteSize() == 0) {
            return new Object[0];
        }
        try {
            return Environment.codec().read(message.toArray(ValueLayout.JAVA_BYTE));
        } catch (ObjectException wrong) {
            throw new MPIException(ErrorClass.TYPE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private void forEachObject(IntConsumer visitor) {
        Packer.forEachBlock(
                map,
                place,
                count,
                (from, length) -> {
                    for (int i = 0; i < length; i++) {
                        visitor.accept((int) from + i);
                    }
                });
    }

    /** Stores received objects in the buffer. */
    void storeObjects(@Nullable Object[] received) {
        if (received.length > size()) {
            throw new MPIException(
                    ErrorClass.TRUNCATE,
                    "%d objects came, but there is room for %d".formatted(received.length, size()));
        }
        int[] next = {0};
        forEachObject(index -> {
            if (next[0] < received.length) {
                store(index, received[next[0]++]);
            }
        });
        objects = received.length;
    }

    private void store(int index, @Nullable Object value) {
        try {
            Array.set(buffer, index, value);
        } catch (IllegalArgumentException | NullPointerException wrong) {
            throw new MPIException(
                    ErrorClass.TYPE,
                    "a received %s cannot be stored in a %s"
                            .formatted(
                                    value == null ? "null" : value.getClass().getTypeName(),
                                    buffer.getClass().getSimpleName()),
                    wrong);
        }
    }

    /** Memory for a message: a Java array while one can be so long. */
    static MemorySegment allocate(long bytes) {
        return bytes <= LONGEST_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, Long.BYTES);
    }
}
