package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Tags, sources, the order of messages, PROC_NULL in every call, and what a status tells. */
public final class Envelopes {

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static int next;
    private static int before;

    private Envelopes() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        tags();
        order();
        wildcards();
        toNobody();
        fromNobody();
        persistentNobody();
        wrongArguments();
        wrongBuffers();
        shortMessages();
        truncated();
        communicatorsAreApart();
        cancelledSends();
        synchronousSends();
        sendsToItself();
        MPI.Finalize();
        Checks.end();
    }

    private static void tags() {
        int most = (Integer) world.getAttr(MPI.TAG_UB);
        that("the largest tag", most >= 32767);
        for (int tag : new int[] {0, 1, 32767, most - 1, most}) {
            int[] got = new int[1];
            Request send = world.Isend(new int[] {tag}, 0, 1, MPI.INT, next, tag);
            Status status = world.recv(got, 1, MPI.INT, before, tag);
            send.waitFor();
            equal("tag", tag, status.getTag());
            equal("value", tag, got[0]);
        }
    }

    /** Messages of one sender match in their order, whatever their lengths and modes. */
    private static void order() {
        int[] lengths = {1, 100_000, 0, 3, 50_000, 2};
        Request[] sends = new Request[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            int[] data = new int[lengths[i]];
            Arrays.fill(data, i);
            sends[i] =
                    i % 2 == 0
                            ? world.Isend(data, 0, data.length, MPI.INT, next, 5)
                            : world.Issend(data, 0, data.length, MPI.INT, next, 5);
        }
        for (int i = 0; i < lengths.length; i++) {
            int[] got = new int[100_000];
            Status status = world.recv(got, got.length, MPI.INT, before, 5);
            equal("length " + i, lengths[i], status.getCount(MPI.INT));
            that("value " + i, lengths[i] == 0 || (got[0] == i && got[lengths[i] - 1] == i));
        }
        Request.waitAll(sends);
    }

    private static void wildcards() {
        for (int to = 0; to < size; to++) {
            Request _ = world.Isend(new int[] {rank}, 0, 1, MPI.INT, to, 100 + rank);
        }
        boolean[] seen = new boolean[size];
        for (int i = 0; i < size; i++) {
            int[] got = new int[1];
            Status probed = world.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            Status status = world.recv(got, 1, MPI.INT, probed.getSource(), probed.getTag());
            equal("source", got[0], status.getSource());
            equal("tag", 100 + got[0], status.getTag());
            that("once", !seen[got[0]]);
            seen[got[0]] = true;
        }
        world.barrier();
        that("none is left", world.iProbe(MPI.ANY_SOURCE, MPI.ANY_TAG) == null);
        world.barrier();
    }

    private static void nobody(String what, Status status) {
        equal(what + " source", MPI.PROC_NULL, status.getSource());
        equal(what + " tag", MPI.ANY_TAG, status.getTag());
        equal(what + " count", 0, status.getCount(MPI.INT));
        equal(what + " elements", 0, status.getElements(MPI.INT));
        that(what + " cancelled", !status.isCancelled());
    }

    private static void toNobody() {
        int[] data = {1};
        IntBuffer direct = MPI.newIntBuffer(1);
        world.send(data, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.sSend(data, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.rSend(data, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.Send(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.Ssend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.Rsend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.bSend(data, 1, MPI.INT, MPI.PROC_NULL, 0);
        world.Bsend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        Request[] sends = {
            world.iSend(direct, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.isSend(direct, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.irSend(direct, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.ibSend(direct, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Isend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Issend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Irsend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Ibsend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0)
        };
        that("all sends to nobody end", Request.testAll(sends));
    }

    private static void fromNobody() {
        int[] data = {7};
        IntBuffer direct = MPI.newIntBuffer(1);
        nobody("recv", world.recv(data, 1, MPI.INT, MPI.PROC_NULL, 3));
        nobody("Recv", world.Recv(data, 0, 1, MPI.INT, MPI.PROC_NULL, MPI.ANY_TAG));
        nobody("iRecv", world.iRecv(direct, 1, MPI.INT, MPI.PROC_NULL, 3).waitStatus());
        nobody("Irecv", world.Irecv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 3).Test());
        nobody("probe", world.probe(MPI.PROC_NULL, 3));
        nobody("iProbe", world.iProbe(MPI.PROC_NULL, 3));
        nobody("Probe", world.Probe(MPI.PROC_NULL, 3));
        nobody("Iprobe", world.Iprobe(MPI.PROC_NULL, 3));
        Message message = new Message();
        nobody("mProbe", message.mProbe(MPI.PROC_NULL, 3, world));
        that("no process", message.isNoProc());
        nobody("mRecv", message.mRecv(data, 1, MPI.INT));
        that("null then", message.isNull() && !message.isNoProc());
        nobody("imProbe", message.imProbe(MPI.PROC_NULL, 3, world));
        nobody("imRecv", message.imRecv(direct, 1, MPI.INT).waitStatus());
        nobody(
                "sendRecv",
                world.sendRecv(
                        data, 1, MPI.INT, MPI.PROC_NULL, 0, data, 1, MPI.INT, MPI.PROC_NULL, 0));
        nobody(
                "sendRecvReplace",
                world.sendRecvReplace(data, 1, MPI.INT, MPI.PROC_NULL, 0, MPI.PROC_NULL, 0));
        equal("unchanged", 7, data[0]);
        Request[] all = {
            world.Irecv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 3),
            world.Irecv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 3)
        };
        Status first = Request.waitAnyStatus(all);
        nobody("waitAny", first);
        for (Status each : Request.waitSomeStatus(all)) {
            nobody("waitSome", each);
        }
    }

    private static void persistentNobody() {
        int[] data = {1};
        Prequest[] all = {
            world.Send_init(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Ssend_init(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Rsend_init(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Bsend_init(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0),
            world.Recv_init(data, 0, 1, MPI.INT, MPI.PROC_NULL, MPI.ANY_TAG)
        };
        for (int round = 0; round < 2; round++) {
            Prequest.Startall(all);
            Status[] statuses = Request.waitAllStatus(all);
            nobody("persistent", statuses[4]);
        }
        for (Prequest each : all) {
            each.free();
            that("freed", each.isNull());
        }
    }

    private static void wrongArguments() {
        int[] data = {1};
        IntBuffer direct = MPI.newIntBuffer(1);
        for (int wrong : new int[] {-1, size, size + 100, -3, Integer.MAX_VALUE}) {
            fails("send", MPI.ERR_RANK, () -> world.send(data, 1, MPI.INT, wrong, 0));
            fails("iSend", MPI.ERR_RANK, () -> world.iSend(direct, 1, MPI.INT, wrong, 0));
            fails("sendInit", MPI.ERR_RANK, () -> world.sendInit(direct, 1, MPI.INT, wrong, 0));
            if (wrong != MPI.ANY_SOURCE) {
                fails("recv", MPI.ERR_RANK, () -> world.recv(data, 1, MPI.INT, wrong, 0));
                fails("probe", MPI.ERR_RANK, () -> world.probe(wrong, 0));
                fails("iProbe", MPI.ERR_RANK, () -> world.iProbe(wrong, 0));
                fails("mProbe", MPI.ERR_RANK, () -> new Message().mProbe(wrong, 0, world));
            }
        }
        for (int wrong : new int[] {-1, -2, Integer.MIN_VALUE}) {
            fails("send", MPI.ERR_TAG, () -> world.send(data, 1, MPI.INT, next, wrong));
            fails("iSend", MPI.ERR_TAG, () -> world.iSend(direct, 1, MPI.INT, next, wrong));
            if (wrong != MPI.ANY_TAG) {
                fails("recv", MPI.ERR_TAG, () -> world.recv(data, 1, MPI.INT, before, wrong));
                fails("iRecv", MPI.ERR_TAG, () -> world.iRecv(direct, 1, MPI.INT, before, wrong));
            }
        }
        fails("count", MPI.ERR_COUNT, () -> world.send(data, -1, MPI.INT, next, 0));
        fails("count", MPI.ERR_COUNT, () -> world.recv(data, -1, MPI.INT, before, 0));
        fails("count", MPI.ERR_COUNT, () -> world.Irecv(data, 0, -1, MPI.INT, before, 0));
        fails("type", MPI.ERR_TYPE, () -> world.send(data, 1, MPI.DATATYPE_NULL, next, 0));
        fails("type", MPI.ERR_TYPE, () -> world.recv(data, 1, MPI.DATATYPE_NULL, before, 0));
        fails("type", MPI.ERR_TYPE, () -> world.send(data, 1, null, next, 0));
        fails("null comm", MPI.ERR_COMM, () -> MPI.COMM_NULL.send(data, 1, MPI.INT, 0, 0));
    }

    private static void wrongBuffers() {
        int[] data = {1};
        fails("null", MPI.ERR_BUFFER, () -> world.send(null, 1, MPI.INT, next, 0));
        fails("null", MPI.ERR_BUFFER, () -> world.recv(null, 1, MPI.INT, before, 0));
        fails("null", MPI.ERR_BUFFER, () -> world.iSend(null, 1, MPI.INT, next, 0));
        fails("null", MPI.ERR_BUFFER, () -> world.iRecv(null, 1, MPI.INT, before, 0));
        fails("too short", MPI.ERR_BUFFER, () -> world.send(data, 2, MPI.INT, next, 0));
        fails("too short", MPI.ERR_BUFFER, () -> world.Recv(data, 1, 1, MPI.INT, before, 0));
        fails("offset", MPI.ERR_BUFFER, () -> world.Send(data, -1, 1, MPI.INT, next, 0));
        fails("a string", MPI.ERR_BUFFER, () -> world.send("text", 1, MPI.BYTE, next, 0));
        fails("other type", MPI.ERR_TYPE, () -> world.send(data, 1, MPI.DOUBLE, next, 0));
        ByteBuffer heap = ByteBuffer.allocate(8);
        fails("not direct", MPI.ERR_BUFFER, () -> world.iSend(heap, 1, MPI.INT, next, 0));
        Request none = world.iRecv(null, 0, MPI.INT, before, 9);
        world.send(null, 0, MPI.INT, next, 9);
        equal("no buffer and no data", 0, none.waitStatus().getCount(MPI.INT));
    }

    /** A message may be shorter than the receive, and its last element not whole. */
    private static void shortMessages() {
        byte[] got = new byte[12];
        Arrays.fill(got, (byte) 9);
        world.send(new byte[] {1, 2, 3, 4, 5, 6, 7}, 7, MPI.BYTE, next, 10);
        Status status = world.recv(got, 12, MPI.BYTE, before, 10);
        equal("bytes", 7, status.getCount(MPI.BYTE));
        equal("shorts", MPI.UNDEFINED, status.getCount(MPI.SHORT));
        equal("longs", MPI.UNDEFINED, status.getCount(MPI.LONG));
        equal("behind", (byte) 9, got[7]);
        mpi.Datatype three = mpi.Datatype.createContiguous(3, MPI.INT);
        three.commit();
        world.send(new int[5], 5, MPI.INT, next, 11);
        status = world.recv(new int[9], 3, three, before, 11);
        equal("whole", MPI.UNDEFINED, status.getCount(three));
        equal("elements", 5, status.getElements(three));
        equal("elements", 5L, status.getElementsX(three).getCount());
        world.send(new int[6], 6, MPI.INT, next, 12);
        status = world.recv(new int[9], 3, three, before, 12);
        equal("whole", 2, status.getCount(three));
        equal("elements", 6, status.getElements(three));
        three.free();
    }

    private static void truncated() {
        int[] small = new int[1];
        for (int length : new int[] {2, 100_000}) {
            Request send = world.Isend(new int[length], 0, length, MPI.INT, next, 20);
            fails("sendRecv", MPI.ERR_TRUNCATE, () -> world.recv(small, 1, MPI.INT, before, 20));
            send.waitFor();
            send = world.Isend(new int[length], 0, length, MPI.INT, next, 21);
            Message message = new Message();
            Status _ = message.mProbe(before, 21, world);
            fails("mRecv", MPI.ERR_TRUNCATE, () -> message.mRecv(small, 1, MPI.INT));
            send.waitFor();
            send = world.Isend(new int[length], 0, length, MPI.INT, next, 22);
            Request[] all = {world.Irecv(small, 0, 1, MPI.INT, before, 22)};
            fails("waitAny", MPI.ERR_TRUNCATE, () -> Request.waitAny(all));
            send.waitFor();
            send = world.Isend(new int[length], 0, length, MPI.INT, next, 23);
            fails(
                    "sendRecvReplace",
                    MPI.ERR_TRUNCATE,
                    () -> world.sendRecvReplace(small, 1, MPI.INT, MPI.PROC_NULL, 23, before, 23));
            send.waitFor();
        }
        world.send(new int[] {4}, 1, MPI.INT, next, 24);
        Status _ = world.recv(small, 1, MPI.INT, before, 24);
        equal("the next message comes", 4, small[0]);
    }

    private static void communicatorsAreApart() {
        Intracomm other = world.dup();
        int[] got = new int[1];
        other.send(new int[] {1}, 1, MPI.INT, next, 30);
        world.send(new int[] {2}, 1, MPI.INT, next, 30);
        Status _ = world.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        equal("of the world", 2, got[0]);
        Status _ = other.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        equal("of the other", 1, got[0]);
        Request late = other.Irecv(got, 0, 1, MPI.INT, before, 31);
        Request send = other.Isend(new int[] {3}, 0, 1, MPI.INT, next, 31);
        other.free();
        that("null", other.isNull());
        Status _ = late.Wait();
        send.waitFor();
        equal("what was begun ends", 3, got[0]);
    }

    private static void cancelledSends() {
        Request send = world.Issend(new int[] {5}, 0, 1, MPI.INT, next, 40);
        send.cancel();
        int[] got = new int[1];
        Request receive = world.Irecv(got, 0, 1, MPI.INT, before, 40);
        Status sent = send.waitStatus();
        boolean[] gone = {sent.isCancelled()};
        boolean[] theirs = new boolean[1];
        Status _ =
                world.sendRecv(gone, 1, MPI.BOOLEAN, next, 41, theirs, 1, MPI.BOOLEAN, before, 41);
        if (theirs[0]) {
            receive.cancel();
        }
        Status status = receive.waitStatus();
        equal("received or cancelled", theirs[0], status.isCancelled());
        if (!theirs[0]) {
            equal("value", 5, got[0]);
        }
    }

    /** It does not end before its receive has begun. */
    private static void synchronousSends() {
        Request send = world.Issend(new int[] {rank}, 0, 1, MPI.INT, next, 50);
        world.barrier();
        for (int i = 0; i < 20; i++) {
            that("not received yet", !send.test());
        }
        world.barrier();
        int[] got = new int[1];
        Status _ = world.recv(got, 1, MPI.INT, before, 50);
        send.waitFor();
        equal("value", before, got[0]);
    }

    private static void sendsToItself() {
        int[] got = new int[1];
        Request receive = world.Irecv(got, 0, 1, MPI.INT, rank, 60);
        world.sSend(new int[] {8}, 1, MPI.INT, rank, 60);
        Status _ = receive.Wait();
        equal("to itself", 8, got[0]);
        Intracomm self = MPI.COMM_SELF;
        self.setErrhandler(MPI.ERRORS_RETURN);
        Status status =
                self.sendRecv(new int[] {9}, 1, MPI.INT, 0, 1, got, 1, MPI.INT, 0, MPI.ANY_TAG);
        equal("in COMM_SELF", 9, got[0]);
        equal("source", 0, status.getSource());
        int[] both = {rank};
        Status _ = self.sendRecvReplace(both, 1, MPI.INT, 0, 2, MPI.ANY_SOURCE, 2);
        equal("replaced", rank, both[0]);
        fails("rank 1", MPI.ERR_RANK, () -> self.send(both, 1, MPI.INT, 1, 0));
    }
}
