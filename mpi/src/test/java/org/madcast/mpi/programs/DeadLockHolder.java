package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;

import java.nio.IntBuffer;
import mpi.MPI;
import mpi.Win;

/** Rank 1 dies while it holds the lock of rank 0's window, for which the others wait. */
public final class DeadLockHolder {

    private DeadLockHolder() {}

    /** Begins here. */
    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        IntBuffer memory = MPI.newIntBuffer(1);
        Win win = new Win(memory, 1, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        win.setErrhandler(MPI.ERRORS_RETURN);
        if (rank == 1) {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
        }
        MPI.COMM_WORLD.barrier();
        if (rank == 1) {
            Runtime.getRuntime().halt(3);
        }
        IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
        IntBuffer old = MPI.newIntBuffer(1);
        win.lock(MPI.LOCK_SHARED, 0, 0);
        win.fetchAndOp(one, old, MPI.INT, 0, 0, MPI.SUM);
        win.unlock(0);
        for (int attempt = 0; attempt < 2; attempt++) {
            fails(
                    "the dead rank's own lock",
                    MPI.ERR_PROC_ABORTED,
                    () -> win.lock(MPI.LOCK_SHARED, 1, 0));
        }
        if (rank == 0) {
            byte[] done = new byte[1];
            MPI.COMM_WORLD.recv(done, 1, MPI.BYTE, 2, 0);
            equal("both have counted", 2, memory.get(0));
        } else {
            MPI.COMM_WORLD.send(new byte[1], 1, MPI.BYTE, 0, 0);
        }
        Checks.end();
        Runtime.getRuntime().halt(0);
    }
}
