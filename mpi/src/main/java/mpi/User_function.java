package mpi;

/** A user's operation, as mpiJava has it (MPI_User_function). */
public abstract class User_function {

    /** For subclasses. */
    protected User_function() {}

    /**
     * Sets each element of {@code inoutvec} to that of {@code invec} combined with it.
     *
     * @param invec an array of the base type: the elements of lower ranks
     * @param inoffset where they begin
     * @param inoutvec the elements of higher ranks, and the result
     * @param inoutoffset where they begin
     * @param count how many elements of the type there are
     */
    public abstract void Call(
            Object invec,
            int inoffset,
            Object inoutvec,
            int inoutoffset,
            int count,
            Datatype datatype)
            throws MPIException;
}
