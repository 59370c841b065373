package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;

import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.concurrent.CompletableFuture;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import mpi.Win;

/** Rules of the standard that concern a single argument, and a probe that waits in a thread. */
public final class Details {

    private static final int ROUNDS = 200;

    private static Intracomm world;
    private static int next;
    private static int before;

    private Details() {}

    /** Begins here. */
    public static void main(String[] args) {
        int provided = MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        equal("threads", MPI.THREAD_MULTIPLE, provided);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        int rank = world.getRank();
        int size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        windows(rank);
        arguments();
        text();
        probeInAThread();
        MPI.Finalize();
        Checks.end();
    }

    private static void windows(int rank) {
        IntBuffer memory = MPI.newIntBuffer(2);
        Win win = new Win(memory, 2, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        IntBuffer data = MPI.newIntBuffer(2);
        win.lock(MPI.LOCK_EXCLUSIVE, MPI.PROC_NULL, 0);
        win.put(data, 1, MPI.INT, MPI.PROC_NULL, 0, 1, MPI.INT);
        win.flush(MPI.PROC_NULL);
        win.flushLocal(MPI.PROC_NULL);
        win.unlock(MPI.PROC_NULL);
        fails("lock type", MPI.ERR_LOCKTYPE, () -> win.lock(77, MPI.PROC_NULL, 0));
        Datatype one = Datatype.createContiguous(1, MPI.INT);
        one.commit();
        win.lock(MPI.LOCK_SHARED, rank, 0);
        fails(
                "a derived type",
                MPI.ERR_TYPE,
                () -> win.compareAndSwap(data, data, data, one, rank, 0));
        fails(
                "a derived type",
                MPI.ERR_TYPE,
                () -> win.fetchAndOp(data, data, one, rank, 0, MPI.SUM));
        win.unlock(rank);
        win.free();
    }

    private static void arguments() {
        byte[] packed = new byte[8];
        int[] ints = new int[2];
        fails("position", MPI.ERR_ARG, () -> world.pack(ints, 1, MPI.INT, packed, -1));
        fails("position", MPI.ERR_ARG, () -> world.unpack(packed, -1, ints, 1, MPI.INT));
        fails("vector", MPI.ERR_ARG, () -> Datatype.createVector(1, -1, 1, MPI.INT));
        fails(
                "indexed",
                MPI.ERR_ARG,
                () -> Datatype.createIndexed(new int[] {-1}, new int[1], MPI.INT));
        fails(
                "struct",
                MPI.ERR_ARG,
                () -> Datatype.createStruct(new int[] {-1}, new int[1], new Datatype[] {MPI.INT}));
    }

    /** Buffers that can only be read are sent. */
    private static void text() {
        char[] got = new char[5];
        CharBuffer text = CharBuffer.wrap("hello");
        world.sendRecv(text, 5, MPI.CHAR, next, 1, got, 5, MPI.CHAR, before, 1);
        equal("text", "hello", new String(got));
        fails("read-only", MPI.ERR_BUFFER, () -> world.recv(text, 5, MPI.CHAR, before, 1));
    }

    /** A server's thread waits in a probe while the program's main thread exchanges messages. */
    private static void probeInAThread() {
        CompletableFuture<Status> probed =
                CompletableFuture.supplyAsync(() -> probe(world), Details::startPlatformThread);
        int[] got = new int[1];
        for (int round = 0; round < ROUNDS; round++) {
            world.sendRecv(new int[] {round}, 1, MPI.INT, next, 5, got, 1, MPI.INT, before, 5);
        }
        world.send(got, 1, MPI.INT, next, 9);
        Status found = probed.join();
        equal("source", before, found.getSource());
        equal("count", 1, found.getCount(MPI.INT));
        world.recv(got, 1, MPI.INT, before, 9);
        equal("last round", ROUNDS - 1, got[0]);
    }

    private static Status probe(Comm comm) throws MPIException {
        return comm.probe(MPI.ANY_SOURCE, 9);
    }

    private static void startPlatformThread(Runnable task) {
        Thread _ = Thread.ofPlatform().daemon().start(task);
    }
}
