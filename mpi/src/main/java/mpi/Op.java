package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ElementType;
import org.madcast.client.ReduceOperation;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.datatype.Pairs;

/** How a reduction combines two contributions (MPI_Op). */
public class Op implements Freeable {

    /** What stands behind an operation. */
    private sealed interface Source {
        /** One of MPI's; the kind is null for those that only windows know. */
        record Predefined(String name, @Nullable Kind kind) implements Source {}

        /** A user's operation on buffers and arrays. */
        record OfBuffers(UserFunction function) implements Source {}

        /** A user's operation on arrays with an offset. */
        record OfArrays(User_function function) implements Source {}
    }

    private static final long MOST_BYTES = 1 << 20;

    private final Source source;
    private final boolean commutes;
    private volatile boolean freed;

    private Op(Source source, boolean commutes) {
        this.source = source;
        this.commutes = commutes;
    }

    /** One of MPI's operations. */
    Op(String name, @Nullable Kind kind) {
        this(new Source.Predefined(name, kind), true);
    }

    /** A user's operation, as Open MPI has it (MPI_Op_create). */
    public Op(UserFunction function, boolean commute) {
        this(new Source.OfBuffers(given(function)), commute);
    }

    /** A user's operation, as mpiJava has it (MPI_Op_create). */
    public Op(User_function function, boolean commute) throws MPIException {
        this(new Source.OfArrays(checked(function)), commute);
    }

    private static UserFunction given(UserFunction function) {
        try {
            return checked(function);
        } catch (MPIException missing) {
            throw Errors.raise(missing);
        }
    }

    private static <T> T checked(T function) {
        if (function == null) {
            throw new MPIException(ErrorClass.OP, "the operation's function is null");
        }
        return function;
    }

    /** Whether operands may change places (MPI_Op_commutative). */
    public boolean isCommutative() {
        return commutes;
    }

    /** Gives a user's operation back (MPI_Op_free). */
    @Override
    public void free() throws MPIException {
        if (source instanceof Source.Predefined(String name, Kind _)) {
            throw new MPIException(ErrorClass.OP, name + " is predefined and cannot be freed");
        }
        checkUsable();
        freed = true;
    }

    /** Whether it was freed. */
    public boolean isNull() {
        return freed;
    }

    /** Whether a program made it. */
    boolean isUsers() {
        return !(source instanceof Source.Predefined);
    }

    void checkUsable() {
        if (freed) {
            throw new MPIException(ErrorClass.OP, "the operation was freed");
        }
    }

    /**
     * What combines packed elements of a type. What a user's operation throws ends the call on the
     * ranks whose result depends on it.
     */
    ReduceOperation on(Datatype type) {
        checkUsable();
        if (source instanceof Source.Predefined(String name, Kind kind)) {
            return predefined(name, kind, type);
        }
        int bytes = Math.toIntExact(type.map().size());
        if (bytes == 0) {
            return ReduceOperation.of(1, commutes, (_, _) -> {});
        }
        return ReduceOperation.of(
                bytes,
                commutes,
                (left, right) -> {
                    try {
                        inPieces(left, right, bytes, type);
                    } catch (Error failed) {
                        throw new IllegalStateException(failed.toString(), failed);
                    }
                });
    }

    /** A user's operation gets as many elements at once as an array holds well. */
    private void inPieces(MemorySegment left, MemorySegment right, int bytes, Datatype type) {
        long piece = Math.max(1, MOST_BYTES / bytes) * bytes;
        for (long at = 0; at < right.byteSize(); at += piece) {
            long length = Math.min(piece, right.byteSize() - at);
            int count = (int) (length / bytes);
            callUser(left.asSlice(at, length), right.asSlice(at, length), count, type);
        }
    }

    private void callUser(MemorySegment left, MemorySegment right, int count, Datatype type) {
        ByteBuffer in = Vectors.unpacked(left, type, count);
        ByteBuffer inOut = Vectors.unpacked(right, type, count);
        if (source instanceof Source.OfBuffers(UserFunction function)) {
            function.call(in, inOut, count, type);
        } else if (source instanceof Source.OfArrays(User_function function)) {
            Object array = Vectors.toArray(inOut, type.base());
            int offset = (int) (Vectors.lead(type.map()) / Math.max(1, type.base().bytes()));
            function.Call(Vectors.toArray(in, type.base()), offset, array, offset, count, type);
            Vectors.copyFrom(array, inOut);
        }
        Vectors.pack(inOut, type, count, right);
    }

