package org.madcast.mpi.programs;

import mpi.MPI;

/** Begins without arguments, as a C program does with NULL. */
public final class WithoutArguments {

    private WithoutArguments() {}

    /** Runs the checks. */
    public static void main(String[] args) {
        Checks.equal("no arguments", new String[0], MPI.Init(null));
        Checks.fails("twice", MPI.ERR_OTHER, () -> MPI.Init(args));
        Checks.fails("twice", MPI.ERR_OTHER, () -> MPI.InitThread(null, MPI.THREAD_SINGLE));
        MPI.Finalize();
        Checks.fails("again", MPI.ERR_OTHER, () -> MPI.Init(args));
        Checks.fails("finalized twice", MPI.ERR_OTHER, MPI::Finalize);
        Checks.that("known", MPI.isInitialized() && MPI.isFinalized());
        Checks.end();
    }
}
