package mpi;

import java.util.List;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.TypeMap;
import org.madcast.mpi.datatype.TypeMap.Placed;

/** MPI's predefined types: the constants of class MPI. */
public class PredefinedTypes extends PredefinedOps {

    /** No type (Open MPI). */
    public static final Datatype DATATYPE_NULL =
            new Datatype("MPI_DATATYPE_NULL", ElementKind.NULL, null);

    /** No type (mpiJava). */
    public static final Datatype NULL = DATATYPE_NULL;

    /** Java's byte, and any memory. */
    public static final Datatype BYTE = basic("MPI_BYTE", ElementKind.BYTE);

    /** Java's char, 16 bits without a sign. */
    public static final Datatype CHAR = basic("MPI_CHAR", ElementKind.CHAR);

    /** Java's short. */
    public static final Datatype SHORT = basic("MPI_SHORT", ElementKind.SHORT);

    /** Java's boolean, one byte. */
    public static final Datatype BOOLEAN = basic("MPI_BOOLEAN", ElementKind.BOOLEAN);

    /** Java's int. */
    public static final Datatype INT = basic("MPI_INT", ElementKind.INT);

    /** Java's long. */
    public static final Datatype LONG = basic("MPI_LONG", ElementKind.LONG);

    /** Java's float. */
    public static final Datatype FLOAT = basic("MPI_FLOAT", ElementKind.FLOAT);

    /** Java's double. */
    public static final Datatype DOUBLE = basic("MPI_DOUBLE", ElementKind.DOUBLE);

    /** What pack has made. */
    public static final Datatype PACKED = basic("MPI_PACKED", ElementKind.PACKED);

    /** The mark of a lower bound in a structure. */
    public static final Datatype LB =
            new Datatype("MPI_LB", ElementKind.LB, TypeMap.mark(true, false));

    /** The mark of an upper bound in a structure. */
    public static final Datatype UB =
            new Datatype("MPI_UB", ElementKind.UB, TypeMap.mark(false, true));

    /** Serialised objects. */
    public static final Datatype OBJECT = basic("MPI_OBJECT", ElementKind.OBJECT);

    /** Two shorts: a value and its place. */
    public static final Datatype SHORT2 = pair("MPI_SHORT2", ElementKind.SHORT);

    /** Two ints: a value and its place. */
    public static final Datatype INT2 = pair("MPI_2INT", ElementKind.INT);

    /** Two longs: a value and its place. */
    public static final Datatype LONG2 = pair("MPI_LONG2", ElementKind.LONG);

    /** Two floats: a value and its place. */
    public static final Datatype FLOAT2 = pair("MPI_FLOAT2", ElementKind.FLOAT);

    /** Two doubles: a value and its place. */
    public static final Datatype DOUBLE2 = pair("MPI_DOUBLE2", ElementKind.DOUBLE);

    /** A short and its place, an int; as a C structure. */
    public static final Datatype SHORT_INT = withInt("MPI_SHORT_INT", ElementKind.SHORT);

    /** A long and its place, an int; as a C structure. */
    public static final Datatype LONG_INT = withInt("MPI_LONG_INT", ElementKind.LONG);

    /** A float and its place, an int; as a C structure. */
    public static final Datatype FLOAT_INT = withInt("MPI_FLOAT_INT", ElementKind.FLOAT);

    /** A double and its place, an int; as a C structure. */
    public static final Datatype DOUBLE_INT = withInt("MPI_DOUBLE_INT", ElementKind.DOUBLE);

    /** A complex number of two floats. */
    public static final Datatype FLOAT_COMPLEX =
            new Datatype("MPI_C_FLOAT_COMPLEX", ElementKind.FLOAT, TypeMap.basic(8, 4));

    /** A complex number of two doubles. */
    public static final Datatype DOUBLE_COMPLEX =
            new Datatype("MPI_C_DOUBLE_COMPLEX", ElementKind.DOUBLE, TypeMap.basic(16, 8));

    PredefinedTypes() {}

    private static Datatype basic(String name, ElementKind base) {
        return new Datatype(name, base, TypeMap.basic(base.bytes(), base.bytes()));
    }

    private static Datatype pair(String name, ElementKind base) {
        TypeMap one = TypeMap.basic(base.bytes(), base.bytes());
        return new Datatype(name, base, TypeMap.of(List.of(new Placed(one, 2, 0))));
    }

    private static Datatype withInt(String name, ElementKind base) {
        TypeMap value = TypeMap.basic(base.bytes(), base.bytes());
        TypeMap place = TypeMap.basic(Integer.BYTES, Integer.BYTES);
        long at = Math.max(base.bytes(), Integer.BYTES);
        return new Datatype(
                name,
                ElementKind.MIXED,
                TypeMap.of(List.of(new Placed(value, 1, 0), new Placed(place, 1, at))));
    }

    /** What the value of a pair with an int is. */
    static ElementKind valueOf(Datatype pair) {
        if (pair.equals(SHORT_INT)) {
            return ElementKind.SHORT;
        }
        if (pair.equals(LONG_INT)) {
            return ElementKind.LONG;
        }
        return pair.equals(FLOAT_INT) ? ElementKind.FLOAT : ElementKind.DOUBLE;
    }
}
