package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** Messages longer than 2 GiB: 3 GiB as some elements of a large type, and a type with gaps. */
public final class LargeMessages {

    private static final int PIECE = 1 << 17;
    private static final int PIECES = 3072;

    private LargeMessages() {}

    /** Runs the checks on two ranks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        long[] data = new long[PIECE * PIECES];
        contiguous(world, data);
        byCount(world, data);
        everyOther(world, data);
        MPI.Finalize();
        Checks.end();
    }

    private static void fill(long[] data, long by) {
        for (int i = 0; i < data.length; i++) {
            data[i] = i * by;
        }
    }

    private static boolean holds(long[] data, long by, int step) {
        for (int i = 0; i < data.length; i += step) {
            if (data[i] != i * by) {
                return false;
            }
        }
        return true;
    }

    private static void contiguous(Intracomm world, long[] data) {
        Datatype piece = Datatype.createContiguous(PIECE, MPI.LONG);
        piece.commit();
        if (world.getRank() == 0) {
            fill(data, 3);
            world.send(data, PIECES, piece, 1, 1);
            fill(data, 5);
        } else {
            Status status = world.probe(0, 1);
            equal("probed", PIECES, status.getCount(piece));
            status = world.recv(data, PIECES, piece, 0, 1);
            equal("count", PIECES, status.getCount(piece));
            equal("elements", (long) data.length, status.getElementsX(MPI.LONG).getCount());
            equal("more than an int", MPI.UNDEFINED, status.getCount(MPI.BYTE));
            that("all of it", holds(data, 3, 1));
        }
        world.bcast(data, PIECES, piece, 0);
        that("broadcast", holds(data, 5, 1));
        piece.free();
    }

    /** The count is an int, the bytes are not. */
    private static void byCount(Intracomm world, long[] data) {
        if (world.getRank() == 1) {
            world.Send(data, 1, data.length - 1, MPI.LONG, 0, 3);
            return;
        }
        java.util.Arrays.fill(data, -1);
        Status status = world.Recv(data, 1, data.length - 1, MPI.LONG, 1, 3);
        equal("count", data.length - 1, status.Get_count(MPI.LONG));
        equal("before the offset", -1L, data[0]);
        data[0] = 0;
        that("all of it", holds(data, 5, 1));
    }

    /** Of 2.25 GiB; packed on its way. */
    private static void everyOther(Intracomm world, long[] data) {
        int blocks = data.length / 4;
        Datatype spaced = Datatype.createVector(blocks, 3, 4, MPI.LONG);
        spaced.commit();
        if (world.getRank() == 0) {
            Request send = world.Isend(data, 0, 1, spaced, 1, 2);
            send.waitFor();
        } else {
            java.util.Arrays.fill(data, -1);
            Status status = world.recv(data, 1, spaced, 0, 2);
            equal("count", 1, status.getCount(spaced));
            equal("gap", -1L, data[3]);
            equal("first", 5L, data[1]);
            equal("last", 5L * (data.length - 2), data[data.length - 2]);
            that("all of it", holds(data, 5, 4));
        }
    }
}