    /** Combines objects: each of {@code inOut} becomes that of {@code in} combined with it. */
    void onObjects(@Nullable Object[] in, @Nullable Object[] inOut, int count, Datatype type) {
        checkUsable();
        switch (source) {
            case Source.OfBuffers(UserFunction function) -> function.call(in, inOut, count, type);
            case Source.OfArrays(User_function function) ->
                    function.Call(in, 0, inOut, 0, count, type);
            case Source.Predefined(String name, Kind _) -> throw unknown(name, type);
        }
    }

    private static MPIException unknown(String name, Datatype type) {
        return new MPIException(
                ErrorClass.OP,
                "%s is not defined for %s; a user's operation can be".formatted(name, type));
    }

    private static ReduceOperation predefined(String name, @Nullable Kind kind, Datatype type) {
        Datatype basic = type.predefined();
        if (basic == null || kind == null) {
            throw unknown(name, type);
        }
        boolean places = kind == Kind.MIN_PLACE || kind == Kind.MAX_PLACE;
        ReduceOperation found =
                places
                        ? ofPairs(kind, basic)
                        : isSingle(basic) ? single(kind, basic) : complex(kind, basic);
        if (found == null) {
            throw unknown(name, type);
        }
        return found;
    }

    private static boolean isSingle(Datatype type) {
        return type.map().size() == type.base().bytes();
    }

    private static @Nullable ReduceOperation single(Kind kind, Datatype type) {
        boolean arithmetic =
                switch (kind) {
                    case SUM, PRODUCT, MIN, MAX -> true;
                    default -> false;
                };
        boolean logical =
                switch (kind) {
                    case LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR -> true;
                    default -> false;
                };
        return switch (type.base()) {
            case BYTE -> ReduceOperation.of(kind, ElementType.BYTE);
            case CHAR -> ReduceOperation.of(kind, ElementType.CHAR);
            case SHORT -> ReduceOperation.of(kind, ElementType.SHORT);
            case INT -> ReduceOperation.of(kind, ElementType.INT);
            case LONG -> ReduceOperation.of(kind, ElementType.LONG);
            case FLOAT -> arithmetic ? ReduceOperation.of(kind, ElementType.FLOAT) : null;
            case DOUBLE -> arithmetic ? ReduceOperation.of(kind, ElementType.DOUBLE) : null;
            case BOOLEAN -> logical ? ReduceOperation.of(kind, ElementType.BYTE) : null;
            default -> null;
        };
    }

    private static @Nullable ReduceOperation complex(Kind kind, Datatype type) {
        if (type.map().elements().count() != 1) {
            return null;
        }
        return switch (kind) {
            case SUM -> Pairs.complexSum(type.base());
            case PRODUCT -> Pairs.complexProduct(type.base());
            default -> null;
        };
    }

    private static @Nullable ReduceOperation ofPairs(Kind kind, Datatype type) {
        if (type.map().elements().count() != 2) {
            return null;
        }
        if (type.base() == ElementKind.MIXED) {
            ElementKind value = PredefinedTypes.valueOf(type);
            return Pairs.extreme(value, kind == Kind.MIN_PLACE);
        }
        return switch (type.base()) {
            case SHORT -> ReduceOperation.of(kind, ElementType.SHORT);
            case INT -> ReduceOperation.of(kind, ElementType.INT);
            case LONG -> ReduceOperation.of(kind, ElementType.LONG);
            case FLOAT -> ReduceOperation.of(kind, ElementType.FLOAT);
            case DOUBLE -> ReduceOperation.of(kind, ElementType.DOUBLE);
            default -> null;
        };
    }

    @Override
    public String toString() {
        return source instanceof Source.Predefined(String name, Kind _)
                ? name
                : "a user's operation";
    }
}
