package mpi;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A handle of an operation that has begun (MPI_Request). When its operation has ended and the
 * program has waited or tested, it is null; a persistent one is inactive. Waiting for a null or
 * inactive request returns an empty status at once.
 */
public class Request implements Freeable {

    private final @Nullable CommHandle comm;
    private volatile @Nullable Operation operation;

    Request(@Nullable CommHandle comm, @Nullable Operation operation) {
        this.comm = comm;
        this.operation = operation;
    }

    /**
     * A request for a collective call.
     *
     * @param store run once when the call has ended, on the thread that waits or tests
     */
    static Request of(CommHandle comm, CompletableFuture<?> future, Runnable store) {
        Operation waiting =
                Operation.of(
                        comm.state(),
                        future,
                        _ -> {
                            store.run();
                            return new Status();
                        });
        return new Request(comm, waiting);
    }

    /** A request that has ended. */
    static Request ended(CommHandle comm) {
        return new Request(comm, Operation.done(new Status()));
    }

    final void activate(Operation begun) {
        operation = begun;
    }

    /** What it waits for; null when it is null or inactive. */
    final @Nullable Operation operation() {
        return operation;
    }

    final boolean isActive() {
        return operation != null;
    }

    /** Waits for the end of its operation, and makes it null or inactive. */
    final Status finish() {
        Operation waiting = operation;
        if (waiting == null) {
            return Status.ofNone();
        }
        try {
            return waiting.join();
        } finally {
            operation = null;
        }
    }

    MPIException raise(RuntimeException failed) {
        return comm == null ? Errors.raise(failed) : comm.raise(failed);
    }

    /**
     * Gives it back; its operation goes on (MPI_Request_free). A null request stays null: programs
     * free what they have waited for.
     */
    @Override
    public void free() throws MPIException {
        try {
            Operation running = operation;
            operation = null;
            if (running != null) {
                running.release();
            }
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * Takes a receive back unless a message has matched it; it must still be waited for
     * (MPI_Cancel).
     */
    public final void cancel() throws MPIException {
        try {
            Operation running = operation;
            if (running == null) {
                throw new MPIException(ErrorClass.REQUEST, "the request is null or inactive");
            }
            running.cancel();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #cancel}. */
    public void Cancel() throws MPIException {
        cancel();
    }

    /** As {@link #free}, as mpiJava's specification has it. */
    public void Free() throws MPIException {
        free();
    }

    /** Whether it is REQUEST_NULL, has been waited for, or was freed. */
    public boolean isNull() {
        return operation == null;
    }

    /** As {@link #isNull}. */
    public boolean Is_null() throws MPIException {
        return isNull();
    }

    /** Waits (MPI_Wait). */
    public final Status waitStatus() throws MPIException {
        try {
            return finish();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #waitStatus}. */
    public Status Wait() throws MPIException {
        return waitStatus();
    }

    /** As {@link #waitStatus}, without a status. */
    public final void waitFor() throws MPIException {
        Status _ = waitStatus();
    }

    /** The status when its operation has ended, else null (MPI_Test). */
    public final @Nullable Status testStatus() throws MPIException {
        try {
            Operation running = operation;
            return running == null || running.poll() ? finish() : null;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #testStatus}. */
    public @Nullable Status Test() throws MPIException {
        return testStatus();
    }

    /** Whether its operation has ended (MPI_Test). */
    public final boolean test() throws MPIException {
        return testStatus() != null;
    }

    /**
     * The status when its operation has ended, else null; it stays as it is
     * (MPI_Request_get_status).
     */
    public final @Nullable Status getStatus() throws MPIException {
        try {
            Operation running = operation;
            if (running == null) {
                return Status.ofNone();
            }
            return running.poll() ? running.join() : null;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * Waits until one has ended; its index is in the status, UNDEFINED when none is active
     * (MPI_Waitany).
     */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        int index = Requests.awaitAny(requests);
        return Requests.finish(requests, index);
    }

    /** As {@link #waitAnyStatus}. */
    public static Status Waitany(Request[] r) throws MPIException {
        return waitAnyStatus(r);
    }

    /** As {@link #waitAnyStatus}; returns the index. */
    public static int waitAny(Request[] requests) throws MPIException {
        return waitAnyStatus(requests).index;
    }

    /** As {@link #waitAnyStatus} when one has ended or none is active, else null (MPI_Testany). */
    public static @Nullable Status testAnyStatus(Request[] requests) throws MPIException {
        int index = Requests.findEnded(requests);
        return index == Requests.PENDING ? null : Requests.finish(requests, index);
    }

    /** As {@link #testAnyStatus}. */
    public static @Nullable Status Testany(Request[] r) throws MPIException {
        return testAnyStatus(r);
    }

    /** As {@link #testAnyStatus}; returns the index, or UNDEFINED when none has ended. */
    public static int testAny(Request[] requests) throws MPIException {
        Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.index;
    }

    /** Waits until all have ended (MPI_Waitall). */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        return Requests.finishAll(requests);
    }

    /** As {@link #waitAllStatus}. */
    public static Status[] Waitall(Request[] r) throws MPIException {
        return waitAllStatus(r);
    }

    /** As {@link #waitAllStatus}, without statuses. */
    public static void waitAll(Request[] requests) throws MPIException {
        Status[] _ = Requests.finishAll(requests);
    }

    /** The statuses when all have ended, else null, and nothing is done (MPI_Testall). */
    public static Status @Nullable [] testAllStatus(Request[] requests) throws MPIException {
        return Requests.haveAllEnded(requests) ? Requests.finishAll(requests) : null;
    }

    /** As {@link #testAllStatus}. */
    public static Status @Nullable [] Testall(Request[] r) throws MPIException {
        return testAllStatus(r);
    }

    /** As {@link #testAllStatus}; whether all have ended. */
    public static boolean testAll(Request[] requests) throws MPIException {
        return testAllStatus(requests) != null;
    }

    /** Waits until at least one has ended; null when none is active (MPI_Waitsome). */
    public static Status @Nullable [] waitSomeStatus(Request[] requests) throws MPIException {
        int index = Requests.awaitAny(requests);
        return index == MPI.UNDEFINED ? null : Requests.finishSome(requests);
    }

    /** As {@link #waitSomeStatus}. */
    public static Status @Nullable [] Waitsome(Request[] r) throws MPIException {
        return waitSomeStatus(r);
    }

    /** As {@link #waitSomeStatus}; returns the indices. */
    public static int @Nullable [] waitSome(Request[] requests) throws MPIException {
        return Requests.indices(waitSomeStatus(requests));
    }

    /** Those that have ended, none if none has; null when none is active (MPI_Testsome). */
    public static Status @Nullable [] testSomeStatus(Request[] requests) throws MPIException {
        int index = Requests.findEnded(requests);
        return index == MPI.UNDEFINED ? null : Requests.finishSome(requests);
    }

    /** As {@link #testSomeStatus}. */
    public static Status @Nullable [] Testsome(Request[] r) throws MPIException {
        return testSomeStatus(r);
    }

    /** As {@link #testSomeStatus}; returns the indices. */
    public static int @Nullable [] testSome(Request[] requests) throws MPIException {
        return Requests.indices(testSomeStatus(requests));
    }
}
