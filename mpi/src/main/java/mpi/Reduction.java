package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ReduceOperation;
import org.madcast.mpi.datatype.ElementKind;

/** The buffers and the operation of a reduction. Elements are packed. */
final class Reduction {

    private final Datatype type;
    private final Op op;
    private final @Nullable Payload data;
    private final @Nullable Payload result;

    /**
     * A reduction.
     *
     * @param data what this rank contributes; null for what is in {@code result}
     * @param result null when this rank gets none
     */
    Reduction(@Nullable Payload data, @Nullable Payload result, Datatype type, Op op) {
        if (op == null) {
            throw new MPIException(ErrorClass.OP, "the operation is null");
        }
        op.checkUsable();
        if (isObjects(type) && !op.isUsers()) {
            throw new MPIException(
                    ErrorClass.OP, op + " is not defined for objects; a user's operation can be");
        }
        this.data = data;
        this.result = result;
        this.type = type;
        this.op = op;
    }

    private static boolean isObjects(Datatype type) {
        return type.base() == ElementKind.OBJECT;
    }

    boolean isObjects() {
        return isObjects(type);
    }

    /** Combines two buffers of this process. */
    static void local(Object in, Object inOut, int count, Datatype type, Op op) {
        Payload left = Payload.toSend(in, 0, count, type);
        Reduction all = new Reduction(null, Payload.toReceive(inOut, 0, count, type), type, op);
        if (all.isObjects()) {
            @Nullable Object[] right = all.objects();
            op.onObjects(left.readObjects(), right, count, type);
            all.resultPayload().storeObjects(right);
            return;
        }
        ReduceOperation operation = all.operation();
        operation.combine(left.memory(), all.input());
        all.arrived();
    }

    Op op() {
        return op;
    }

    Datatype type() {
        return type;
    }

    boolean isInPlace() {
        return data == null;
    }

    /** The objects that this rank contributes. */
    @Nullable Object[] objects() {
        return (data == null ? resultPayload() : data).readObjects();
    }

    Payload resultPayload() {
        return Objects.requireNonNull(result);
    }

    ReduceOperation operation() {
        return op.on(type);
    }

    /** The packed data; in place they are in {@link #output}. */
    MemorySegment input() {
        if (data != null) {
            MemorySegment sent = data.memory();
            return Payload.isSame(sent, output()) ? sent : Payload.apart(sent, output());
        }
        Payload both = resultPayload();
        if (!both.isBlock() && both.size() > 0) {
            both.pack(both.memory());
        }
        return both.memory();
    }

    /** Where the packed result goes. */
    MemorySegment output() {
        return result == null ? Payload.EMPTY : result.memory();
    }

    /** Unpacks the result. */
    void arrived() {
        if (result != null) {
            result.arrived(result.size());
        }
    }
}
