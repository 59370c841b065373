package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Environment and simple messages, of both APIs. */
public final class Basics {

    private static int rank;
    private static int size;

    private Basics() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        fails("before Init", MPI.ERR_OTHER, () -> MPI.COMM_WORLD.getRank());
        that("not initialized", !MPI.Initialized());
        String[] left = MPI.Init(args);
        equal("arguments", new String[] {"own", "7"}, left);
        that("initialized", MPI.Initialized() && MPI.isInitialized() && !MPI.isFinalized());
        fails("second Init", MPI.ERR_OTHER, () -> MPI.Init(args));
        rank = MPI.COMM_WORLD.Rank();
        size = MPI.COMM_WORLD.Size();
        equal("rank", rank, MPI.COMM_WORLD.getRank());
        equal("size", size, MPI.COMM_WORLD.getSize());
        equal("self", 1, MPI.COMM_SELF.getSize());
        equal("self", 0, MPI.COMM_SELF.Rank());
        environment();
        toSelf();
        ring();
        wildcards();
        noProcess();
        wrongArguments();
        MPI.Finalize();
        that("finalized", MPI.isFinalized() && MPI.Initialized());
        fails("after Finalize", MPI.ERR_OTHER, () -> MPI.COMM_WORLD.Rank());
        fails("Init after Finalize", MPI.ERR_OTHER, () -> MPI.Init(args));
        Checks.end();
    }

    private static void environment() throws MPIException {
        double before = MPI.Wtime();
        that("time goes on", MPI.wtime() >= before && MPI.wtick() > 0);
        that("processor", !MPI.Get_processor_name().isEmpty());
        equal("thread level", MPI.THREAD_MULTIPLE, MPI.queryThread());
        that("main thread", MPI.isThreadMain() && MPI.isMainThread());
        equal("version", 3, MPI.getVersion().getVersion());
        Comm self = MPI.COMM_SELF;
        equal("name", "MPI_COMM_SELF", self.getName());
    }

    private static void toSelf() throws MPIException {
        int[] got = new int[3];
        Request request = MPI.COMM_WORLD.Isend(new int[] {4, 5, 6}, 1, 2, MPI.INT, rank, 9);
        Status status = MPI.COMM_WORLD.Recv(got, 1, 2, MPI.INT, rank, 9);
        equal("to itself", new int[] {0, 5, 6}, got);
        equal("source", rank, status.source);
        equal("tag", 9, status.tag);
        equal("count", 2, status.Get_count(MPI.INT));
        Status sent = request.Wait();
        that("sent", sent != null && request.Is_null());
        IntBuffer one = MPI.newIntBuffer(1).put(0, 77);
        IntBuffer two = MPI.newIntBuffer(1);
        Request send = MPI.COMM_SELF.iSend(one, 1, MPI.INT, 0, 0);
        Request receive = MPI.COMM_SELF.iRecv(two, 1, MPI.INT, 0, 0);
        Request.waitAll(new Request[] {send, receive});
        equal("by buffers", 77, two.get(0));
    }

    private static void ring() throws MPIException {
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        double[] got = new double[50_000];
        double[] mine = new double[50_000];
        Arrays.fill(mine, rank + 0.5);
        Request request = MPI.COMM_WORLD.Irecv(got, 0, got.length, MPI.DOUBLE, before, 1);
        MPI.COMM_WORLD.send(mine, mine.length, MPI.DOUBLE, next, 1);
        Status status = request.Wait();
        equal("count", got.length, status.getCount(MPI.DOUBLE));
        equal("last", before + 0.5, got[got.length - 1]);
        char[] text = new char[10];
        if (rank % 2 == 0) {
            MPI.COMM_WORLD.Send("madcast".toCharArray(), 0, 7, MPI.CHAR, next, 2);
        }
        if (before % 2 == 0) {
            status = MPI.COMM_WORLD.recv(text, 10, MPI.CHAR, before, 2);
            equal("text", "madcast", new String(text, 0, status.getCount(MPI.CHAR)));
        }
    }

    private static void wildcards() throws MPIException {
        if (rank > 0) {
            MPI.COMM_WORLD.Send(new long[] {rank}, 0, 1, MPI.LONG, 0, 100 + rank);
            return;
        }
        boolean[] seen = new boolean[size];
        for (int i = 1; i < size; i++) {
            long[] got = new long[1];
            Status status = MPI.COMM_WORLD.Recv(got, 0, 1, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG);
            equal("tag of " + status.source, 100 + status.source, status.tag);
            equal("sender", (long) status.source, got[0]);
            that("once", !seen[status.source]);
            seen[status.source] = true;
        }
    }

    private static void noProcess() throws MPIException {
        MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0);
        int[] kept = {3};
        Status status = MPI.COMM_WORLD.recv(kept, 1, MPI.INT, MPI.PROC_NULL, 0);
        equal("kept", 3, kept[0]);
        equal("source", MPI.PROC_NULL, status.getSource());
        equal("tag", MPI.ANY_TAG, status.getTag());
        equal("count", 0, status.getCount(MPI.INT));
        status = MPI.COMM_WORLD.Irecv(kept, 0, 1, MPI.INT, MPI.PROC_NULL, 0).Wait();
        equal("source", MPI.PROC_NULL, status.source);
    }

    private static void wrongArguments() {
        int[] one = new int[1];
        fails("rank", MPI.ERR_RANK, () -> MPI.COMM_WORLD.Send(one, 0, 1, MPI.INT, size, 0));
        fails("rank", MPI.ERR_RANK, () -> MPI.COMM_WORLD.Send(one, 0, 1, MPI.INT, -7, 0));
        fails("tag", MPI.ERR_TAG, () -> MPI.COMM_WORLD.Send(one, 0, 1, MPI.INT, 0, -5));
        fails("tag", MPI.ERR_TAG, () -> MPI.COMM_WORLD.Recv(one, 0, 1, MPI.INT, 0, -5));
        fails("count", MPI.ERR_COUNT, () -> MPI.COMM_WORLD.Send(one, 0, -1, MPI.INT, 0, 0));
        fails("length", MPI.ERR_BUFFER, () -> MPI.COMM_WORLD.Send(one, 0, 2, MPI.INT, 0, 0));
        fails("null", MPI.ERR_BUFFER, () -> MPI.COMM_WORLD.Send(null, 0, 1, MPI.INT, 0, 0));
        fails("type", MPI.ERR_TYPE, () -> MPI.COMM_WORLD.Send(one, 0, 1, MPI.LONG, 0, 0));
        fails("type", MPI.ERR_TYPE, () -> MPI.COMM_WORLD.Send(one, 0, 1, MPI.NULL, 0, 0));
        fails("null", MPI.ERR_COMM, () -> MPI.COMM_NULL.Size());
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        fails("count", MPI.ERR_COUNT, () -> MPI.COMM_WORLD.send(one, -1, MPI.INT, 0, 0));
        fails(
                "direct buffer",
                MPI.ERR_BUFFER,
                () -> MPI.COMM_WORLD.iSend(IntBuffer.wrap(one), 1, MPI.INT, 0, 0));
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_ARE_FATAL);
    }
}
