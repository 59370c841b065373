package org.madcast.mpi.programs;

import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Collective calls in which a rank sends more than another has room for. */
public final class Truncation {

    private static int rank;

    private Truncation() {}

    /** Runs on two ranks or more. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = MPI.COMM_WORLD.getRank();
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        boolean root = rank == 0;
        truncates("bcast", !root, of -> of.bcast(new int[4], root ? 4 : 2, MPI.INT, 0));
        truncates("long bcast", !root, of -> bcast(of, root ? 100_000 : 99_999));
        truncates(
                "scatter",
                !root,
                of -> of.scatter(new int[40], 4, MPI.INT, new int[4], root ? 4 : 2, MPI.INT, 0));
        truncates(
                "gather",
                root,
                of -> of.gather(new int[4], root ? 2 : 4, MPI.INT, new int[40], 2, MPI.INT, 0));
        truncates(
                "reduce",
                root,
                of -> of.reduce(new int[4], new int[4], root ? 2 : 4, MPI.INT, MPI.SUM, 0));
        Intracomm copy = MPI.COMM_WORLD.clone();
        copy.barrier();
        copy.free();
        ends("bcast in COMM_WORLD", !root, () -> bcast(MPI.COMM_WORLD, root ? 4000 : 2000));
        ends("what the root has not been told yet", false, MPI::Finalize);
        Checks.end();
    }

    private static void bcast(Intracomm of, int count) {
        of.bcast(new int[count], count, MPI.INT, 0);
    }

    private static void truncates(String what, boolean here, Consumer<Intracomm> call) {
        Intracomm copy = MPI.COMM_WORLD.clone();
        ends(what, here, () -> call.accept(copy));
    }

    /** A rank that only sends may have ended its call before. */
    private static void ends(String what, boolean here, Runnable call) {
        if (here) {
            Checks.fails(what, MPI.ERR_TRUNCATE, call);
            return;
        }
        try {
            call.run();
        } catch (MPIException told) {
            Checks.equal(what, MPI.ERR_TRUNCATE, told.getErrorClass());
        }
    }
}
