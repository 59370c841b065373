package mpi;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.Memory;
import org.madcast.mpi.datatype.TypeMap;

/**
 * What the elements of a buffer are and where their data lie (MPI_Datatype). The methods of Open
 * MPI count extents, bounds and sizes in bytes, those of mpiJava in elements of the base type.
 *
 * <p>A type that Open MPI's methods make must be committed before it is used in communication;
 * mpiJava's are usable at once.
 */
public class Datatype implements Freeable, Cloneable {

    /** What methods return for a number that an int cannot hold. */
    private static final int TOO_LARGE = MPI.UNDEFINED;

    /** mpiJava's number of the base type. */
    public int baseType;

    private final ElementKind base;
    private final @Nullable TypeMap map;
    private final Attributes attributes = new Attributes(Attributes.Holder.DATATYPE);
    private @Nullable Datatype predefined;
    private String name = "";
    private final boolean isPredefined;

    /** Whether it is a structure, or made of one: its elements may lie in an array of bytes. */
    private final boolean ofStructures;

    private volatile boolean committed;
    private volatile boolean freed;

    /** A derived type. */
    Datatype(ElementKind base, TypeMap map, boolean ofStructures, boolean committed) {
        this.baseType = base.code();
        this.base = base;
        this.map = map;
        this.ofStructures = ofStructures;
        this.committed = committed;
        this.isPredefined = false;
    }

    /** A type that Open MPI's methods make of another. */
    private static Datatype of(Datatype old, TypeMap map) {
        return new Datatype(given(old).base, map, old.ofStructures, false);
    }

    /** What a factory of Open MPI's makes; an error is one of COMM_WORLD. */
    private static <T> T orRaise(Supplier<T> made) {
        try {
            return made.get();
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** A predefined type; the null type has no map. */
    Datatype(String name, ElementKind base, @Nullable TypeMap map) {
        this.ofStructures = map != null && map.elements().count() > 1;
        this.baseType = base.code();
        this.base = base;
        this.map = map;
        this.committed = true;
        this.name = name;
        this.predefined = this;
        this.isPredefined = true;
    }

    ElementKind base() {
        return base;
    }

    TypeMap map() {
        if (map == null || freed) {
            throw new MPIException(ErrorClass.TYPE, "the type is null: it was freed or never made");
        }
        return map;
    }

    boolean isOfStructures() {
        return ofStructures;
    }

    /** Whether elements of it may be in a buffer that has these elements. */
    boolean fits(Object buffer, ElementKind elements) {
        return Memory.holds(buffer, elements, base)
                || (ofStructures && buffer instanceof byte[] && base != ElementKind.OBJECT);
    }

    /** A type that a program passes. */
    static Datatype given(@Nullable Datatype type) {
        if (type == null) {
            throw new MPIException(ErrorClass.TYPE, "the type is null");
        }
        return type.usable();
    }

    /** This type, unless it is null. */
    Datatype usable() {
        TypeMap _ = map();
        return this;
    }

    /** The map, of a type that may be used in communication. */
    TypeMap committedMap() {
        TypeMap known = map();
        if (!committed) {
            throw new MPIException(
                    ErrorClass.TYPE, this + " is not committed; call commit() before using it");
        }
        return known;
    }

    /** The predefined type that this is, or is a duplicate of. */
    @Nullable Datatype predefined() {
        return predefined;
    }

    /**
     * How many elements a message has; -1 when the last one is not whole, and for objects, whose
     * bytes do not tell.
     */
    long wholeElements(long bytes) {
        if (base == ElementKind.OBJECT) {
            return bytes == 0 ? 0 : -1;
        }
        long size = map().size();
        if (size == 0) {
            return bytes == 0 ? 0 : -1;
        }
        return bytes % size == 0 ? bytes / size : -1;
    }

    /** How many basic elements a message has; -1 as of {@link #wholeElements}. */
    long basicElements(long bytes) {
        return base == ElementKind.OBJECT ? wholeElements(bytes) : map().elements().within(bytes);
    }

    private static int asInt(long value) {
        return value == (int) value ? (int) value : TOO_LARGE;
    }

    private int inBase(long bytes) {
        return asInt(bytes / Math.max(1, base.bytes()));
    }

    /** The lower bound, in bytes (MPI_Type_get_extent). */
    public int getLb() throws MPIException {
        return orRaise(() -> asInt(map().lb()));
    }

    /** The distance between two elements of an array, in bytes (MPI_Type_get_extent). */
    public int getExtent() throws MPIException {
        return orRaise(() -> asInt(map().extent()));
    }

    /** The first byte of data (MPI_Type_get_true_extent). */
    public int getTrueLb() throws MPIException {
        return orRaise(() -> asInt(map().trueLb()));
    }

    /** From the first byte of data to the end of the last (MPI_Type_get_true_extent). */
    public int getTrueExtent() throws MPIException {
        return orRaise(() -> asInt(map().trueUb() - map().trueLb()));
    }

    /** The data of an element, in bytes (MPI_Type_size). */
    public int getSize() throws MPIException {
        return orRaise(() -> asInt(map().size()));
    }

    /** Makes the type ready for communication (MPI_Type_commit). */
    public void commit() throws MPIException {
        orRaise(this::usable).committed = true;
    }

    /**
     * Gives the type back; what was begun with it goes on (MPI_Type_free). An error always throws:
     * the method is of both APIs, and in mpiJava's no error ends the job.
     */
    @Override
    public void free() throws MPIException {
        if (usable().isPredefined) {
            throw new MPIException(ErrorClass.TYPE, this + " is predefined and cannot be freed");
        }
        freed = true;
    }

    /** Whether the type was freed or is MPI.DATATYPE_NULL. */
    public boolean isNull() {
        return map == null || freed;
    }

    /** A duplicate (MPI_Type_dup). */
    @Override
    public Datatype clone() {
        return dup();
    }

    /** A duplicate with this type's attributes (MPI_Type_dup). */
    public Datatype dup() throws MPIException {
        Datatype copy = orRaise(() -> new Datatype(base, map(), ofStructures, committed));
        copy.predefined = predefined;
        attributes.copyTo(copy.attributes);
        return copy;
    }

    /** Elements one behind the other (MPI_Type_contiguous). */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return orRaise(() -> of(oldType, DatatypeFactories.contiguous(count, oldType)));
    }

    /** Blocks at a stride in elements of the old type (MPI_Type_vector). */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return orRaise(() -> {
            long bytes = stride * given(oldType).map().extent();
            return of(oldType, DatatypeFactories.vector(count, blockLength, bytes, oldType));
        });
    }

