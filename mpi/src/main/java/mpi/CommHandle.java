package mpi;

import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;

/** What a communicator has besides its operations: its ranks and its error handler. */
abstract class CommHandle implements Freeable, Cloneable {

    private volatile @Nullable CommState state;

    CommHandle(@Nullable CommState state) {
        this.state = state;
    }

    /** Gives one of the predefined communicators its ranks, or takes them away. */
    final void bind(@Nullable CommState to) {
        state = to;
    }

    /** What stands behind it. */
    final CommState state() {
        CommState known = state;
        if (known != null) {
            return known;
        }
        Environment.check();
        throw new MPIException(ErrorClass.COMM, "the communicator is null or was freed");
    }

    /** What stands behind a communicator that a program passes. */
    static CommState of(@Nullable CommHandle comm) {
        if (comm == null) {
            throw new MPIException(ErrorClass.COMM, "the communicator is null");
        }
        return comm.state();
    }

    final boolean isBound() {
        return state != null;
    }

    /**
     * The client library's communicator: of an intercommunicator, the one of both groups' ranks.
     */
    final Communicator communicator() {
        return state().all();
    }

    /** What errors do; as COMM_WORLD says for a communicator that is null or was freed. */
    @SuppressWarnings("ReferenceEquality") // it asks for itself
    final Errhandler handler() {
        CommState known = state;
        if (known != null) {
            return known.handler;
        }
        CommHandle world = MPI.COMM_WORLD;
        return this == world ? MPI.ERRORS_ARE_FATAL : world.handler();
    }

    /** What a call throws to which a program passes this communicator, or none. */
    static MPIException raiseOf(@Nullable CommHandle comm, RuntimeException failed) {
        return comm == null ? Errors.raise(failed) : comm.raise(failed);
    }

    /** What a call throws, unless the error handler ends the job; see {@link Errors}. */
    final MPIException raise(RuntimeException failed) {
        return Errors.raise(handler(), failed);
    }
}
