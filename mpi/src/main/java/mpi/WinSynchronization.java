package mpi;

/** When accesses to a window begin and end. */
abstract class WinSynchronization extends WinHandle {

    /** Ends all accesses, and begins new ones; a collective call (MPI_Win_fence). */
    public void fence(int assertion) throws MPIException {
        run(it -> it.fence(assertion));
    }

    /** Begins accesses to these targets, once they have posted (MPI_Win_start). */
    public void start(Group group, int assertion) throws MPIException {
        run(it -> it.start(group));
    }

    /** Ends the accesses that {@link #start} began (MPI_Win_complete). */
    public void complete() throws MPIException {
        run(WinState::complete);
    }

    /** Lets these origins access this rank's memory (MPI_Win_post). */
    public void post(Group group, int assertion) throws MPIException {
        run(it -> it.post(group));
    }

    /** Waits until the origins of {@link #post} have completed (MPI_Win_wait). */
    public void waitFor() throws MPIException {
        run(WinState::awaitCompletes);
    }

    /** As {@link #waitFor} if all have completed, else nothing (MPI_Win_test). */
    public boolean test() throws MPIException {
        try {
            return state().testCompletes();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins accesses to a target, alone or together with others (MPI_Win_lock). */
    public void lock(int lockType, int rank, int assertion) throws MPIException {
        run(it -> it.lock(lockType, rank));
    }

    /** Ends the accesses to a target that is locked (MPI_Win_unlock). */
    public void unlock(int rank) throws MPIException {
        run(it -> it.unlock(rank));
    }

    /** Begins accesses to all targets, together with others (MPI_Win_lock_all). */
    public void lockAll(int assertion) throws MPIException {
        run(WinState::lockAll);
    }

    /** Ends the accesses that {@link #lockAll} began (MPI_Win_unlock_all). */
    public void unlockAll() throws MPIException {
        run(WinState::unlockAll);
    }

    /** Lets this rank see what others have stored in its memory (MPI_Win_sync). */
    public void sync() throws MPIException {
        run(_ -> java.lang.invoke.VarHandle.fullFence());
    }

    /** Ends what was begun, here and at the target (MPI_Win_flush). */
    public void flush(int targetRank) throws MPIException {
        run(it -> it.flush(targetRank, it.window::flush));
    }

    /** As {@link #flush}, of all targets (MPI_Win_flush_all). */
    public void flushAll() throws MPIException {
        run(it -> {
            it.checkAnyLocked();
            it.window.flushAll();
        });
    }

    /** Ends what was begun, here only (MPI_Win_flush_local). */
    public void flushLocal(int targetRank) throws MPIException {
        run(it -> it.flush(targetRank, it.window::flushLocal));
    }

    /** As {@link #flushLocal}, of all targets (MPI_Win_flush_local_all). */
    public void flushLocalAll() throws MPIException {
        run(it -> {
            it.checkAnyLocked();
            it.window.flushLocal(WinState.EVERY_TARGET);
        });
    }
}
