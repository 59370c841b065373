package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A structure whose elements in a buffer are viewed as objects (Open MPI). A subclass adds its
 * fields in its initialisers, and has a subclass of {@link Data} with a getter and a setter for
 * each. Fields lie one behind the other, without gaps, unless {@link #setOffset} leaves some.
 */
@SuppressWarnings("TypeParameterUnusedInFormals") // the API's own signatures
public class Struct {

    private final List<Integer> lengths = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<Datatype> types = new ArrayList<>();
    private int offset;
    private int extent;
    private @Nullable Datatype made;

    /** A structure without fields. */
    protected Struct() {}

    /** The structure of a predefined type. */
    Struct(Datatype type) {
        this.made = type;
        this.extent = type.getExtent();
    }

    /**
     * A structure as mpiJava makes it (MPI_Type_struct): {@link #getType} is its datatype.
     *
     * @param array_of_displacements in elements of the base type, which all types share
     */
    public Struct(
            int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
            throws MPIException {
        this(Datatype.Struct(array_of_blocklengths, array_of_displacements, array_of_types));
    }

    /** The length of an element, in bytes. */
    public final int getExtent() throws MPIException {
        return extent;
    }

    /** The datatype, committed; fields cannot be added any more. */
    public final Datatype getType() throws MPIException {
        Datatype known = made;
        if (known == null) {
            Datatype fields =
                    Datatype.createStruct(
                            lengths.stream().mapToInt(it -> it).toArray(),
                            offsets.stream().mapToInt(it -> it).toArray(),
                            types.toArray(Datatype[]::new));
            known = Datatype.createResized(fields, 0, extent);
            known.commit();
            made = known;
        }
        return known;
    }

    /** Makes an object that views an element; a subclass returns its own. */
    protected Data newData() {
        return new Data() {};
    }

    /** The first element of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return getData(buffer, 0);
    }

    /** An element of a buffer, which the object reads and writes. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        return view(buffer, (long) index * extent);
    }

    /** The first element of an array. */
    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return getData(array, 0);
    }

    /** An element of an array, which the object reads and writes. */
    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        return view(array == null ? null : ByteBuffer.wrap(array), (long) index * extent);
    }

    @SuppressWarnings("unchecked") // the program names its own subclass
    private <T extends Data> T view(@Nullable ByteBuffer buffer, long place) {
        Datatype _ = getType();
        if (buffer == null) {
            throw new MPIException(ErrorClass.BUFFER, "the buffer of the elements is null");
        }
        if (place < 0 || place + extent > buffer.capacity()) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "the element at byte %d has %d bytes; the buffer has %d"
                            .formatted(place, extent, buffer.capacity()));
        }
        Data data = newData();
        data.bytes = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
        data.start = (int) place;
        return (T) data;
    }

    /** Sets where the next field begins, in bytes. */
    public final Struct setOffset(int offset) {
        this.offset = offset;
        return this;
    }

    private int add(Datatype type, int bytes, int length) {
        if (made != null) {
            throw new MPIException(
                    ErrorClass.TYPE, "the structure is in use; add all fields before");
        }
        if (length < 0) {
            throw new MPIException(ErrorClass.COUNT, "length is " + length + ", less than 0");
        }
        int place = offset;
        types.add(type);
        lengths.add(length);
        offsets.add(place);
        offset = Math.addExact(place, Math.multiplyExact(bytes, length));
        extent = Math.max(extent, offset);
        return place;
    }

    /** Adds a byte; returns its place. */
    public final int addByte() {
        return addByte(1);
    }

    /** Adds an array of bytes; returns its place. */
    public final int addByte(int length) {
        return add(PredefinedTypes.BYTE, 1, length);
    }

    /** Adds a char; returns its place. */
    public final int addChar() {
        return addChar(1);
    }

    /** Adds an array of chars; returns its place. */
    public final int addChar(int length) {
        return add(PredefinedTypes.CHAR, 2, length);
    }

    /** Adds a short; returns its place. */
    public final int addShort() {
        return addShort(1);
    }

    /** Adds an array of shorts; returns its place. */
    public final int addShort(int length) {
        return add(PredefinedTypes.SHORT, 2, length);
    }

    /** Adds an int; returns its place. */
    public final int addInt() {
        return addInt(1);
    }

    /** Adds an array of ints; returns its place. */
    public final int addInt(int length) {
        return add(PredefinedTypes.INT, 4, length);
    }

    /** Adds a long; returns its place. */
    public final int addLong() {
        return addLong(1);
    }

    /** Adds an array of longs; returns its place. */
    public final int addLong(int length) {
        return add(PredefinedTypes.LONG, 8, length);
    }

    /** Adds a float; returns its place. */
    public final int addFloat() {
        return addFloat(1);
    }

    /** Adds an array of floats; returns its place. */
    public final int addFloat(int length) {
        return add(PredefinedTypes.FLOAT, 4, length);
    }

    /** Adds a double; returns its place. */
    public final int addDouble() {
        return addDouble(1);
    }

    /** Adds an array of doubles; returns its place. */
    public final int addDouble(int length) {
        return add(PredefinedTypes.DOUBLE, 8, length);
    }

    /** Adds a structure. */
    public final int addStruct(Struct struct) throws MPIException {
        return addStruct(struct, 1);
    }

    /** Adds an array of structures. */
    public final int addStruct(Struct struct, int length) throws MPIException {
        if (struct == null) {
            throw new MPIException(ErrorClass.TYPE, "the structure to add is null");
        }
        return add(struct.getType(), struct.getExtent(), length);
    }

    /** Adds an element of a type. */
    public final int addData(Datatype type) throws MPIException {
        return addData(type, 1);
    }

    /** Adds an array of elements of a type. */
    public final int addData(Datatype type, int length) throws MPIException {
        return add(type, Datatype.given(type).getExtent(), length);
    }

    /** A view of one element. The place of a field is what the method that added it returned. */
    public abstract class Data {

        private ByteBuffer bytes = ByteBuffer.allocate(0);
        private int start;

        /** For subclasses; {@link Struct#getData} gives it its element. */
        protected Data() {}

        /** A field of type byte. */
        protected final byte getByte(int field) {
            return getByte(field, 0);
        }

        /** An element of an array of bytes. */
        protected final byte getByte(int field, int index) {
            return bytes.get(start + field + 1 * index);
        }

        /** Sets a field of type byte. */
        protected final void putByte(int field, byte value) {
            putByte(field, 0, value);
        }

        /** Sets an element of an array of bytes. */
        protected final void putByte(int field, int index, byte value) {
            ByteBuffer _ = bytes.put(start + field + 1 * index, value);
        }

        /** A field of type char. */
        protected final char getChar(int field) {
            return getChar(field, 0);
        }

        /** An element of an array of chars. */
        protected final char getChar(int field, int index) {
            return bytes.getChar(start + field + 2 * index);
        }

        /** Sets a field of type char. */
        protected final void putChar(int field, char value) {
            putChar(field, 0, value);
        }

        /** Sets an element of an array of chars. */
        protected final void putChar(int field, int index, char value) {
            ByteBuffer _ = bytes.putChar(start + field + 2 * index, value);
        }

        /** A field of type short. */
        protected final short getShort(int field) {
            return getShort(field, 0);
        }

        /** An element of an array of shorts. */
        protected final short getShort(int field, int index) {
            return bytes.getShort(start + field + 2 * index);
        }

        /** Sets a field of type short. */
        protected final void putShort(int field, short value) {
            putShort(field, 0, value);
        }

        /** Sets an element of an array of shorts. */
        protected final void putShort(int field, int index, short value) {
            ByteBuffer _ = bytes.putShort(start + field + 2 * index, value);
        }

        /** A field of type int. */
        protected final int getInt(int field) {
            return getInt(field, 0);
        }

        /** An element of an array of ints. */
        protected final int getInt(int field, int index) {
            return bytes.getInt(start + field + 4 * index);
        }

        /** Sets a field of type int. */
        protected final void putInt(int field, int value) {
            putInt(field, 0, value);
        }

        /** Sets an element of an array of ints. */
        protected final void putInt(int field, int index, int value) {
            ByteBuffer _ = bytes.putInt(start + field + 4 * index, value);
        }

        /** A field of type long. */
        protected final long getLong(int field) {
            return getLong(field, 0);
        }

        /** An element of an array of longs. */
        protected final long getLong(int field, int index) {
            return bytes.getLong(start + field + 8 * index);
        }

        /** Sets a field of type long. */
        protected final void putLong(int field, long value) {
            putLong(field, 0, value);
        }

        /** Sets an element of an array of longs. */
        protected final void putLong(int field, int index, long value) {
            ByteBuffer _ = bytes.putLong(start + field + 8 * index, value);
        }

        /** A field of type float. */
        protected final float getFloat(int field) {
            return getFloat(field, 0);
        }

        /** An element of an array of floats. */
        protected final float getFloat(int field, int index) {
            return bytes.getFloat(start + field + 4 * index);
        }

        /** Sets a field of type float. */
        protected final void putFloat(int field, float value) {
            putFloat(field, 0, value);
        }

        /** Sets an element of an array of floats. */
        protected final void putFloat(int field, int index, float value) {
            ByteBuffer _ = bytes.putFloat(start + field + 4 * index, value);
        }

        /** A field of type double. */
        protected final double getDouble(int field) {
            return getDouble(field, 0);
        }

        /** An element of an array of doubles. */
        protected final double getDouble(int field, int index) {
            return bytes.getDouble(start + field + 8 * index);
        }

        /** Sets a field of type double. */
        protected final void putDouble(int field, double value) {
            putDouble(field, 0, value);
        }

        /** Sets an element of an array of doubles. */
        protected final void putDouble(int field, int index, double value) {
            ByteBuffer _ = bytes.putDouble(start + field + 8 * index, value);
        }

        /** A structure within this one. */
        protected final <D extends Data> D getData(Struct struct, int field) {
            return getData(struct, field, 0);
        }

        /** One of an array of structures within this one. */
        protected final <D extends Data> D getData(Struct struct, int field, int index) {
            return struct.view(bytes, start + field + index * struct.extent);
        }

        /** The memory of a field of any type. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return getBuffer(type, field, 0);
        }

        /** The memory of one element of an array field of any type. */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) {
            int each = type.getExtent();
            return bytes.slice(start + field + index * each, each).order(ByteOrder.nativeOrder());
        }
    }
}
