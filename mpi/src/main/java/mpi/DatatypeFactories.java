package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.TypeMap;
import org.madcast.mpi.datatype.TypeMap.Placed;

/**
 * How types are made from others. Open MPI counts displacements in bytes where the C function does;
 * mpiJava counts in elements of the base type.
 */
final class DatatypeFactories {

    private DatatypeFactories() {}

    static TypeMap contiguous(int count, Datatype old) {
        checkCount("count", count);
        TypeMap map = Datatype.given(old).map();
        return made(() -> TypeMap.of(List.of(new Placed(map, count, 0))));
    }

    static TypeMap vector(int count, int blockLength, long strideBytes, Datatype old) {
        checkCount("count", count);
        checkBlockLength("blockLength", blockLength);
        TypeMap map = Datatype.given(old).map();
        return made(() -> map.strided(count, blockLength, strideBytes));
    }

    static TypeMap indexed(int[] blockLengths, int[] displacements, long unit, Datatype old) {
        TypeMap map = Datatype.given(old).map();
        checkLengths(blockLengths, displacements, "displacements");
        List<Placed> blocks = new ArrayList<>();
        for (int i = 0; i < blockLengths.length; i++) {
            checkBlockLength("blockLengths[" + i + "]", blockLengths[i]);
            blocks.add(new Placed(map, blockLengths[i], displacements[i] * unit));
        }
        return made(() -> TypeMap.of(blocks));
    }

    /** A type of several others; the unit is that of the displacements, 0 for the base type's. */
    static TypeMap struct(int[] blockLengths, int[] displacements, Datatype[] types, long unit) {
        checkLengths(blockLengths, displacements, "displacements");
        checkGiven(types, "the array of types");
        if (types.length != blockLengths.length) {
            throw different(blockLengths, types.length, "types");
        }
        List<Placed> blocks = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            checkBlockLength("blockLengths[" + i + "]", blockLengths[i]);
            TypeMap map = Datatype.given(types[i]).map();
            blocks.add(new Placed(map, blockLengths[i], displacements[i] * unit));
        }
        return made(() -> TypeMap.of(blocks));
    }

    /** What the elements of a structure have in common. */
    static ElementKind base(Datatype[] types) {
        checkGiven(types, "the array of types");
        ElementKind common = null;
        for (Datatype type : types) {
            ElementKind base = Datatype.given(type).base();
            if (base.isMark() || base == common) {
                continue;
            }
            if (common != null && (base == ElementKind.OBJECT || common == ElementKind.OBJECT)) {
                throw new MPIException(
                        ErrorClass.TYPE, "a structure has objects beside elements of other types");
            }
            common = common == null ? base : ElementKind.MIXED;
        }
        return common == null ? ElementKind.BYTE : common;
    }

    /** The one base type that mpiJava demands. */
    static ElementKind oneBase(Datatype[] types) {
        ElementKind base = base(types);
        if (base == ElementKind.MIXED) {
            throw new MPIException(
                    ErrorClass.TYPE,
                    "the types of a Struct have different base types; mpiJava's structures have"
                            + " one (createStruct may mix them)");
        }
        return base;
    }

    private static TypeMap made(Supplier<TypeMap> map) {
        try {
            return map.get();
        } catch (IllegalArgumentException tooMany) {
            throw new MPIException(
                    ErrorClass.NO_MEM, String.valueOf(tooMany.getMessage()), tooMany);
        }
    }

    private static void checkCount(String what, int count) {
        if (count < 0) {
            throw new MPIException(ErrorClass.COUNT, what + " is " + count + ", less than 0");
        }
    }

    private static void checkBlockLength(String what, int length) {
        if (length < 0) {
            throw new MPIException(ErrorClass.ARG, what + " is " + length + ", less than 0");
        }
    }

    private static void checkLengths(int[] blockLengths, int[] others, String what) {
        checkGiven(blockLengths, "the array of block lengths");
        checkGiven(others, "the array of " + what);
        if (blockLengths.length != others.length) {
            throw different(blockLengths, others.length, what);
        }
    }

    private static void checkGiven(@Nullable Object array, String what) {
        if (array == null) {
            throw new MPIException(ErrorClass.ARG, what + " is null");
        }
    }

    private static MPIException different(int[] blockLengths, int length, String what) {
        return new MPIException(
                ErrorClass.ARG,
                "%d block lengths, but %d %s".formatted(blockLengths.length, length, what));
    }
}
