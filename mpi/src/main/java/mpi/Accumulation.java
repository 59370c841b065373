package mpi;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.madcast.client.ReduceOperation;
import org.madcast.mpi.datatype.Elements;

/**
 * The predefined operations and types of accumulations, by the numbers that travel to the target.
 *
 * @param operation the number of the operation
 * @param basic the number of the predefined type that it works on
 */
record Accumulation(int operation, int basic) {

    private static final List<Op> OPERATIONS =
            List.of(
                    MPI.REPLACE,
                    MPI.NO_OP,
                    MPI.MAX,
                    MPI.MIN,
                    MPI.SUM,
                    MPI.PROD,
                    MPI.LAND,
                    MPI.BAND,
                    MPI.LOR,
                    MPI.BOR,
                    MPI.LXOR,
                    MPI.BXOR,
                    MPI.MINLOC,
                    MPI.MAXLOC);

    /** First those of one element, in which the type of a derived type's elements is looked up. */
    private static final List<Datatype> BASICS =
            List.of(
                    MPI.BYTE,
                    MPI.CHAR,
                    MPI.SHORT,
                    MPI.BOOLEAN,
                    MPI.INT,
                    MPI.LONG,
                    MPI.FLOAT,
                    MPI.DOUBLE,
                    MPI.PACKED,
                    MPI.SHORT2,
                    MPI.INT2,
                    MPI.LONG2,
                    MPI.FLOAT2,
                    MPI.DOUBLE2,
                    MPI.SHORT_INT,
                    MPI.LONG_INT,
                    MPI.FLOAT_INT,
                    MPI.DOUBLE_INT,
                    MPI.FLOAT_COMPLEX,
                    MPI.DOUBLE_COMPLEX);

    /** The numbers of an operation on a target's type. */
    static Accumulation of(Op op, Datatype type) {
        if (op == null) {
            throw new MPIException(ErrorClass.OP, "the operation is null");
        }
        int operation = OPERATIONS.indexOf(op);
        if (operation < 0) {
            throw new MPIException(
                    ErrorClass.OP, "accumulations know only MPI's own operations, not " + op);
        }
        Accumulation made =
                new Accumulation(operation, onlyMoves(op) ? 0 : BASICS.indexOf(basicOf(type)));
        ReduceOperation _ = operation(made.operation, made.basic);
        return made;
    }

    private static boolean onlyMoves(Op op) {
        return op.equals(MPI.REPLACE) || op.equals(MPI.NO_OP);
    }

    private static Datatype basicOf(Datatype type) {
        Datatype known = type.predefined();
        if (known != null && BASICS.contains(known)) {
            return known;
        }
        Elements elements = type.map().elements();
        for (Datatype basic : BASICS) {
            if (basic.base() == type.base()
                    && elements.bytes() == elements.count() * basic.base().bytes()) {
                return basic;
            }
        }
        throw new MPIException(
                ErrorClass.TYPE,
                "an accumulation needs elements of one predefined type; %s has others"
                        .formatted(type));
    }

    /** The operation of two numbers, at the target. */
    static ReduceOperation operation(int operation, int basic) {
        Op op = OPERATIONS.get(operation);
        if (op.equals(MPI.REPLACE)) {
            return ReduceOperation.of(1, false, (left, right) -> right.copyFrom(left));
        }
        if (op.equals(MPI.NO_OP)) {
            return ReduceOperation.of(1, false, Accumulation::nothing);
        }
        return op.on(BASICS.get(basic));
    }

    private static void nothing(MemorySegment left, MemorySegment right) {}
}
