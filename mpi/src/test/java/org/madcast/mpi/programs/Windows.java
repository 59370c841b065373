package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import mpi.Win;

/** One-sided communication: the rules of the standard's chapter, on any number of ranks. */
public final class Windows {

    private static final int ROUNDS = 50;

    private static int rank;
    private static int size;

    private Windows() {}

    /** Begins here. */
    public static void main(String[] args) {
        MPI.Init(args);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        creation();
        fences();
        derivedTypes();
        accumulations();
        counters();
        exclusiveLocks();
        generalised();
        requests();
        dynamic();
        largeData();
        mistakes();
        attributes();
        MPI.Finalize();
        Checks.end();
    }

    private static Win window(java.nio.Buffer base, int elements) {
        Win win = new Win(base, elements, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        win.setErrhandler(MPI.ERRORS_RETURN);
        return win;
    }

    private static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(0, values);
    }

    private static void creation() {
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        fails("size", MPI.ERR_SIZE, () -> window(MPI.newIntBuffer(2), -1));
        fails("too long", MPI.ERR_SIZE, () -> window(MPI.newIntBuffer(2), 3));
        fails("not direct", MPI.ERR_BUFFER, () -> window(IntBuffer.allocate(2), 2));
        fails(
                "unit",
                MPI.ERR_DISP,
                () -> new Win(MPI.newIntBuffer(2), 2, 0, MPI.INFO_NULL, MPI.COMM_WORLD));
        fails(
                "one rank's mistake",
                MPI.ERR_SIZE,
                () -> window(MPI.newIntBuffer(2), rank == size - 1 ? -1 : 2));
        Win win = window(MPI.newIntBuffer(2), rank == 0 ? 2 : 0);
        win.fence(0);
        win.free();
        fails("freed", MPI.ERR_WIN, () -> win.fence(0));
    }

    private static void fences() {
        IntBuffer memory = MPI.newIntBuffer(2 * size);
        Win win = window(memory, 2 * size);
        fails("no epoch", MPI.ERR_RMA_SYNC, () -> win.put(ints(1), 1, MPI.INT, 0, 0, 1, MPI.INT));
        for (int round = 0; round < 3; round++) {
            win.fence(0);
            for (int to = 0; to < size; to++) {
                win.put(ints(rank, to + round), 2, MPI.INT, to, 2 * rank, 2, MPI.INT);
            }
            win.fence(0);
            for (int from = 0; from < size; from++) {
                equal("put, rank", from, memory.get(2 * from));
                equal("put, value", rank + round, memory.get(2 * from + 1));
            }
            IntBuffer got = MPI.newIntBuffer(2 * size);
            win.get(got, 2 * size, MPI.INT, (rank + 1) % size, 0, 2 * size, MPI.INT);
            win.put(ints(1), 1, MPI.INT, MPI.PROC_NULL, 0, 1, MPI.INT);
            win.fence(MPI.MODE_NOSUCCEED);
            equal("get", (rank + 1) % size + round, got.get(2 * size - 1));
        }
        fails(
                "after the last fence",
                MPI.ERR_RMA_SYNC,
                () -> win.put(ints(1), 1, MPI.INT, 0, 0, 1, MPI.INT));
        win.free();
    }

    /** Rank 0 gives each rank a column of a matrix that the target stores as a row, and back. */
    private static void derivedTypes() {
        int n = 4;
        DoubleBuffer matrix = MPI.newDoubleBuffer(n * n);
        for (int i = 0; i < n * n; i++) {
            matrix.put(i, 100 * rank + i);
        }
        Win win = window(matrix, n * n);
        Datatype column = Datatype.createVector(n, 1, n, MPI.DOUBLE);
        fails(
                "not committed",
                MPI.ERR_TYPE,
                () -> win.get(MPI.newDoubleBuffer(n), n, MPI.DOUBLE, 0, 0, 1, column));
        column.commit();
        win.fence(0);
        DoubleBuffer got = MPI.newDoubleBuffer(n * n + n);
        int next = (rank + 1) % size;
        win.get(got, n, MPI.DOUBLE, next, 2, 1, column);
        win.get(MPI.slice(got, n), 1, column, next, 4, n, MPI.DOUBLE.dup());
        win.fence(0);
        for (int i = 0; i < n; i++) {
            equal("column", 100.0 * next + n * i + 2, got.get(i));
        }
        win.fence(0);
        win.put(got, n, MPI.DOUBLE, next, 0, 1, column);
        win.fence(0);
        for (int i = 0; i < n; i++) {
            equal("column put", 100.0 * rank + n * i + 2, matrix.get(n * i));
            equal("not touched", 100.0 * rank + n * i + 1, matrix.get(n * i + 1));
        }
        win.free();
    }

