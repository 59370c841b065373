package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.concurrent.CompletableFuture;
import mpi.CartComm;
import mpi.Comm;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;
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
        numbersThatNoIntHolds();
        objectsByTheType();
        nothingWhereSomethingIsNeeded();
        nullHandles();
        freedTwice();
        ofTheSpecificationOnly();
        text();
        probeInAThread();
        MPI.Finalize();
        that("a name, also after the end", !MPI.Get_processor_name().isEmpty());
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

    /** MPI-3.1, 4.1.5 and 4.1.8: what an int cannot hold is UNDEFINED. */
    private static void numbersThatNoIntHolds() {
        Datatype much = Datatype.createContiguous(1 << 20, MPI.DOUBLE);
        Datatype more = Datatype.createContiguous(1 << 10, much);
        equal("size", MPI.UNDEFINED, more.getSize());
        equal("extent", MPI.UNDEFINED, more.getExtent());
        equal("true extent", MPI.UNDEFINED, more.getTrueExtent());
        equal("Size", 1 << 30, more.Size());
        equal("Size", MPI.UNDEFINED, Datatype.Contiguous(4, more).Size());
    }

    /** A status counts elements of the type that is asked for, also those of objects. */
    private static void objectsByTheType() {
        Datatype pair = Datatype.Contiguous(2, MPI.OBJECT);
        Object[] three = {"a", 2, null};
        Object[] got = new Object[4];
        Request send = world.Isend(three, 0, 3, MPI.OBJECT, next, 6);
        Status status = world.Recv(got, 0, 2, pair, before, 6);
        equal("not whole", MPI.UNDEFINED, status.Get_count(pair));
        equal("objects", 3, status.Get_count(MPI.OBJECT));
        equal("elements", 3, status.Get_elements(pair));
        send.waitFor();
        send = world.Isend(got, 0, 1, pair, next, 6);
        status = world.Recv(got, 2, 1, pair, before, 6);
        equal("one pair", 1, status.Get_count(pair));
        equal("received", new Object[] {"a", 2, "a", 2}, got);
        send.waitFor();
    }

    private static void nothingWhereSomethingIsNeeded() {
        Message message = new Message();
        Comm none = null;
        Group noGroup = null;
        Datatype untyped = null;
        int[] noNumbers = null;
        Datatype[] noTypes = null;
        int[] ints = new int[8];
        fails("mProbe", MPI.ERR_COMM, () -> message.mProbe(0, 0, none));
        fails("imProbe", MPI.ERR_COMM, () -> message.imProbe(0, 0, none));
        fails("compare", MPI.ERR_COMM, () -> Comm.compare(world, none));
        fails("Compare", MPI.ERR_COMM, () -> Comm.Compare(none, world));
        fails("Win", MPI.ERR_COMM, () -> new Win(MPI.INFO_NULL, none));
        fails("Create_intercomm", MPI.ERR_COMM, () -> world.Create_intercomm(none, 0, 0, 0));
        fails("create", MPI.ERR_GROUP, () -> world.create(noGroup));
        fails("union", MPI.ERR_GROUP, () -> Group.union(world.getGroup(), noGroup));
        fails("createVector", MPI.ERR_TYPE, () -> Datatype.createVector(1, 1, 1, untyped));
        fails("Contiguous", MPI.ERR_TYPE, () -> Datatype.Contiguous(1, untyped));
        fails("Struct", MPI.ERR_ARG, () -> Datatype.Struct(noNumbers, ints, noTypes));
        fails("Indexed", MPI.ERR_ARG, () -> Datatype.Indexed(ints, noNumbers, MPI.INT));
        fails("getCount", MPI.ERR_TYPE, () -> new Status().getCount(untyped));
        fails("pack", MPI.ERR_BUFFER, () -> world.pack(ints, 1, MPI.INT, null, 0));
        fails("unpack", MPI.ERR_BUFFER, () -> world.unpack(null, 0, ints, 1, MPI.INT));
        fails("counts", MPI.ERR_COUNT, () -> world.reduceScatter(ints, null, MPI.INT, MPI.SUM));
        fails("key", MPI.ERR_INFO_KEY, () -> new Info().set(null, "value"));
        fails("value", MPI.ERR_INFO_VALUE, () -> new Info().set("key", null));
        fails("connect", MPI.ERR_PORT, () -> world.connect(null, 0));
    }

    /** A handle that is null is an error of the class of its kind. */
    private static void nullHandles() {
        IntBuffer data = MPI.newIntBuffer(2);
        Win win = new Win(MPI.newIntBuffer(2), 2, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        win.fence(0);
        fails(
                "no operation",
                MPI.ERR_OP,
                () -> win.accumulate(data, 1, MPI.INT, 0, 0, 1, MPI.INT, null));
        fails("no type", MPI.ERR_TYPE, () -> win.compareAndSwap(data, data, data, null, 0, 0));
        win.fence(MPI.MODE_NOSUCCEED);
        fails("start of no group", MPI.ERR_GROUP, () -> win.start(null, 0));
        fails("post of no group", MPI.ERR_GROUP, () -> win.post(null, 0));
        fails("a window's hints", MPI.ERR_INFO, () -> win.setInfo(null));
        win.free();
        fails("hints", MPI.ERR_INFO, () -> world.setInfo(null));
        fails("hints of a copy", MPI.ERR_INFO, () -> world.dupWithInfo(null));
        fails(
                "objects in numbers",
                MPI.ERR_TYPE,
                () -> world.Send(new int[1], 0, 1, MPI.OBJECT, 0, 0));
        fails("too much", MPI.ERR_COUNT, () -> world.packSize(Integer.MAX_VALUE, MPI.INT));
        Datatype pair = MPI.DOUBLE_INT;
        fails(
                "more blocks than a type has",
                MPI.ERR_NO_MEM,
                () -> Datatype.createVector(Integer.MAX_VALUE, 1, 2, pair));
        Win gone = new Win(MPI.newIntBuffer(2), 2, 1, MPI.INFO_NULL, world);
        gone.free();
        fails("a freed window, where calls throw", MPI.ERR_WIN, () -> gone.fence(0));
        fails("no dimensions", MPI.ERR_ARG, () -> CartComm.createDims(4, null));
    }

    /** Also where errors are fatal: the method is mpiJava's too, whose errors end no job. */
    private static void freedTwice() {
        world.setErrhandler(MPI.ERRORS_ARE_FATAL);
        fails("predefined", MPI.ERR_TYPE, MPI.INT::free);
        fails("predefined", MPI.ERR_TYPE, MPI.OBJECT::free);
        fails("predefined", MPI.ERR_OP, MPI.SUM::free);
        Datatype type = Datatype.Vector(2, 1, 2, MPI.INT);
        type.free();
        fails("freed", MPI.ERR_TYPE, type::free);
        Group group = world.Group();
        group.free();
        fails("freed", MPI.ERR_GROUP, group::free);
        fails("Contiguous", MPI.ERR_TYPE, () -> Datatype.Contiguous(1, type));
        Comm gone = world.dup();
        gone.free();
        fails("clone", MPI.ERR_COMM, () -> that("a copy of nothing", gone.clone().isNull()));
        Op op =
                new Op(
                        new User_function() {
                            @Override
                            public void Call(
                                    Object in, int at, Object to, int place, int n, Datatype of) {}
                        },
                        true);
        op.free();
        fails("freed", MPI.ERR_OP, op::free);
        User_function none = null;
        fails("Op", MPI.ERR_OP, () -> new Op(none, true));
        world.setErrhandler(MPI.ERRORS_RETURN);
    }

    /** What mpiJava's specification has, and MPJ Express has not. */
    private static void ofTheSpecificationOnly() {
        Comm copy = world.dup();
        copy.Errhandler_set(MPI.ERRORS_ARE_FATAL);
        equal("handler", MPI.ERRORS_ARE_FATAL, copy.Errhandler_get());
        equal("the parent's", MPI.ERRORS_RETURN, world.Errhandler_get());
        that("not null", !copy.Is_null());
        copy.Free();
        that("null", copy.Is_null());
        byte[] room = new byte[Integer.BYTES + MPI.BSEND_OVERHEAD];
        MPI.Buffer_attach(room);
        world.Bsend(new int[] {7}, 0, 1, MPI.INT, next, 8);
        int[] got = new int[1];
        Request receive = world.Irecv(got, 0, 1, MPI.INT, before, 8);
        var _ = receive.Wait();
        equal("buffered", 7, got[0]);
        MPI.Buffer_detach();
        byte[] none = null;
        fails("attach", MPI.ERR_BUFFER, () -> MPI.Buffer_attach(none));
        fails("attach", MPI.ERR_BUFFER, () -> MPI.Buffer_attach(null));
        fails("attach", MPI.ERR_BUFFER, () -> MPI.Buffer_attach(new int[8]));
        Request send = world.Isend(got, 0, 1, MPI.INT, MPI.PROC_NULL, 8);
        send.Free();
        that("freed", send.Is_null());
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
