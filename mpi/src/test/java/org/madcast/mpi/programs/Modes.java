package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.List;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** The ways to send, probes, cancelled receives and messages that are too long. */
public final class Modes {

    private static int rank;
    private static int size;
    private static int next;
    private static int before;

    private Modes() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        allModes(MPI.COMM_WORLD);
        buffered(MPI.COMM_WORLD);
        persistent(MPI.COMM_WORLD);
        exchanges(MPI.COMM_WORLD);
        probes(MPI.COMM_WORLD);
        matchedProbes(MPI.COMM_WORLD);
        cancelled(MPI.COMM_WORLD);
        tooLong(MPI.COMM_WORLD);
        zero(MPI.COMM_WORLD);
        objects(MPI.COMM_WORLD);
        MPI.Finalize();
        Checks.end();
    }

    private static void allModes(Comm world) throws MPIException {
        ByteBuffer space = MPI.newByteBuffer(8 * (40 + MPI.BSEND_OVERHEAD));
        MPI.attachBuffer(space);
        int[] mine = new int[10];
        java.util.Arrays.setAll(mine, i -> rank * 100 + i);
        IntBuffer direct = MPI.newIntBuffer(10).put(0, mine);
        for (int mode = 0; mode < 12; mode++) {
            int[] got = new int[10];
            Request receive = world.Irecv(got, 0, 10, MPI.INT, before, mode);
            Request send = MPI.REQUEST_NULL;
            switch (mode) {
                case 0 -> world.send(mine, 10, MPI.INT, next, mode);
                case 1 -> world.bSend(mine, 10, MPI.INT, next, mode);
                case 2 -> world.sSend(mine, 10, MPI.INT, next, mode);
                case 3 -> world.rSend(mine, 10, MPI.INT, next, mode);
                case 4 -> send = world.iSend(direct, 10, MPI.INT, next, mode);
                case 5 -> send = world.ibSend(direct, 10, MPI.INT, next, mode);
                case 6 -> send = world.isSend(direct, 10, MPI.INT, next, mode);
                case 7 -> send = world.irSend(direct, 10, MPI.INT, next, mode);
                case 8 -> send = world.Isend(mine, 0, 10, MPI.INT, next, mode);
                case 9 -> send = world.Ibsend(mine, 0, 10, MPI.INT, next, mode);
                case 10 -> send = world.Issend(mine, 0, 10, MPI.INT, next, mode);
                default -> send = world.Irsend(mine, 0, 10, MPI.INT, next, mode);
            }
            Status status = receive.Wait();
            send.waitFor();
            equal("count in mode " + mode, 10, status.getCount(MPI.INT));
            equal("source in mode " + mode, before, status.getSource());
            equal("last in mode " + mode, before * 100 + 9, got[9]);
        }
        equal("the attached buffer comes back", space, MPI.detachBuffer());
    }

    private static void buffered(Comm world) throws MPIException {
        byte[] message = new byte[100];
        fails("no buffer", MPI.ERR_BUFFER, () -> world.bSend(message, 1, MPI.BYTE, rank, 0));
        fails("detach none", MPI.ERR_BUFFER, () -> MPI.detachBuffer());
        MPI.Buffer_attach(MPI.newByteBuffer(2 * (100 + MPI.BSEND_OVERHEAD)));
        fails("second", MPI.ERR_BUFFER, () -> MPI.attachBuffer(MPI.newByteBuffer(1)));
        fails(
                "too small",
                MPI.ERR_BUFFER,
                () -> world.bSend(new byte[400], 400, MPI.BYTE, rank, 0));
        for (int i = 0; i < 20; i++) {
            message[0] = (byte) i;
            world.Bsend(message, 0, 100, MPI.BYTE, next, 20);
            message[0] = -1;
            byte[] got = new byte[100];
            Status _ = world.recv(got, 100, MPI.BYTE, before, 20);
            equal("buffered", (byte) i, got[0]);
            world.Send(message, 0, 0, MPI.BYTE, before, 21);
            Status _ = world.recv(got, 100, MPI.BYTE, next, 21);
        }
        MPI.Buffer_detach();
    }

    private static void persistent(Comm world) throws MPIException {
        DoubleBuffer out = MPI.newDoubleBuffer(3);
        double[] in = new double[3];
        Prequest send = world.sSendInit(out, 3, MPI.DOUBLE, next, 30);
        Prequest receive = world.Recv_init(in, 0, 3, MPI.DOUBLE, before, 30);
        that("inactive", !send.isNull() && !receive.Is_null());
        equal("wait", MPI.ANY_SOURCE, send.waitStatus().source);
        for (int i = 0; i < 4; i++) {
            out.put(2, rank + 10.0 * i);
            Prequest.startAll(new Prequest[] {receive, send});
            fails("started", MPI.ERR_REQUEST, send::start);
            Status[] both = Request.waitAllStatus(new Request[] {send, receive});
            equal("persistent", before + 10.0 * i, in[2]);
            equal("count", 3, both[1].getCount(MPI.DOUBLE));
            that("inactive", !send.isNull() && !receive.isNull());
        }
        send.free();
        that("freed", send.isNull());
        fails("freed", MPI.ERR_REQUEST, send::start);
        receive.free();
        for (Prequest each :
                new Prequest[] {
                    world.sendInit(out, 3, MPI.DOUBLE, MPI.PROC_NULL, 0),
                    world.rSendInit(out, 3, MPI.DOUBLE, MPI.PROC_NULL, 0),
                    world.recvInit(out, 3, MPI.DOUBLE, MPI.PROC_NULL, 0)
                }) {
            each.start();
            equal("no process", MPI.PROC_NULL, each.waitStatus().source);
            each.free();
        }
    }

    private static void exchanges(Comm world) throws MPIException {
        long[] mine = {rank, 1};
        long[] got = new long[4];
        Status status =
                world.sendRecv(mine, 2, MPI.LONG, next, 1, got, 4, MPI.LONG, before, MPI.ANY_TAG);
        equal("exchanged", (long) before, got[0]);
        equal("count", 2, status.getCount(MPI.LONG));
        int[] both = new int[60_000];
        both[0] = rank;
        both[59_999] = -rank;
        Status _ = world.sendRecvReplace(both, both.length, MPI.INT, next, 2, before, 2);
        equal("replaced", before, both[0]);
        equal("replaced", -before, both[59_999]);
        Status none =
                world.Sendrecv_replace(both, 1, 1, MPI.INT, MPI.PROC_NULL, 2, MPI.PROC_NULL, 3);
        equal("no process", MPI.PROC_NULL, none.source);
        int[] line = {rank, -5};
        Status last =
                world.Sendrecv(
                        line,
                        0,
                        1,
                        MPI.INT,
                        rank + 1 < size ? next : MPI.PROC_NULL,
                        4,
                        line,
                        1,
                        1,
                        MPI.INT,
                        rank > 0 ? before : MPI.PROC_NULL,
                        4);
        equal("source", rank > 0 ? before : MPI.PROC_NULL, last.source);
        equal("in a line", rank > 0 ? before : -5, line[1]);
    }

    private static void probes(Comm world) throws MPIException {
        that("nothing", world.iProbe(MPI.ANY_SOURCE, 40) == null);
        world.send(new short[7], 7, MPI.SHORT, next, 41);
        Status status = world.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        equal("source", before, status.getSource());
        equal("tag", 41, status.getTag());
        equal("count", 7, status.getCount(MPI.SHORT));
        equal("count", MPI.UNDEFINED, status.getCount(MPI.LONG));
        equal("again", 41, world.Iprobe(before, 41).tag);
        Status _ = world.recv(new short[7], 7, MPI.SHORT, before, 41);
        that("nothing", world.Iprobe(MPI.ANY_SOURCE, 41) == null);
        equal("no process", MPI.PROC_NULL, world.probe(MPI.PROC_NULL, 0).source);
        equal("no process", MPI.PROC_NULL, world.iProbe(MPI.PROC_NULL, 0).source);
    }

    private static void matchedProbes(Comm world) throws MPIException {
        Message message = new Message();
        that("null", message.isNull() && !message.isNoProc());
        that("nothing", message.imProbe(MPI.ANY_SOURCE, 50, world) == null);
        world.send(new int[] {rank, 8}, 2, MPI.INT, next, 51);
        Status status = message.mProbe(MPI.ANY_SOURCE, 51, world);
        equal("source", before, status.source);
        that("taken", !message.isNull() && world.iProbe(before, 51) == null);
        int[] got = new int[2];
        equal("count", 2, message.mRecv(got, 2, MPI.INT).getCount(MPI.INT));
        equal("matched", new int[] {before, 8}, got);
        that("null", message.isNull());
        fails("received", MPI.ERR_REQUEST, () -> message.mRecv(got, 2, MPI.INT));
        world.send(new int[] {rank, 9}, 2, MPI.INT, next, 52);
        Status found = message.imProbe(before, 52, world);
        while (found == null) {
            found = message.imProbe(before, 52, world);
        }
        IntBuffer buffer = MPI.newIntBuffer(2);
        message.imRecv(buffer, 2, MPI.INT).waitFor();
        equal("matched", 9, buffer.get(1));
        equal("no process", MPI.PROC_NULL, message.mProbe(MPI.PROC_NULL, 0, world).source);
        that("no process", message.isNoProc() && !message.isNull());
        equal("count", 0, message.mRecv(got, 2, MPI.INT).getCount(MPI.INT));
    }

    private static void cancelled(Comm world) throws MPIException {
        int[] got = {5};
        Request never = world.Irecv(got, 0, 1, MPI.INT, before, 60);
        that("not ended", !never.test() && never.getStatus() == null);
        never.Cancel();
        Status status = never.Wait();
        that("cancelled", status.isCancelled() && status.Test_cancelled() && never.isNull());
        Request matched = world.Irecv(got, 0, 1, MPI.INT, before, 61);
        world.sSend(new int[] {rank}, 1, MPI.INT, next, 61);
        while (matched.getStatus() == null) {
            Thread.onSpinWait();
        }
        matched.cancel();
        that("not cancelled", !matched.waitStatus().isCancelled());
        equal("received", before, got[0]);
        fails("null", MPI.ERR_REQUEST, matched::cancel);
    }

    private static void tooLong(Comm world) throws MPIException {
        int[] got = {-1, -1};
        world.send(new int[] {1, 2, 3}, 3, MPI.INT, next, 70);
        fails("too long", MPI.ERR_TRUNCATE, () -> world.recv(got, 2, MPI.INT, before, 70));
        equal("unchanged", new int[] {-1, -1}, got);
        int[] large = new int[100_000];
        Request send = world.Isend(large, 0, large.length, MPI.INT, next, 71);
        Request receive = world.Irecv(got, 0, 2, MPI.INT, before, 71);
        fails("too long", MPI.ERR_TRUNCATE, receive::Wait);
        that("null", receive.isNull());
        send.waitFor();
        send = world.Isend(large, 0, 3, MPI.INT, next, 72);
        Request[] some = {world.Irecv(got, 0, 2, MPI.INT, before, 72), send};
        fails("in status", MPI.ERR_IN_STATUS, () -> Request.waitAll(some));
        that("all ended", some[0].isNull() && some[1].isNull());
    }

    private static void objects(Comm world) throws MPIException {
        Object[] mine = {"one", List.of(rank, 2), new int[] {rank}};
        Object[] got = new Object[5];
        Request send = world.Isend(mine, 0, 3, MPI.OBJECT, next, 90);
        Request receive = world.Irecv(got, 1, 4, MPI.OBJECT, before, 90);
        Status status = receive.Wait();
        send.waitFor();
        equal("objects", 3, status.Get_count(MPI.OBJECT));
        equal("object", List.of(before, 2), got[2]);
        equal("array", new int[] {before}, got[3]);
        equal("not reached", null, got[4]);
        world.Send(mine, 1, 1, MPI.OBJECT, next, 91);
        status = world.Recv(got, 0, 1, MPI.OBJECT, before, 91);
        equal("objects", 1, status.Get_count(MPI.OBJECT));
        equal("object", List.of(before, 2), got[0]);
        world.Send(mine, 0, 3, MPI.OBJECT, next, 92);
        fails("too many", MPI.ERR_TRUNCATE, () -> world.Recv(got, 0, 2, MPI.OBJECT, before, 92));
    }

    private static void zero(Comm world) throws MPIException {
        world.send(new int[0], 0, MPI.INT, next, 80);
        Status status = world.recv(new double[1], 0, MPI.DOUBLE, before, 80);
        equal("count", 0, status.getCount(MPI.DOUBLE));
        equal("elements", 0, status.getElements(MPI.INT));
    }
}
