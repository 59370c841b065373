package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.UserFunction;
import mpi.User_function;

/** What programs do by habit: null where an argument means nothing, one array for both buffers. */
public final class Habits {

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static int next;
    private static int before;

    private Habits() {}

    private record Point(int x, int y) implements Serializable {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        onePartOfTheResult();
        oneArrayForBoth();
        nullsAtOtherRanks();
        longerArraysOfCounts();
        asBytes();
        ownClasses();
        typesFreedMeanwhile();
        waitedForTwice();
        nullsWhereSomethingIsNeeded();
        MPI.Finalize();
        Checks.end();
    }

    private static int[] numbers() {
        int[] numbers = new int[size + 2];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    private static int[] ones() {
        int[] ones = new int[size + 2];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** In place, without saying so. */
    private static void onePartOfTheResult() {
        int[] all = new int[size];
        all[rank] = rank + 1;
        world.Allgather(all, rank, 1, MPI.INT, all, 0, 1, MPI.INT);
        equal("gathered", before + 1, all[before]);
        int[] parts = new int[size];
        parts[rank] = rank + 1;
        world.Gather(parts, rank, 1, MPI.INT, parts, 0, 1, MPI.INT, 0);
        equal("gathered", rank == 0 ? size : 0, rank == 0 ? parts[size - 1] : 0);
        world.Scatter(parts, 0, 1, MPI.INT, parts, rank, 1, MPI.INT, 0);
        equal("scattered", rank + 1, parts[rank]);
    }

    private static void oneArrayForBoth() {
        int[] data = {rank, 1};
        world.Allreduce(data, 0, data, 0, 2, MPI.INT, MPI.SUM);
        equal("allreduce", new int[] {size * (size - 1) / 2, size}, data);
        int[] one = {1};
        world.Reduce(one, 0, one, 0, 1, MPI.INT, MPI.SUM, 0);
        equal("reduce", rank == 0 ? size : 1, one[0]);
        one[0] = 1;
        world.Scan(one, 0, one, 0, 1, MPI.INT, MPI.SUM);
        equal("scan", rank + 1, one[0]);
    }

    private static void nullsAtOtherRanks() {
        boolean root = rank == 0;
        int[] own = {rank};
        int[] all = root ? new int[size] : null;
        int[] counts = root ? ones() : null;
        int[] places = root ? numbers() : null;
        world.Gather(own, 0, 1, MPI.INT, all, 0, 1, MPI.INT, 0);
        world.gather(own, 1, MPI.INT, all, 1, MPI.INT, 0);
        world.Gatherv(own, 0, 1, MPI.INT, all, 0, counts, places, MPI.INT, 0);
        world.gatherv(own, 1, MPI.INT, all, counts, places, MPI.INT, 0);
        int[] back = {-1};
        world.Scatter(all, 0, 1, MPI.INT, back, 0, 1, MPI.INT, 0);
        world.Scatterv(all, 0, counts, places, MPI.INT, back, 0, 1, MPI.INT, 0);
        world.scatterv(all, counts, places, MPI.INT, back, 1, MPI.INT, 0);
        equal("back", rank, back[0]);
        world.Reduce(own, 0, root ? back : null, 0, 1, MPI.INT, MPI.SUM, 0);
        world.reduce(own, root ? back : null, 1, MPI.INT, MPI.SUM, 0);
        equal("sum", root ? size * (size - 1) / 2 : rank, back[0]);
        Object[] objects = root ? new Object[size] : null;
        world.Gather(new Object[] {rank}, 0, 1, MPI.OBJECT, objects, 0, 1, MPI.OBJECT, 0);
        equal("object", root ? size - 1 : null, root ? objects[size - 1] : null);
    }

    private static void longerArraysOfCounts() {
        int[] all = new int[size];
        world.allGatherv(new int[] {rank}, 1, MPI.INT, all, ones(), numbers(), MPI.INT);
        equal("gathered", before, all[before]);
    }

    private static void asBytes() {
        byte[] bytes = new byte[8];
        world.Send(new double[] {1.5}, 0, 1, MPI.DOUBLE, next, 0);
        Status status = world.Recv(bytes, 0, 8, MPI.BYTE, before, 0);
        equal("bytes", 8, status.Get_count(MPI.BYTE));
        equal("number", 1.5, ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getDouble());
    }

    private static void ownClasses() {
        Point[] mine = {new Point(rank, 2), null};
        Point[] got = new Point[2];
        Status _ =
                world.Sendrecv(mine, 0, 2, MPI.OBJECT, next, 0, got, 0, 2, MPI.OBJECT, before, 0);
        equal("objects", new Point[] {new Point(before, 2), null}, got);
        Point[] all = new Point[size];
        world.Allgather(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
        equal("object", new Point(before, 2), all[before]);
    }

    private static void typesFreedMeanwhile() {
        Datatype gaps = Datatype.createVector(2, 1, 2, MPI.INT);
        gaps.commit();
        IntBuffer sent = MPI.newIntBuffer(3);
        IntBuffer got = MPI.newIntBuffer(3);
        sent.put(2, 8);
        Request[] both = {
            world.iRecv(got, 1, gaps, before, 0), world.iSend(sent, 1, gaps, next, 0)
        };
        gaps.free();
        Request.waitAll(both);
        equal("behind the gap", 8, got.get(2));
    }

    private static void waitedForTwice() {
        Request send = world.Isend(new int[1], 0, 1, MPI.INT, next, 1);
        Status _ = world.Recv(new int[1], 0, 1, MPI.INT, before, 1);
        Status _ = send.Wait();
        equal("an empty status", MPI.ANY_SOURCE, send.Wait().source);
        send.free();
        equal("null", true, send.Is_null() && send.Test() != null);
    }

    /** All of them are exceptions of MPI on every rank, and none waits for another. */
    private static void nullsWhereSomethingIsNeeded() {
        Request[] none = null;
        fails("waitAll", MPI.ERR_ARG, () -> Request.waitAll(none));
        fails("waitAny", MPI.ERR_ARG, () -> Request.waitAny(none));
        fails("waitSome", MPI.ERR_ARG, () -> Request.waitSome(none));
        fails("testAll", MPI.ERR_ARG, () -> Request.testAll(none));
        fails("testAny", MPI.ERR_ARG, () -> Request.testAny(none));
        fails("testSome", MPI.ERR_ARG, () -> Request.testSome(none));
        fails("startAll", MPI.ERR_ARG, () -> Prequest.startAll(null));
        fails("start", MPI.ERR_REQUEST, () -> Prequest.startAll(new Prequest[1]));
        fails("attach", MPI.ERR_BUFFER, () -> MPI.attachBuffer(null));
        fails("detach", MPI.ERR_BUFFER, () -> MPI.detachBuffer());
        fails("Op", MPI.ERR_OP, () -> new Op((UserFunction) null, true));
        fails("Op", MPI.ERR_OP, () -> new Op((User_function) null, true));
        fails("file", MPI.ERR_ARG, () -> new File(world, null, MPI.MODE_RDONLY));
    }
}
