package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import mpi.Comm;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Programs that start others; the argument says whether this one starts or was started. */
public final class Spawned {

    private static int rank;
    private static int size;

    private Spawned() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        boolean spawned = List.of("child", "grandparent", "numbered", "forsaken").contains(args[0]);
        equal("spawned", spawned, !Intercomm.getParent().isNull());
        switch (args[0]) {
            case "parents" -> parents(2);
            case "grandparents" -> spawn(1, "grandparent").disconnect();
            case "several" -> several();
            case "wrong" -> wrong();
            case "child" -> child(Intercomm.getParent());
            case "grandparent" -> grandparent();
            case "numbered" -> numbered(args[1]);
            case "forsaken" -> sleep();
            case "deserting" -> desert();
            default -> throw new IllegalArgumentException(args[0]);
        }
        MPI.Finalize();
        Checks.end();
    }

    private static Intercomm spawn(int count, String... arguments) {
        int root = size - 1;
        int[] codes = new int[count];
        Arrays.fill(codes, -1);
        String[] argv = new String[arguments.length + 2];
        argv[0] = "-XX:+UseSerialGC";
        argv[1] = Spawned.class.getName();
        System.arraycopy(arguments, 0, argv, 2, arguments.length);
        boolean asked = rank == root;
        Intercomm children =
                MPI.COMM_WORLD.spawn(
                        asked ? "java" : "",
                        asked ? argv : null,
                        count,
                        MPI.INFO_NULL,
                        root,
                        codes);
        for (int code : codes) {
            equal("error code", MPI.SUCCESS, code);
        }
        return children;
    }

    private static void parents(int count) {
        Intercomm children = spawn(count, "child");
        equal("children", count, children.getRemoteSize());
        equal("parents", size, children.getSize());
        both(children, true);
        Intracomm merged = children.merge(false);
        merged(merged, rank, count);
        int leader = size + count - 1;
        Intercomm again = merged.createIntercomm(MPI.COMM_WORLD, size - 1, leader, 7);
        both(again, true);
        equal("the same groups", MPI.CONGRUENT, Comm.compare(children, again));
        again.disconnect();
        merged.disconnect();
        children.disconnect();
        that("disconnected", children.isNull());
    }

    private static void child(Intercomm parents) {
        equal("name", "MPI_COMM_PARENT", parents.getName());
        parents.setErrhandler(MPI.ERRORS_RETURN);
        both(parents, false);
        Intracomm merged = parents.merge(true);
        merged(merged, parents.getRemoteSize() + rank, parents.getRemoteSize());
        int parentsLeader = parents.getRemoteSize() - 1;
        Intercomm again = merged.createIntercomm(MPI.COMM_WORLD, size - 1, parentsLeader, 7);
        both(again, false);
        again.disconnect();
        merged.disconnect();
        Intercomm same = Intercomm.getParent();
        that("the parent stays", !same.isNull());
        parents.disconnect();
        that("disconnected", Intercomm.getParent().isNull());
    }

    /** Every parent and every child send each other messages, and call collective operations. */
    private static void both(Intercomm inter, boolean parent) {
        int remote = inter.getRemoteSize();
        int own = parent ? 100 + rank : 200 + rank;
        int others = parent ? 200 : 100;
        for (int to = 0; to < remote; to++) {
            inter.Isend(new int[] {own}, 0, 1, MPI.INT, to, 3).free();
        }
        for (int from = 0; from < remote; from++) {
            int[] got = new int[1];
            inter.recv(got, 1, MPI.INT, from, 3);
            equal("from the other job", others + from, got[0]);
        }
        int[] sum = new int[1];
        inter.allReduce(new int[] {own}, sum, 1, MPI.INT, MPI.SUM);
        equal("the others' sum", others * remote + remote * (remote - 1) / 2, sum[0]);
        int[] all = new int[remote];
        inter.allGather(new int[] {own}, 1, MPI.INT, all, 1, MPI.INT);
        equal("the others' last", others + remote - 1, all[remote - 1]);
        int[] word = {parent && rank == 0 ? 42 : 0};
        inter.bcast(word, 1, MPI.INT, parent ? rank == 0 ? MPI.ROOT : MPI.PROC_NULL : 0);
        equal("broadcast", parent && rank > 0 ? 0 : 42, word[0]);
        inter.barrier();
    }

    private static void merged(Intracomm merged, int expected, int others) {
        equal("rank", expected, merged.getRank());
        int all = merged.getSize();
        int[] sum = new int[1];
        merged.allReduce(new int[] {merged.getRank()}, sum, 1, MPI.INT, MPI.SUM);
        equal("sum", all * (all - 1) / 2, sum[0]);
        Group world = MPI.COMM_WORLD.getGroup();
        equal("own", 0, Group.difference(world, merged.getGroup()).getSize());
        equal("others", others, Group.difference(merged.getGroup(), world).getSize());
        Intracomm odd = merged.split(merged.getRank() % 2, -merged.getRank());
        equal("reversed", (all + 1 - merged.getRank() % 2) / 2, odd.getSize());
        Intracomm reversed =
                merged.createGroup(merged.getGroup().rangeIncl(new int[][] {{all - 1, 0, -1}}), 5);
        equal("reversed", all - 1 - merged.getRank(), reversed.getRank());
        long[] big = new long[50_000];
        Arrays.fill(big, reversed.getRank() == 0 ? 7 : 0);
        reversed.bcast(big, big.length, MPI.LONG, 0);
        equal("broadcast", 7L, big[big.length - 1]);
        odd.free();
        reversed.free();
    }

    private static void wrong() {
        int[] codes = {0, 0};
        Intracomm world = MPI.COMM_WORLD;
        fails(
                "no program",
                MPI.ERR_SPAWN,
                () -> world.spawn("/nowhere/program", null, 2, MPI.INFO_NULL, 0, codes));
        equal("codes", new int[] {MPI.ERR_SPAWN, MPI.ERR_SPAWN}, codes);
        fails("ends", MPI.ERR_SPAWN, () -> world.spawn("true", null, 1, MPI.INFO_NULL, 0, null));
        fails("root", MPI.ERR_ROOT, () -> world.spawn("true", null, 1, MPI.INFO_NULL, size, null));
        fails("number", MPI.ERR_ARG, () -> world.spawn("true", null, -1, MPI.INFO_NULL, 0, null));
        Info directory = new Info();
        directory.set("wdir", "/nowhere");
        fails("wdir", MPI.ERR_SPAWN, () -> world.spawn("true", null, 1, directory, 0, null));
        otherHost("192.0.2.7", "'192.0.2.7'"); // an address for documents, which no host has
        otherHost("192.0.2.7,192.0.2.8:4", "spawn starts processes on its root's host");
    }

    private static void otherHost(String hosts, String sentence) {
        Info there = new Info();
        there.set("host", hosts);
        try {
            var _ = MPI.COMM_WORLD.spawn("true", null, 1, there, 0, null);
            that("a process on " + hosts, false);
        } catch (MPIException refused) {
            equal("class", MPI.ERR_SPAWN, refused.getErrorClass());
            that(refused.getMessage(), String.valueOf(refused.getMessage()).contains(sentence));
        }
    }

    private static Info thisHost() {
        Info here = new Info();
        here.set("host", "192.0.2.7, " + MPI.getProcessorName() + ":2");
        return here;
    }

    private static void grandparent() {
        parents(1);
        Intercomm.getParent().disconnect();
    }

    private static void several() {
        String[] java = {"java", System.getProperty("java.home") + "/bin/java"};
        String name = Spawned.class.getName();
        String[][] arguments = {{name, "numbered", "0"}, {name, "numbered", "1"}};
        Intercomm children =
                MPI.COMM_WORLD.spawnMultiple(
                        java,
                        arguments,
                        new int[] {1, 2},
                        new Info[] {MPI.INFO_NULL, thisHost()},
                        0,
                        null);
        equal("children", 3, children.getRemoteSize());
        children.disconnect();
    }

    private static void numbered(String number) {
        equal("size", 3, size);
        equal("program", number, rank == 0 ? "0" : "1");
        Object found = MPI.COMM_WORLD.getAttr(MPI.APPNUM);
        equal("APPNUM", number, String.valueOf(Objects.requireNonNull(found)));
        Intercomm.getParent().disconnect();
    }

    /** Ends without a word to its children. */
    private static void desert() {
        Intercomm children = spawn(2, "forsaken");
        int[] ready = new int[1];
        children.recv(ready, 1, MPI.INT, 0, 0);
        System.out.println("deserted");
        System.out.flush();
        Runtime.getRuntime().halt(9);
    }

    private static void sleep() {
        if (rank == 0) {
            Intercomm.getParent().send(new int[1], 1, MPI.INT, 0, 0);
        }
        try {
            Thread.sleep(3_600_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
