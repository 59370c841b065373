package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import mpi.Comm;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * Groups, communicators, attributes, info objects and error handlers. The argument is the number of
 * hosts, one if it is missing.
 */
public final class Communicators {

    private static int rank;
    private static int size;
    private static int hosts;

    private Communicators() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        hosts = MPI.Init(args).length == 0 ? 1 : Integer.parseInt(args[0]);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        groups(MPI.COMM_WORLD.getGroup());
        ranges(MPI.COMM_WORLD.Group());
        translated(MPI.COMM_WORLD.getGroup());
        duplicates();
        splits();
        created();
        attributes();
        infos();
        handlers();
        names();
        MPI.Finalize();
        Checks.end();
    }

    private static int[] members(Group group) throws MPIException {
        int[] ranks = new int[group.getSize()];
        java.util.Arrays.setAll(ranks, i -> i);
        return Group.translateRanks(group, ranks, MPI.COMM_WORLD.getGroup());
    }

    private static void groups(Group world) throws MPIException {
        equal("size", size, world.getSize());
        equal("rank", rank, world.getRank());
        equal("empty", 0, MPI.GROUP_EMPTY.Size());
        equal("not in it", MPI.UNDEFINED, MPI.GROUP_EMPTY.getRank());
        equal("ident", MPI.IDENT, Group.compare(world, MPI.COMM_WORLD.getGroup()));
        int last = size - 1;
        Group one = world.incl(new int[] {last});
        Group others = world.excl(new int[] {last});
        equal("incl", new int[] {last}, members(one));
        equal("excl", last, others.getSize());
        Group both = Group.union(one, others);
        equal("union begins with the first", last, members(both)[0]);
        equal("union", size, both.Size());
        equal("compare", size > 1 ? MPI.SIMILAR : MPI.IDENT, Group.Compare(both, world));
        equal("unequal", MPI.UNEQUAL, Group.compare(one, MPI.GROUP_EMPTY));
        equal("intersection", new int[] {last}, members(Group.intersection(world, one)));
        equal("none", 0, Group.Intersection(one, others).getSize());
        equal("difference", members(others), members(Group.difference(world, one)));
        equal("rank", rank == last ? 0 : MPI.UNDEFINED, one.Rank());
        fails("outside", MPI.ERR_RANK, () -> world.incl(new int[] {size}));
        fails("twice", MPI.ERR_RANK, () -> world.Incl(new int[] {0, 0}));
        fails("outside", MPI.ERR_RANK, () -> world.excl(new int[] {-1}));
        Group gone = world.incl(new int[0]);
        equal("empty", MPI.IDENT, Group.compare(gone, MPI.GROUP_EMPTY));
        gone.free();
        that("freed", gone.isNull() && !world.isNull() && MPI.GROUP_NULL.isNull());
        fails("freed", MPI.ERR_GROUP, gone::getSize);
        fails("null", MPI.ERR_GROUP, MPI.GROUP_NULL::Size);
    }

    private static void ranges(Group world) throws MPIException {
        int last = size - 1;
        int[] reversed = new int[size];
        java.util.Arrays.setAll(reversed, i -> last - i);
        equal("negative stride", reversed, members(world.rangeIncl(new int[][] {{last, 0, -1}})));
        int[] even = java.util.stream.IntStream.range(0, size).filter(i -> i % 2 == 0).toArray();
        equal("stride", even, members(world.Range_incl(new int[][] {{0, last, 2}})));
        equal("but", size - even.length, world.rangeExcl(new int[][] {{0, last, 2}}).getSize());
        equal("all", 0, world.Range_excl(new int[][] {{last, 0, -1}}).getSize());
        equal("beyond", new int[] {0}, members(world.rangeIncl(new int[][] {{0, last, 1000}})));
        equal("no range", 0, world.rangeIncl(new int[0][]).getSize());
        fails("stride 0", MPI.ERR_ARG, () -> world.rangeIncl(new int[][] {{0, last, 0}}));
        fails("outside", MPI.ERR_RANK, () -> world.rangeIncl(new int[][] {{0, size, 1}}));
        fails(
                "twice",
                MPI.ERR_RANK,
                () -> world.rangeIncl(new int[][] {{0, last, 1}, {last, last, 1}}));
    }

    private static void translated(Group world) throws MPIException {
        Group last = world.incl(new int[] {size - 1});
        int[] found = Group.Translate_ranks(world, new int[] {size - 1, MPI.PROC_NULL, 0}, last);
        equal("rank", 0, found[0]);
        equal("no process", MPI.PROC_NULL, found[1]);
        equal("not in it", size == 1 ? 0 : MPI.UNDEFINED, found[2]);
        fails("outside", MPI.ERR_RANK, () -> Group.translateRanks(last, new int[] {1}, world));
    }

    private static void duplicates() throws MPIException {
        Intracomm copy = MPI.COMM_WORLD.dup();
        equal("congruent", MPI.CONGRUENT, Comm.compare(MPI.COMM_WORLD, copy));
        equal("ident", MPI.IDENT, Intracomm.Compare(copy, copy));
        equal("handler", MPI.ERRORS_RETURN, copy.getErrhandler());
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        int[] got = new int[1];
        Request apart = copy.Irecv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        MPI.COMM_WORLD.send(new int[] {1}, 1, MPI.INT, next, 0);
        Status _ = MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, before, 0);
        copy.send(new int[] {2}, 1, MPI.INT, next, 0);
        apart.waitFor();
        equal("messages are apart", 2, got[0]);
        Intracomm later = copy.iDup();
        later.getRequest().waitFor();
        Intracomm cloned = later.clone();
        equal("clone", size, cloned.getSize());
        cloned.free();
        later.disconnect();
        long[] large = new long[100_000];
        Request pending = copy.Irecv(large, 0, large.length, MPI.LONG, before, 1);
        long[] mine = new long[large.length];
        mine[mine.length - 1] = rank + 1L;
        Request sending = copy.Isend(mine, 0, mine.length, MPI.LONG, next, 1);
        copy.Free();
        sending.waitFor();
        that("goes on", !pending.Wait().isCancelled());
        equal("goes on", before + 1L, large[large.length - 1]);
        that("freed", copy.isNull() && later.isNull() && cloned.isNull());
        fails("freed", MPI.ERR_COMM, copy::Size);
        fails(
                "COMM_WORLD's handler says what errors of a freed one do",
                MPI.ERR_COMM,
                copy::barrier);
        fails("the null communicator", MPI.ERR_COMM, MPI.COMM_NULL::getSize);
        fails("world", MPI.ERR_COMM, MPI.COMM_WORLD::free);
        for (int i = 0; i < 100; i++) {
            MPI.COMM_WORLD.dup().free();
        }
    }

    private static void splits() throws MPIException {
        Intracomm half = MPI.COMM_WORLD.split(rank % 2, -rank);
        int inHalf = (size + 1 - rank % 2) / 2;
        equal("size", inHalf, half.getSize());
        equal("reversed", inHalf - 1 - rank / 2, half.getRank());
        int[] ranks = members(half.getGroup());
        equal("itself", rank, ranks[half.getRank()]);
        Intracomm quarter = half.Split(0, half.Rank());
        equal("of a part", MPI.CONGRUENT, Comm.compare(half, quarter));
        Intracomm none = MPI.COMM_WORLD.split(rank == 0 ? MPI.UNDEFINED : 0, 0);
        equal("undefined", rank == 0, none.isNull());
        Intracomm nothing = MPI.COMM_WORLD.Split(rank == 0 ? MPI.UNDEFINED : 0, 0);
        equal("undefined", rank == 0, nothing == null);
        Intracomm shared = MPI.COMM_WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
        int[] parts = {shared.getRank() == 0 ? 1 : 0};
        MPI.COMM_WORLD.allReduce(parts, 1, MPI.INT, MPI.SUM);
        equal("hosts", hosts, parts[0]);
        that("undefined", MPI.COMM_WORLD.splitType(MPI.UNDEFINED, 0, MPI.INFO_NULL).isNull());
        fails("colour", MPI.ERR_ARG, () -> MPI.COMM_WORLD.split(-5, 0));
        equal(
                "compare",
                size <= 2 ? (size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL) : MPI.UNEQUAL,
                Comm.compare(MPI.COMM_WORLD, half));
        Intracomm reversed = MPI.COMM_WORLD.split(3, size - rank);
        equal(
                "similar",
                size == 1 ? MPI.CONGRUENT : MPI.SIMILAR,
                Comm.compare(MPI.COMM_WORLD, reversed));
        for (Intracomm each : new Intracomm[] {half, quarter, shared, reversed}) {
            each.free();
        }
    }

    private static void created() throws MPIException {
        Group world = MPI.COMM_WORLD.getGroup();
        Group ends = size == 1 ? world : world.incl(new int[] {size - 1, 0});
        boolean member = ends.getRank() != MPI.UNDEFINED;
        Intracomm made = MPI.COMM_WORLD.create(ends);
        equal("member", !member, made.isNull());
        Intracomm again = MPI.COMM_WORLD.Create(ends);
        equal("member", member, again != null);
        if (member) {
            equal("order", MPI.IDENT, Group.compare(ends, made.getGroup()));
            Intracomm alone = MPI.COMM_WORLD.createGroup(ends, 4);
            equal("rank", ends.getRank(), alone.getRank());
            int[] got = new int[1];
            int peer = alone.getSize() - 1 - alone.getRank();
            Status status =
                    alone.sendRecv(new int[] {rank}, 1, MPI.INT, peer, 0, got, 1, MPI.INT, peer, 0);
            equal("source", peer, status.source);
            equal("from", peer == alone.getRank() ? rank : size - 1 - rank, got[0]);
            alone.free();
        } else {
            that("no member", MPI.COMM_WORLD.createGroup(ends, 4).isNull());
        }
    }

    private static void attributes() throws MPIException {
        equal("largest tag", Integer.MAX_VALUE, MPI.COMM_WORLD.getAttr(MPI.TAG_UB));
        equal("ranks", size, MPI.COMM_WORLD.Attr_get(MPI.UNIVERSE_SIZE));
        that("io", MPI.COMM_WORLD.getAttr(MPI.IO) instanceof Integer);
        int key = Comm.createKeyval();
        equal("not set", null, MPI.COMM_WORLD.getAttr(key));
        MPI.COMM_WORLD.setAttr(key, "value");
        equal("set", "value", MPI.COMM_WORLD.Attr_get(key));
        Intracomm copy = MPI.COMM_WORLD.dup();
        equal("copied", "value", copy.getAttr(key));
        copy.Attr_delete(key);
        equal("deleted", null, copy.getAttr(key));
        equal("still there", "value", MPI.COMM_WORLD.getAttr(key));
        MPI.COMM_WORLD.deleteAttr(key);
        int inUse = Comm.createKeyval();
        copy.setAttr(inUse, "in use");
        Comm.freeKeyval(inUse);
        copy.deleteAttr(inUse);
        fails("freed and deleted", MPI.ERR_KEYVAL, () -> copy.deleteAttr(inUse));
        Comm.freeKeyval(key);
        fails("freed", MPI.ERR_KEYVAL, () -> MPI.COMM_WORLD.getAttr(key));
        fails("own", MPI.ERR_KEYVAL, () -> MPI.COMM_WORLD.setAttr(MPI.TAG_UB, 1));
        fails("none", MPI.ERR_KEYVAL, () -> Comm.freeKeyval(MPI.KEYVAL_INVALID));
        copy.free();
    }

    private static void infos() throws MPIException {
        Info info = new Info();
        info.set("one", "1");
        info.set("two", "2");
        info.set("one", "3");
        equal("size", 2, info.size());
        equal("value", "3", info.get("one"));
        equal("order", "two", info.getKey(1));
        equal("missing", null, info.get("three"));
        Info copy = info.dup();
        info.delete("one");
        equal("copy", 2, copy.clone().size());
        fails("missing", MPI.ERR_INFO_NOKEY, () -> info.delete("one"));
        fails("key", MPI.ERR_INFO_KEY, () -> info.set("k".repeat(100), ""));
        fails("value", MPI.ERR_INFO_VALUE, () -> info.set("k", "v".repeat(1000)));
        fails("number", MPI.ERR_ARG, () -> info.getKey(1));
        info.free();
        that("freed", info.isNull() && MPI.INFO_NULL.isNull());
        fails("freed", MPI.ERR_INFO, info::size);
        equal("ranks", "" + size, MPI.INFO_ENV.get("maxprocs"));
        MPI.COMM_WORLD.setInfo(copy);
        equal("hint", "3", MPI.COMM_WORLD.getInfo().get("one"));
        Intracomm with = MPI.COMM_WORLD.dupWithInfo(MPI.INFO_NULL);
        equal("no hint", 0, with.getInfo().size());
        with.free();
    }

    private static void handlers() throws MPIException {
        Intracomm own = MPI.COMM_SELF.dup();
        equal("fatal", MPI.ERRORS_ARE_FATAL, own.getErrhandler());
        fails("mpiJava throws", MPI.ERR_RANK, () -> own.Send(new int[1], 0, 1, MPI.INT, 1, 0));
        own.setErrhandler(MPI.ERRORS_RETURN);
        fails("throws", MPI.ERR_RANK, () -> own.send(new int[1], 1, MPI.INT, 1, 0));
        own.callErrhandler(MPI.ERR_OTHER);
        equal("world's", MPI.ERRORS_RETURN, MPI.Errorhandler_get());
        own.free();
    }

    private static void names() throws MPIException {
        equal("world", "MPI_COMM_WORLD", MPI.COMM_WORLD.getName());
        Intracomm own = MPI.COMM_WORLD.dup();
        equal("none", "", own.getName());
        own.setName("solver");
        equal("given", "solver", own.getName());
        equal("topology", MPI.UNDEFINED, own.getTopology());
        equal("topology", MPI.UNDEFINED, own.Topo_test());
        that("not inter", !own.isInter() && !own.Test_inter());
        own.free();
    }
}