    private static void accumulations() {
        IntBuffer memory = ints(10, 10, 10, 10);
        Win win = window(memory, 4);
        win.fence(0);
        win.accumulate(ints(rank + 1, 1), 2, MPI.INT, 0, 0, 2, MPI.INT, MPI.SUM);
        win.accumulate(ints(rank + 20), 1, MPI.INT, 0, 2, 1, MPI.INT, MPI.MAX);
        win.accumulate(ints(99), 1, MPI.INT, 0, 3, 1, MPI.INT, MPI.REPLACE);
        win.fence(0);
        if (rank == 0) {
            equal("sum", 10 + size * (size + 1) / 2, memory.get(0));
            equal("count", 10 + size, memory.get(1));
            equal("max", size + 19, memory.get(2));
            equal("replace", 99, memory.get(3));
        }
        fails(
                "real numbers have no bits",
                MPI.ERR_OP,
                () ->
                        win.accumulate(
                                MPI.newFloatBuffer(1), 1, MPI.FLOAT, 0, 0, 1, MPI.FLOAT, MPI.BAND));
        Op own =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int count, Datatype type) {}
                        },
                        true);
        fails(
                "a user's operation",
                MPI.ERR_OP,
                () -> win.accumulate(ints(1), 1, MPI.INT, 0, 0, 1, MPI.INT, own));
        win.fence(0);
        win.free();
        ByteBuffer pairs = MPI.newByteBuffer(8);
        pairs.putInt(0, 1000).putInt(4, -1);
        Win least = window(pairs, 8);
        least.fence(0);
        least.accumulate(ints(5 + rank % 2, rank), 1, MPI.INT2, 0, 0, 1, MPI.INT2, MPI.MINLOC);
        least.fence(0);
        if (rank == 0) {
            equal("least", 5, pairs.getInt(0));
            equal("its place", 0, pairs.getInt(4));
        }
        least.free();
    }

    /** Rank 0 computes alone while the others count. */
    private static void counters() {
        LongBuffer memory = MPI.newLongBuffer(2);
        Win win = window(memory, 2);
        LongBuffer one = MPI.newLongBuffer(1).put(0, 1);
        LongBuffer before = MPI.newLongBuffer(1);
        win.lockAll(0);
        long last = -1;
        for (int i = 0; i < ROUNDS; i++) {
            win.fetchAndOp(one, before, MPI.LONG, 0, 0, MPI.SUM);
            win.flush(0);
            that("the counter rises", before.get(0) > last);
            last = before.get(0);
        }
        boolean swapped = false;
        LongBuffer old = MPI.newLongBuffer(1);
        LongBuffer compare = MPI.newLongBuffer(1);
        LongBuffer next = MPI.newLongBuffer(1);
        for (int done = 0; done < ROUNDS; done += swapped ? 1 : 0) {
            compare.put(0, old.get(0));
            next.put(0, old.get(0) + 1);
            win.compareAndSwap(next, compare, old, MPI.LONG, 0, 1);
            win.flushAll();
            swapped = old.get(0) == compare.get(0);
        }
        win.fetchAndOp(one, before, MPI.LONG, 0, 0, MPI.NO_OP);
        win.flushLocal(0);
        that("read only", before.get(0) >= ROUNDS);
        win.flushLocalAll();
        win.unlockAll();
        MPI.COMM_WORLD.barrier();
        win.sync();
        if (rank == 0) {
            equal("fetch and op", (long) ROUNDS * size, memory.get(0));
            equal("compare and swap", (long) ROUNDS * size, memory.get(1));
        }
        fails("flush without lock", MPI.ERR_RMA_SYNC, () -> win.flush(0));
        fails("flush without lock", MPI.ERR_RMA_SYNC, win::flushAll);
        fails("not locked", MPI.ERR_RMA_SYNC, win::unlockAll);
        win.free();
    }

    private static void exclusiveLocks() {
        IntBuffer memory = MPI.newIntBuffer(2);
        Win win = window(memory, 2);
        IntBuffer value = MPI.newIntBuffer(2);
        for (int i = 0; i < ROUNDS; i++) {
            int target = i % size;
            win.lock(MPI.LOCK_EXCLUSIVE, target, 0);
            win.get(value, 2, MPI.INT, target, 0, 2, MPI.INT);
            win.flush(target);
            equal("nobody is in between", value.get(0), value.get(1));
            win.put(ints(value.get(0) + 1), 1, MPI.INT, target, 0, 1, MPI.INT);
            win.put(ints(value.get(1) + 1), 1, MPI.INT, target, 1, 1, MPI.INT);
            win.unlock(target);
        }
        MPI.COMM_WORLD.barrier();
        win.lock(MPI.LOCK_SHARED, rank, 0);
        long expected = IntStream.range(0, ROUNDS).filter(i -> i % size == rank).count() * size;
        equal("all increments", (int) expected, memory.get(0));
        fails("locked twice", MPI.ERR_RMA_SYNC, () -> win.lock(MPI.LOCK_SHARED, rank, 0));
        fails("fence while locked", MPI.ERR_RMA_SYNC, () -> win.fence(0));
        fails("free while locked", MPI.ERR_RMA_SYNC, win::free);
        win.unlock(rank);
        fails("unlocked twice", MPI.ERR_RMA_SYNC, () -> win.unlock(rank));
        fails("lock type", MPI.ERR_LOCKTYPE, () -> win.lock(77, 0, 0));
        fails("rank", MPI.ERR_RANK, () -> win.lock(MPI.LOCK_SHARED, size, 0));
        win.free();
    }

    /** Post, start, complete, wait: each rank accesses the next one in a ring. */
    private static void generalised() {
        IntBuffer memory = MPI.newIntBuffer(1);
        Win win = window(memory, 1);
        Group world = MPI.COMM_WORLD.getGroup();
        int next = (rank + 1) % size;
        Group to = world.incl(new int[] {next});
        Group from = world.incl(new int[] {(rank + size - 1) % size});
        for (int round = 0; round < 10; round++) {
            win.post(from, 0);
            win.start(to, 0);
            win.put(ints(100 * round + rank), 1, MPI.INT, next, 0, 1, MPI.INT);
            if (size > 1) {
                fails(
                        "not started",
                        MPI.ERR_RMA_SYNC,
                        () -> win.put(ints(1), 1, MPI.INT, rank, 0, 1, MPI.INT));
            }
            win.complete();
            if (round % 2 == 0) {
                win.waitFor();
            } else {
                while (!win.test()) {
                    Thread.onSpinWait();
                }
            }
            equal("put", 100 * round + (rank + size - 1) % size, memory.get(0));
        }
        fails("complete", MPI.ERR_RMA_SYNC, win::complete);
        fails("wait", MPI.ERR_RMA_SYNC, win::waitFor);
        fails("test", MPI.ERR_RMA_SYNC, win::test);
        win.free();
    }

    private static void requests() {
        IntBuffer memory = MPI.newIntBuffer(4);
        Win win = window(memory, 4);
        int next = (rank + 1) % size;
        win.lockAll(0);
        IntBuffer data = ints(rank, rank + 1);
        win.rPut(data, 2, MPI.INT, next, 0, 2, MPI.INT).waitFor();
        data.put(0, -7);
        win.flush(next);
        IntBuffer got = MPI.newIntBuffer(2);
        Request read = win.rGet(got, 2, MPI.INT, next, 0, 2, MPI.INT);
        read.waitFor();
        equal("read back", rank, got.get(0));
        equal("read back", rank + 1, got.get(1));
        IntBuffer old = ints(-1);
        Request[] both = {
            win.rAccumulate(ints(5), 1, MPI.INT, next, 2, 1, MPI.INT, MPI.SUM),
            win.rGetAccumulate(ints(6), 1, MPI.INT, old, 1, MPI.INT, next, 2, 1, MPI.INT, MPI.SUM)
        };
        Request.waitAll(both);
        equal("in order", 5, old.get(0));
        win.getAccumulate(ints(), 0, MPI.INT, old, 1, MPI.INT, next, 2, 1, MPI.INT, MPI.NO_OP);
        win.flush(next);
        equal("both", 11, old.get(0));
        that("none", win.rPut(data, 1, MPI.INT, MPI.PROC_NULL, 0, 1, MPI.INT).test());
        win.unlockAll();
        win.free();
    }

    private static void dynamic() {
        Win win = new Win(MPI.INFO_NULL, MPI.COMM_WORLD);
        win.setErrhandler(MPI.ERRORS_RETURN);
        IntBuffer first = MPI.newIntBuffer(3);
        IntBuffer second = MPI.newIntBuffer(3);
        win.attach(first, 3);
        win.attach(second, 3);
        win.fence(0);
        int next = (rank + 1) % size;
        win.put(ints(rank + 1, 2, 3), 3, MPI.INT, next, 0, 3, MPI.INT);
        win.put(ints(4, 5, rank + 6), 3, MPI.INT, next, 16, 3, MPI.INT);
        win.fence(0);
        int before = (rank + size - 1) % size;
        equal("first", before + 1, first.get(0));
        equal("second", before + 6, second.get(2));
        win.put(ints(1), 1, MPI.INT, next, 1000, 1, MPI.INT);
        fails("outside", MPI.ERR_DISP, () -> win.fence(0));
        IntBuffer got = MPI.newIntBuffer(1);
        win.get(got, 1, MPI.INT, next, 12, 1, MPI.INT);
        fails("between", MPI.ERR_DISP, () -> win.fence(0));
        win.detach(second);
        fails("detached", MPI.ERR_BASE, () -> win.detach(second));
        win.fence(0);
        win.put(ints(1), 1, MPI.INT, next, 16, 1, MPI.INT);
        fails("detached memory", MPI.ERR_DISP, () -> win.fence(0));
        win.free();
    }

    private static void largeData() {
        int n = 1 << 18;
        DoubleBuffer memory = MPI.newDoubleBuffer(n);
        Win win = window(memory, n);
        DoubleBuffer data = MPI.newDoubleBuffer(n);
        for (int i = 0; i < n; i++) {
            data.put(i, i + rank);
        }
        int next = (rank + 1) % size;
        win.fence(0);
        win.put(data, n, MPI.DOUBLE, next, 0, n, MPI.DOUBLE);
        win.fence(0);
        equal("last", n - 1.0 + (rank + size - 1) % size, memory.get(n - 1));
        for (int i = 0; i < 1000; i++) {
            win.accumulate(data, 1, MPI.DOUBLE, i % size, i, 1, MPI.DOUBLE, MPI.SUM);
        }
        DoubleBuffer got = MPI.newDoubleBuffer(n);
        win.get(got, n, MPI.DOUBLE, next, 0, n, MPI.DOUBLE);
        win.fence(0);
        equal("got", n - 1.0 + rank, got.get(n - 1));
        win.free();
    }

    private static void mistakes() {
        Win win = window(MPI.newIntBuffer(4), 4);
        win.fence(0);
        IntBuffer data = ints(1, 2, 3, 4, 5);
        fails("rank", MPI.ERR_RANK, () -> win.put(data, 1, MPI.INT, size, 0, 1, MPI.INT));
        fails("disp", MPI.ERR_DISP, () -> win.put(data, 1, MPI.INT, 0, -1, 1, MPI.INT));
        fails("range", MPI.ERR_DISP, () -> win.put(data, 1, MPI.INT, 0, 4, 1, MPI.INT));
        fails("range", MPI.ERR_DISP, () -> win.get(data, 5, MPI.INT, 0, 0, 5, MPI.INT));
        fails("count", MPI.ERR_COUNT, () -> win.put(data, -1, MPI.INT, 0, 0, 1, MPI.INT));
        fails("count", MPI.ERR_COUNT, () -> win.put(data, 1, MPI.INT, 0, 0, -1, MPI.INT));
        fails("sizes", MPI.ERR_TYPE, () -> win.put(data, 2, MPI.INT, 0, 0, 1, MPI.INT));
        fails(
                "not direct",
                MPI.ERR_BUFFER,
                () -> win.put(IntBuffer.allocate(1), 1, MPI.INT, 0, 0, 1, MPI.INT));
        fails(
                "real numbers",
                MPI.ERR_TYPE,
                () ->
                        win.compareAndSwap(
                                MPI.newDoubleBuffer(1),
                                MPI.newDoubleBuffer(1),
                                MPI.newDoubleBuffer(1),
                                MPI.DOUBLE,
                                0,
                                0));
        win.fence(0);
        win.free();
    }

    private static void attributes() {
        IntBuffer memory = MPI.newIntBuffer(6);
        Win win = new Win(memory, 6, 2, new Info(), MPI.COMM_WORLD);
        equal("handler", MPI.ERRORS_ARE_FATAL, win.getErrhandler());
        win.setErrhandler(MPI.ERRORS_RETURN);
        win.callErrhandler(MPI.ERR_WIN);
        equal("size", 24, win.getAttr(MPI.WIN_SIZE));
        equal("unit", 8, win.getAttr(MPI.WIN_DISP_UNIT));
        that("base", win.getAttr(MPI.WIN_BASE) instanceof IntBuffer);
        int key = Win.createKeyval();
        equal("not set", null, win.getAttr(key));
        win.setAttr(key, "value");
        equal("set", "value", win.getAttr(key));
        win.deleteAttr(key);
        equal("deleted", null, win.getAttr(key));
        Win.freeKeyval(key);
        fails("freed", MPI.ERR_KEYVAL, () -> win.setAttr(key, "value"));
        win.setName("halo");
        equal("name", "halo", win.getName());
        Info info = new Info();
        info.set("no_locks", "true");
        win.setInfo(info);
        equal("info", "true", win.getInfo().get("no_locks"));
        equal("group", MPI.IDENT, Group.compare(win.getGroup(), MPI.COMM_WORLD.getGroup()));
        win.fence(0);
        win.put(ints(rank), 1, MPI.INT, rank, 2, 1, MPI.INT);
        win.fence(0);
        equal("unit of two elements", rank, memory.get(4));
        win.free();
        Win made = new Win(16, 4, MPI.INFO_NULL, MPI.COMM_WORLD, null, Win.FLAVOR_SHARED);
        that("made", made.getAttr(MPI.WIN_BASE) instanceof ByteBuffer);
        made.free();
    }
}
