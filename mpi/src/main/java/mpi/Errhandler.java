package mpi;

/**
 * What happens after an error (MPI_Errhandler). The methods of mpiJava, whose names begin with a
 * capital letter, throw {@link MPIException} with every handler.
 */
public final class Errhandler {

    /** What a handler does. */
    enum Kind {
        /** All processes of the job end. */
        FATAL,
        /** The processes of the communicator end, which is the job too. */
        ABORT,
        /** The call throws. */
        RETURN
    }

    private final Kind kind;

    Errhandler(Kind kind) {
        this.kind = kind;
    }

    boolean isFatal() {
        return kind != Kind.RETURN;
    }

    @Override
    public String toString() {
        return "ERRORS_" + (kind == Kind.FATAL ? "ARE_FATAL" : kind.name());
    }
}
