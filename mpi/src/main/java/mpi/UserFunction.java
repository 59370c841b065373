package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A user's operation, as Open MPI has it (MPI_User_function). A program overrides one of the two
 * methods: the one with arrays, or the one with buffers, which spares copies.
 */
public abstract class UserFunction {

    /** For subclasses. */
    protected UserFunction() {}

    /**
     * Sets each element of {@code inOutVec} to that of {@code inVec} combined with it.
     *
     * @param inVec an array of the type's base type, of bytes for a type of several: the elements
     *     of lower ranks
     * @param inOutVec the elements of higher ranks, and the result
     * @param count how many elements of the type there are
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype)
            throws MPIException {
        throw new UnsupportedOperationException(
                getClass().getName() + " overrides neither of UserFunction's methods");
    }

    /**
     * As {@link #call(Object, Object, int, Datatype)}, on buffers in the machine's byte order.
     * Unless a program overrides it, it calls that method.
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype)
            throws MPIException {
        Object left = Vectors.toArray(in.order(ByteOrder.nativeOrder()), datatype.base());
        Object right = Vectors.toArray(inOut.order(ByteOrder.nativeOrder()), datatype.base());
        call(left, right, count, datatype);
        Vectors.copyFrom(right, inOut);
    }
}