    /** Blocks at a stride in bytes (MPI_Type_create_hvector). */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
            throws MPIException {
        return orRaise(
                () -> of(oldType, DatatypeFactories.vector(count, blockLength, stride, oldType)));
    }

    /** Blocks at displacements in elements of the old type (MPI_Type_indexed). */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return orRaise(() -> {
            long unit = given(oldType).map().extent();
            TypeMap map = DatatypeFactories.indexed(blockLengths, displacements, unit, oldType);
            return of(oldType, map);
        });
    }

    /** Blocks at displacements in bytes (MPI_Type_create_hindexed). */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return orRaise(() -> {
            TypeMap map = DatatypeFactories.indexed(blockLengths, displacements, 1, oldType);
            return of(oldType, map);
        });
    }

    /** Blocks of several types at displacements in bytes (MPI_Type_create_struct). */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
            throws MPIException {
        return orRaise(() -> {
            ElementKind base = DatatypeFactories.base(types);
            TypeMap map = DatatypeFactories.struct(blockLengths, displacements, types, 1);
            return new Datatype(base, map, true, false);
        });
    }

    /** The same data with these bounds, in bytes (MPI_Type_create_resized). */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return orRaise(() -> of(oldType, given(oldType).map().resized(lb, extent)));
    }

    /** Names the type (MPI_Type_set_name). */
    public void setName(String name) throws MPIException {
        orRaise(this::usable).name = name;
    }

    /** The name: MPI's for a predefined type, empty for another (MPI_Type_get_name). */
    public String getName() throws MPIException {
        return orRaise(this::usable).name;
    }

    /** A key for attributes of types (MPI_Type_create_keyval). */
    public static int createKeyval() throws MPIException {
        return Attributes.createKey(Attributes.Holder.DATATYPE);
    }

    /** Gives a key back (MPI_Type_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        try {
            Attributes.freeKey(Attributes.Holder.DATATYPE, keyval);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Sets an attribute (MPI_Type_set_attr). */
    public void setAttr(int keyval, Object value) throws MPIException {
        try {
            usable().attributes.set(keyval, value);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** An attribute; null when it was not set (MPI_Type_get_attr). */
    public @Nullable Object getAttr(int keyval) throws MPIException {
        try {
            return usable().attributes.get(keyval);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Removes an attribute (MPI_Type_delete_attr). */
    public void deleteAttr(int keyval) throws MPIException {
        try {
            usable().attributes.delete(keyval);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** mpiJava's number of the base type. */
    public int getType() {
        return baseType;
    }

    /** The data of an element, in bytes. */
    public int getByteSize() {
        return getSize();
    }

    /** The distance between two elements of an array, in base elements (MPI_Type_extent). */
    public int Extent() throws MPIException {
        return inBase(map().extent());
    }

    /** How many base elements an element has (MPI_Type_size). */
    public int Size() throws MPIException {
        return inBase(map().size());
    }

    /** The lower bound, in base elements (MPI_Type_lb). */
    public int Lb() throws MPIException {
        return inBase(map().lb());
    }

    /** The upper bound, in base elements (MPI_Type_ub). */
    public int Ub() throws MPIException {
        return inBase(map().ub());
    }

    /** Makes the type ready for communication (MPI_Type_commit). */
    public void Commit() throws MPIException {
        commit();
    }

    /** Elements one behind the other (MPI_Type_contiguous). */
    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return new Contiguous(count, oldtype);
    }

    /** Blocks at a stride in elements of the old type (MPI_Type_vector). */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype)
            throws MPIException {
        return new Vector(count, blocklength, stride, oldtype, true);
    }

    /** Blocks at a stride in base elements (MPI_Type_hvector). */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype)
            throws MPIException {
        return new Vector(count, blocklength, stride, oldtype, false);
    }

    /** Blocks at displacements in elements of the old type (MPI_Type_indexed). */
    public static Datatype Indexed(
            int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return new Indexed(array_of_blocklengths, array_of_displacements, oldtype, true);
    }

    /** Blocks at displacements in base elements (MPI_Type_hindexed). */
    public static Datatype Hindexed(
            int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        return new Indexed(array_of_blocklengths, array_of_displacements, oldtype, false);
    }

    /** Blocks of several types with one base type, in base elements (MPI_Type_struct). */
    public static Datatype Struct(
            int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
            throws MPIException {
        ElementKind base = DatatypeFactories.oneBase(array_of_types);
        TypeMap map =
                DatatypeFactories.struct(
                        array_of_blocklengths,
                        array_of_displacements,
                        array_of_types,
                        base.bytes());
        return new Datatype(base, map, true, true);
    }

    @Override
    public String toString() {
        return name.isEmpty() ? "a derived type of " + base.name().toLowerCase(Locale.ROOT) : name;
    }
}
