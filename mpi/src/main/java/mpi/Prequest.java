package mpi;

import org.jspecify.annotations.Nullable;

/** A persistent request: its operation begins each time that it is started. */
public final class Prequest extends Request {

    private Operation.@Nullable Starter starter;

    Prequest(CommHandle comm, Operation.Starter starter) {
        super(comm, null);
        this.starter = starter;
    }

    /** Begins its operation (MPI_Start). */
    public void start() throws MPIException {
        try {
            if (starter == null) {
                throw new MPIException(ErrorClass.REQUEST, "the request was freed");
            }
            if (isActive()) {
                throw new MPIException(
                        ErrorClass.REQUEST, "the request was started and not waited for");
            }
            activate(starter.begin());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #start}. */
    public void Start() throws MPIException {
        start();
    }

    /** Starts all (MPI_Startall). */
    public static void startAll(Prequest[] requests) throws MPIException {
        if (requests == null) {
            throw Errors.raise(new MPIException(ErrorClass.ARG, "the array of requests is null"));
        }
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] == null) {
                throw Errors.raise(
                        new MPIException(ErrorClass.REQUEST, "request " + i + " is null"));
            }
            requests[i].start();
        }
    }

    /** As {@link #startAll}. */
    public static void Startall(Prequest[] array_of_request) throws MPIException {
        startAll(array_of_request);
    }

    @Override
    public void free() throws MPIException {
        super.free();
        starter = null;
    }

    @Override
    public boolean isNull() {
        return starter == null;
    }
}
