package org.madcast.mpi.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import mpi.MPI;
import mpi.MPIException;

/** Ranks that end in other ways than by Finalize. */
public final class Ends {

    private Ends() {}

    /** Runs one of the ends. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int last = MPI.COMM_WORLD.getSize() - 1;
        switch (args[0]) {
            case "abort" -> {
                if (rank == last) {
                    MPI.COMM_WORLD.abort(37);
                }
                waitFor(last);
            }
            case "computing" -> {
                if (rank == last) {
                    MPI.COMM_WORLD.Abort(0);
                }
                while (true) {
                    Thread.onSpinWait();
                }
            }
            case "fatal" -> {
                if (rank == last) {
                    MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 99, 0);
                }
                waitFor(last);
            }
            case "forget" -> System.out.println("done");
            case "signal" -> {
                try {
                    long pid = ProcessHandle.current().pid();
                    Process _ = new ProcessBuilder("kill", "-TERM", "" + pid).start();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
                while (true) {
                    Thread.onSpinWait();
                }
            }
            case "exit" -> {
                if (rank == last) {
                    System.exit(0);
                }
                try {
                    MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
                    waitFor(last);
                } catch (MPIException error) {
                    System.out.println("lost " + (error.getErrorClass() == MPI.ERR_PROC_ABORTED));
                }
                try {
                    MPI.Finalize();
                } catch (MPIException error) {
                    System.out.println("lost " + (error.getErrorClass() == MPI.ERR_PROC_ABORTED));
                }
            }
            case "barrier" -> {
                dieWhileTheOthersWait(last);
                try {
                    MPI.COMM_WORLD.barrier();
                } catch (MPIException error) {
                    System.out.println("lost " + (error.getErrorClass() == MPI.ERR_PROC_ABORTED));
                }
                if (rank == 0) {
                    MPI.COMM_WORLD.abort(5);
                }
                while (true) {
                    Thread.onSpinWait();
                }
            }
            case "finalize" -> {
                dieWhileTheOthersWait(last);
                try {
                    MPI.Finalize();
                } catch (MPIException error) {
                    System.out.println("lost " + (error.getErrorClass() == MPI.ERR_PROC_ABORTED));
                }
            }
            case "fatal finalize" -> {
                MPI.COMM_WORLD.barrier();
                if (rank == last) {
                    Runtime.getRuntime().halt(9);
                }
                MPI.Finalize();
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** The last rank ends; nobody has sent it a message or received one. */
    private static void dieWhileTheOthersWait(int last) {
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == last) {
            Runtime.getRuntime().halt(9);
        }
    }

    private static void waitFor(int rank) throws MPIException {
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, rank, 0);
    }
}
