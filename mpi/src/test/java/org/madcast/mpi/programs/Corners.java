package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.CartComm;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.GraphComm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.ShiftParms;
import mpi.Status;
import mpi.User_function;

/**
 * The rare cases that the standard defines: nothing to send, nobody to send to, empty arguments.
 */
public final class Corners {

    private static Intracomm world;
    private static int rank;
    private static int size;

    private Corners() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        that("not yet", !MPI.isInitialized() && !MPI.isFinalized());
        MPI.Init(args);
        fails("twice", MPI.ERR_OTHER, () -> MPI.Init(args));
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_SELF.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        constants();
        nobody();
        nothing();
        counts();
        requests();
        persistent();
        bounds();
        collectives();
        ownOperations();
        groups();
        grids();
        graphs();
        freed();
        MPI.Finalize();
        that("over", MPI.isInitialized() && MPI.isFinalized());
        Checks.end();
    }

    private static void constants() {
        equal("names", "MPI_COMM_WORLD", world.getName());
        equal("names", "MPI_COMM_SELF", MPI.COMM_SELF.getName());
        equal("self", 1, MPI.COMM_SELF.getSize() - MPI.COMM_SELF.getRank());
        that("TAG_UB", (Integer) world.getAttr(MPI.TAG_UB) >= 32767);
        that("WTIME_IS_GLOBAL", world.getAttr(MPI.WTIME_IS_GLOBAL) instanceof Boolean);
        that("clock", MPI.wtime() > 0 && MPI.wtick() > 0 && MPI.wtick() < 1);
        that("processor", !MPI.getProcessorName().isEmpty());
        equal("topology", MPI.UNDEFINED, world.getTopology());
        equal("ident", MPI.IDENT, Comm.compare(world, world));
        equal(
                "self and world",
                size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL,
                Comm.compare(world, MPI.COMM_SELF));
        equal("empty", 0, MPI.GROUP_EMPTY.getSize());
        fails("predefined", MPI.ERR_KEYVAL, () -> world.setAttr(MPI.TAG_UB, 1));
        fails("free world", MPI.ERR_COMM, world::free);
        fails("disconnect world", MPI.ERR_COMM, world::disconnect);
        int[] sizes = {1, 2, 2, 4, 8, 4, 8, 1};
        Datatype[] types = {
            MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.BOOLEAN
        };
        for (int i = 0; i < types.length; i++) {
            equal("size", sizes[i], types[i].getSize());
            equal("extent", sizes[i], types[i].getExtent());
            equal("extent", 1, types[i].Extent());
            equal("bounds", 0, types[i].getLb() + types[i].getTrueLb());
            that("pack size", world.packSize(3, types[i]) >= 3 * sizes[i]);
        }
    }

    private static void isNobody(Status status) {
        equal("source", MPI.PROC_NULL, status.getSource());
        equal("tag", MPI.ANY_TAG, status.getTag());
        equal("count", 0, status.getCount(MPI.INT));
        equal("elements", 0, status.getElements(MPI.INT));
    }

    private static void nobody() {
        int[] data = {7, 8};
        world.send(data, 2, MPI.INT, MPI.PROC_NULL, 0);
        world.sSend(data, 2, MPI.INT, MPI.PROC_NULL, 0);
        world.rSend(data, 2, MPI.INT, MPI.PROC_NULL, 0);
        isNobody(world.recv(data, 2, MPI.INT, MPI.PROC_NULL, MPI.ANY_TAG));
        isNobody(world.probe(MPI.PROC_NULL, 5));
        isNobody(world.iProbe(MPI.PROC_NULL, 5));
        isNobody(world.Irecv(data, 0, 2, MPI.INT, MPI.PROC_NULL, 5).Wait());
        Request send = world.Isend(data, 0, 2, MPI.INT, MPI.PROC_NULL, 5);
        that("sent", send.test());
        isNobody(
                world.Sendrecv(
                        data,
                        0,
                        1,
                        MPI.INT,
                        MPI.PROC_NULL,
                        1,
                        data,
                        1,
                        1,
                        MPI.INT,
                        MPI.PROC_NULL,
                        1));
        isNobody(world.sendRecvReplace(data, 2, MPI.INT, MPI.PROC_NULL, 1, MPI.PROC_NULL, 1));
        Message message = new Message();
        isNobody(message.mProbe(MPI.PROC_NULL, 5, world));
        isNobody(message.mRecv(data, 2, MPI.INT));
        that("received", message.isNull());
        equal("unchanged", new int[] {7, 8}, data);
        int up = rank + 1 < size ? rank + 1 : MPI.PROC_NULL;
        int down = rank > 0 ? rank - 1 : MPI.PROC_NULL;
        int[] got = {-1};
        Status status =
                world.sendRecv(new int[] {rank}, 1, MPI.INT, up, 3, got, 1, MPI.INT, down, 3);
        equal("from below", rank > 0 ? rank - 1 : -1, got[0]);
        equal("from below", rank > 0 ? 1 : 0, status.getCount(MPI.INT));
    }

    private static void nothing() {
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        Request send = world.Isend(new int[0], 0, 0, MPI.INT, next, 4);
        Status status = world.recv(null, 0, MPI.INT, before, 4);
        equal("count", 0, status.getCount(MPI.INT));
        equal("count", 0, status.getCount(MPI.DOUBLE));
        equal("source", before, status.getSource());
        send.waitFor();
        Datatype none = Datatype.createContiguous(0, MPI.INT);
        none.commit();
        equal("size", 0, none.getSize());
        equal("extent", 0, none.getExtent());
        send = world.Isend(new int[1], 0, 5, none, next, 4);
        status = world.recv(new int[1], 9, none, before, 4);
        equal("count", 0, status.getCount(none));
        send.waitFor();
        world.bcast(new int[0], 0, MPI.INT, 0);
        world.allReduce(new int[0], new int[0], 0, MPI.INT, MPI.SUM);
        world.allGather(new int[0], 0, MPI.INT, new int[0], 0, MPI.INT);
        Request.waitAll(new Request[0]);
        that("all of none", Request.testAll(new Request[0]));
        equal("any of none", MPI.UNDEFINED, Request.waitAny(new Request[0]));
    }

    /** Counts of what arrives when it is not whole, or more than there is room for. */
    private static void counts() {
        Datatype pair = Datatype.createContiguous(2, MPI.INT);
        pair.commit();
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        Request send = world.Isend(new int[] {1, 2, 3}, 0, 3, MPI.INT, next, 6);
        Status probed = world.probe(MPI.ANY_SOURCE, 6);
        equal("whole", MPI.UNDEFINED, probed.getCount(pair));
        equal("elements", 3, probed.getElements(pair));
        int[] data = new int[8];
        Status status = world.recv(data, 4, pair, before, 6);
        send.waitFor();
        equal("whole", MPI.UNDEFINED, status.getCount(pair));
        equal("elements", 3, status.getElements(pair));
        equal("elements", 3L, status.getElementsX(pair).getCount());
        equal("ints", 3, status.getCount(MPI.INT));
        equal("no whole longs", MPI.UNDEFINED, status.getCount(MPI.LONG));
        equal("bytes", 12, status.getCount(MPI.BYTE));
        send = world.Isend(new int[] {1, 2, 3}, 0, 3, MPI.INT, next, 6);
        fails("truncated", MPI.ERR_TRUNCATE, () -> world.recv(data, 2, MPI.INT, before, 6));
        send.waitFor();
        fails("count", MPI.ERR_COUNT, () -> world.send(data, -1, MPI.INT, next, 6));
        fails("tag", MPI.ERR_TAG, () -> world.send(data, 1, MPI.INT, next, -5));
        fails("tag", MPI.ERR_TAG, () -> world.send(data, 1, MPI.INT, next, MPI.ANY_TAG));
        fails("rank", MPI.ERR_RANK, () -> world.send(data, 1, MPI.INT, size, 6));
        fails("rank", MPI.ERR_RANK, () -> world.send(data, 1, MPI.INT, MPI.ANY_SOURCE, 6));
        fails("rank", MPI.ERR_RANK, () -> world.recv(data, 1, MPI.INT, -7, 6));
        fails("type", MPI.ERR_TYPE, () -> world.send(data, 1, MPI.DATATYPE_NULL, next, 6));
        pair.free();
        fails("freed", MPI.ERR_TYPE, () -> world.send(data, 1, pair, next, 6));
    }

    private static void isEmpty(Status status) {
        equal("source", MPI.ANY_SOURCE, status.getSource());
        equal("tag", MPI.ANY_TAG, status.getTag());
        equal("count", 0, status.getCount(MPI.INT));
        equal("error", MPI.SUCCESS, status.getError());
        that("cancelled", !status.isCancelled());
    }

    private static void requests() {
        Request nothing = MPI.REQUEST_NULL;
        that("null", nothing.isNull() && nothing.Is_null());
        isEmpty(nothing.waitStatus());
        isEmpty(nothing.testStatus());
        isEmpty(nothing.getStatus());
        Request[] none = {nothing, nothing};
        Status any = Request.waitAnyStatus(none);
        equal("index", MPI.UNDEFINED, any.getIndex());
        isEmpty(any);
        equal("some", null, Request.waitSome(none));
        equal("some", null, Request.testSome(none));
        that("any", Request.testAnyStatus(none) != null);
        for (Status each : Request.waitAllStatus(none)) {
            isEmpty(each);
        }
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        int[][] got = new int[3][1];
        Request[] all = new Request[4];
        for (int i = 0; i < 3; i++) {
            all[i] = world.Irecv(got[i], 0, 1, MPI.INT, before, 10 + i);
        }
        all[3] = nothing;
        for (int i = 2; i >= 0; i--) {
            world.send(new int[] {i}, 1, MPI.INT, next, 10 + i);
        }
        int seen = 0;
        for (int i = 0; i < 3; i++) {
            Status status = Request.waitAnyStatus(all);
            equal("tag", 10 + status.getIndex(), status.getTag());
            seen |= 1 << status.getIndex();
        }
        equal("each once", 7, seen);
        equal("received", new int[][] {{0}, {1}, {2}}, got);
        equal("no more", MPI.UNDEFINED, Request.waitAny(all));
        Request receive = world.Irecv(got[0], 0, 1, MPI.INT, MPI.ANY_SOURCE, 99);
        that("not yet", !receive.test() && receive.getStatus() == null);
        receive.cancel();
        that("cancelled", receive.waitStatus().isCancelled());
        world.barrier();
    }

    private static void persistent() {
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        IntBuffer out = MPI.newIntBuffer(1);
        IntBuffer in = MPI.newIntBuffer(1);
        Prequest send = world.sendInit(out, 1, MPI.INT, next, 8);
        Prequest receive = world.recvInit(in, 1, MPI.INT, before, 8);
        isEmpty(receive.waitStatus());
        that("inactive", receive.test() && !receive.isNull());
        for (int i = 0; i < 3; i++) {
            out.put(0, 10 * rank + i);
            Prequest.startAll(new Prequest[] {receive, send});
            Status[] both = Request.waitAllStatus(new Request[] {send, receive});
            equal("source", before, both[1].getSource());
            equal("received", 10 * before + i, in.get(0));
        }
        receive.start();
        fails("started", MPI.ERR_REQUEST, receive::start);
        receive.cancel();
        that("cancelled", receive.waitStatus().isCancelled());
        receive.free();
        send.free();
        that("freed", receive.isNull() && send.isNull());
        fails("freed", MPI.ERR_REQUEST, send::start);
    }

    private static void bounds() {
        Datatype resized = Datatype.createResized(MPI.INT, -4, 16);
        equal("lb", -4, resized.getLb());
        equal("extent", 16, resized.getExtent());
        equal("true lb", 0, resized.getTrueLb());
        equal("true extent", 4, resized.getTrueExtent());
        Datatype two = Datatype.createContiguous(2, resized);
        equal("lb", -4, two.getLb());
        equal("extent", 32, two.getExtent());
        equal("true extent", 20, two.getTrueExtent());
        equal("size", 8, two.getSize());
        Datatype back = Datatype.createHVector(2, 1, -8, MPI.INT);
        equal("lb", -8, back.getLb());
        equal("extent", 12, back.getExtent());
        Datatype vector = Datatype.Vector(3, 2, 4, MPI.INT);
        equal("extent", 10, vector.Extent());
        equal("size", 6, vector.Size());
        equal("bounds", 10, vector.Ub() - vector.Lb());
        Datatype marked =
                Datatype.Struct(
                        new int[] {1, 1, 1},
                        new int[] {-2, 0, 5},
                        new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
        equal("lb", -2, marked.Lb());
        equal("ub", 5, marked.Ub());
        equal("extent", 7, marked.Extent());
        equal("size", 1, marked.Size());
        Datatype empty = Datatype.createIndexed(new int[] {0, 2, 0}, new int[] {9, 3, 7}, MPI.INT);
        equal("lb", 12, empty.getLb());
        equal("extent", 8, empty.getExtent());
        fails("count", MPI.ERR_COUNT, () -> Datatype.createContiguous(-1, MPI.INT));
        fails("predefined", MPI.ERR_TYPE, MPI.INT::free);
        byte[] packed = new byte[64];
        int at = world.pack(new int[] {1, 2}, 2, MPI.INT, packed, 0);
        at = world.pack(new double[] {0.5}, 1, MPI.DOUBLE, packed, at);
        int[] ints = new int[2];
        double[] doubles = new double[1];
        int from = world.unpack(packed, 0, ints, 2, MPI.INT);
        equal("position", at, world.unpack(packed, from, doubles, 1, MPI.DOUBLE));
        equal("unpacked", new int[] {1, 2}, ints);
        equal("unpacked", new double[] {0.5}, doubles);
        fails("room", MPI.ERR_TRUNCATE, () -> world.pack(ints, 2, MPI.INT, packed, 60));
    }

    private static void collectives() {
        int[] counts = new int[size];
        int[] places = new int[size];
        int total = 0;
        for (int i = 0; i < size; i++) {
            counts[i] = i % 2 == 0 ? 0 : i;
            places[i] = total;
            total += counts[i];
        }
        int[] own = new int[counts[rank]];
        Arrays.fill(own, rank);
        int[] all = new int[total];
        world.allGatherv(own, counts[rank], MPI.INT, all, counts, places, MPI.INT);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < counts[i]; j++) {
                equal("gathered", i, all[places[i] + j]);
            }
        }
        int[] sums = new int[counts[rank]];
        int[] data = new int[total];
        Arrays.fill(data, 1);
        world.reduceScatter(data, sums, counts, MPI.INT, MPI.SUM);
        for (int sum : sums) {
            equal("sum", size, sum);
        }
        int[] prefix = {-1};
        world.exScan(new int[] {1}, prefix, 1, MPI.INT, MPI.SUM);
        equal("exclusive", rank == 0 ? -1 : rank, prefix[0]);
        fails("root", MPI.ERR_ROOT, () -> world.bcast(new int[1], 1, MPI.INT, size));
        fails("root", MPI.ERR_ROOT, () -> world.bcast(new int[1], 1, MPI.INT, -1));
        fails(
                "operation",
                MPI.ERR_OP,
                () -> world.allReduce(new float[1], new float[1], 1, MPI.FLOAT, MPI.BAND));
        int[] places2 = new int[4];
        world.allReduce(new int[] {5, rank, rank % 2, -rank}, places2, 2, MPI.INT2, MPI.MAXLOC);
        equal("the first of equals", 0, places2[1]);
        boolean[] flags = new boolean[1];
        world.allReduce(new boolean[] {rank == 0}, flags, 1, MPI.BOOLEAN, MPI.LXOR);
        that("exclusive or", flags[0]);
    }

    /** Composition of affine functions, which does not commute. */
    private static void ownOperations() {
        Op composed =
                new Op(
                        new User_function() {
                            @Override
                            public void Call(
                                    Object invec,
                                    int inoffset,
                                    Object inoutvec,
                                    int inoutoffset,
                                    int count,
                                    Datatype datatype) {
                                int[] first = (int[]) invec;
                                int[] second = (int[]) inoutvec;
                                for (int i = 0; i < count; i++) {
                                    int from = inoffset + 2 * i;
                                    int to = inoutoffset + 2 * i;
                                    second[to + 1] += second[to] * first[from + 1];
                                    second[to] *= first[from];
                                }
                            }
                        },
                        false);
        Datatype pair = Datatype.createContiguous(2, MPI.INT);
        pair.commit();
        int expected = 0;
        for (int i = 0; i < size; i++) {
            expected = 2 * expected + i;
        }
        int[] result = new int[2];
        world.reduce(new int[] {2, rank}, result, 1, pair, composed, size - 1);
        equal("composed", rank == size - 1 ? 1 << size : 0, result[0]);
        equal("composed", rank == size - 1 ? expected : 0, result[1]);
        that("commutes", !composed.isCommutative());
        composed.free();
    }

    private static void groups() {
        Group all = world.getGroup();
        Group none = all.incl(new int[0]);
        equal("empty", MPI.IDENT, Group.compare(none, MPI.GROUP_EMPTY));
        equal("rank", MPI.UNDEFINED, none.getRank());
        equal("all", MPI.IDENT, Group.compare(all, all.excl(new int[0])));
        Group reversed = all.rangeIncl(new int[][] {{size - 1, 0, -1}});
        equal("order", size == 1 ? MPI.IDENT : MPI.SIMILAR, Group.compare(all, reversed));
        equal("rank", size - 1 - rank, reversed.getRank());
        int[] there = Group.translateRanks(all, new int[] {0, MPI.PROC_NULL}, none);
        equal("translated", new int[] {MPI.UNDEFINED, MPI.PROC_NULL}, there);
        fails("twice", MPI.ERR_RANK, () -> all.incl(new int[] {0, 0}));
        fails("outside", MPI.ERR_RANK, () -> all.incl(new int[] {size}));
        that("no communicator", world.create(none).isNull());
        Intracomm same = world.split(0, 0);
        equal("congruent", MPI.CONGRUENT, Comm.compare(world, same));
        Intracomm turned = world.split(0, -rank);
        equal("similar", size == 1 ? MPI.CONGRUENT : MPI.SIMILAR, Comm.compare(world, turned));
        that("undefined", world.split(MPI.UNDEFINED, 0).isNull());
        that("undefined", world.Split(MPI.UNDEFINED, 0) == null);
        same.free();
        turned.free();
        none.free();
        that("freed", none.isNull());
        fails("freed", MPI.ERR_GROUP, none::getSize);
    }

    private static void grids() {
        CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false);
        equal("kind", MPI.CART, ring.getTopology());
        ShiftParms far = ring.shift(0, size + 1);
        equal("around", (rank + 1) % size, far.getRankDest());
        equal("around", (rank + size - 1) % size, far.getRankSource());
        equal("wrapped", size - 1, ring.getRank(new int[] {-1}));
        fails("direction", MPI.ERR_DIMS, () -> ring.shift(1, 1));
        Cartcomm line = world.Create_cart(new int[] {1, size}, new boolean[2], true);
        ShiftParms still = line.Shift(0, 1);
        equal("edge", MPI.PROC_NULL, still.rank_dest);
        equal("edge", MPI.PROC_NULL, still.rank_source);
        ShiftParms zero = line.Shift(1, 0);
        equal("itself", rank, zero.rank_dest);
        equal("itself", rank, zero.rank_source);
        equal("place", new int[] {0, rank}, line.Coords(rank));
        fails("rank", MPI.ERR_RANK, () -> line.Coords(size));
        Cartcomm column = line.Sub(new boolean[] {true, false});
        equal("alone", 1, column.Size());
        fails(
                "too large",
                MPI.ERR_DIMS,
                () -> world.createCart(new int[] {size + 1}, new boolean[1], false));
        int[] dims = {0, 3, 0};
        CartComm.createDims(24, dims);
        equal("divided", new int[] {4, 3, 2}, dims);
        fails("not divided", MPI.ERR_DIMS, () -> CartComm.createDims(7, new int[] {2, 0}));
        CartComm point = world.createCart(new int[0], new boolean[0], false);
        equal("no dimension", rank == 0, !point.isNull());
        ring.free();
        line.Free();
        column.Free();
    }

    private static void graphs() {
        int[] index = new int[size];
        int[] edges = new int[size];
        for (int i = 0; i < size; i++) {
            index[i] = i + 1;
            edges[i] = (i + 1) % size;
        }
        GraphComm graph = world.createGraph(index, edges, false);
        equal("neighbours", new int[] {(rank + 1) % size}, graph.getNeighbors(rank));
        equal("nodes", size, graph.getDims().getIndexCount());
        equal("edges", size, graph.getDims().getEdgeCount());
        GraphComm copy = graph.dup();
        equal("kind", MPI.GRAPH, copy.getTopology());
        copy.free();
        graph.free();
    }

    private static void freed() {
        Intracomm freed = world.dup();
        freed.free();
        that("null", freed.isNull());
        fails("freed", MPI.ERR_COMM, freed::getSize);
        fails("freed", MPI.ERR_COMM, () -> freed.send(new int[1], 1, MPI.INT, 0, 0));
        int key = Comm.createKeyval();
        equal("unset", null, world.getAttr(key));
        world.setAttr(key, "value");
        Intracomm copy = world.dup();
        equal("copied", "value", copy.getAttr(key));
        copy.deleteAttr(key);
        equal("deleted", null, copy.getAttr(key));
        world.deleteAttr(key);
        Comm.freeKeyval(key);
        fails("freed", MPI.ERR_KEYVAL, () -> Comm.freeKeyval(key));
        copy.free();
    }
}
