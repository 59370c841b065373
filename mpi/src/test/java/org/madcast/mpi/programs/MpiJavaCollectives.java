package org.madcast.mpi.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/** The collective calls of mpiJava: offsets, derived types, objects and users' operations. */
public final class MpiJavaCollectives {

    private static Intracomm world;
    private static int rank;
    private static int size;

    private MpiJavaCollectives() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        rank = world.Rank();
        size = world.Size();
        world.Barrier();
        offsets();
        derivedTypes();
        objects();
        objectMessages();
        objectReductions();
        throwsAlways();
        userOperations();
        MPI.Finalize();
        Checks.end();
    }

    private static void offsets() {
        int[] data = {-1, rank == 0 ? 5 : 0, -1};
        world.Bcast(data, 1, 1, MPI.INT, 0);
        Checks.equal("Bcast", new int[] {-1, 5, -1}, data);
        char[] all = new char[size + 1];
        world.Gather(new char[] {'x', (char) ('a' + rank)}, 1, 1, MPI.CHAR, all, 1, 1, MPI.CHAR, 0);
        Checks.equal(
                "Gather",
                rank == 0 ? "abcdefgh".substring(0, size) : "\0".repeat(size),
                new String(all, 1, size));
        short[] part = new short[2];
        short[] parts = new short[size + 2];
        Arrays.setAll(new int[size], r -> parts[r + 2] = (short) (r * 7));
        world.Scatter(parts, 2, 1, MPI.SHORT, part, 1, 1, MPI.SHORT, size - 1);
        Checks.equal("Scatter", rank * 7, (int) part[1]);
        int[] counts = new int[size];
        Arrays.fill(counts, 1);
        int[] places = new int[size];
        Arrays.setAll(places, r -> 2 * (size - 1 - r));
        double[] wide = new double[2 * size + 1];
        world.Allgatherv(
                new double[] {rank}, 0, 1, MPI.DOUBLE, wide, 1, counts, places, MPI.DOUBLE);
        Checks.equal("Allgatherv", (double) (size - 1), wide[1]);
        world.Gatherv(
                new double[] {rank + 10}, 0, 1, MPI.DOUBLE, wide, 1, counts, places, MPI.DOUBLE, 0);
        Checks.equal("Gatherv", rank == 0 ? size + 9.0 : size - 1.0, wide[1]);
        double[] own = new double[1];
        world.Scatterv(wide, 1, counts, places, MPI.DOUBLE, own, 0, 1, MPI.DOUBLE, 0);
        Checks.equal("Scatterv", rank + 10.0, own[0]);
        long[] sent = new long[size];
        Arrays.setAll(sent, r -> 10L * rank + r);
        long[] got = new long[size];
        world.Alltoall(sent, 0, 1, MPI.LONG, got, 0, 1, MPI.LONG);
        Checks.equal("Alltoall", 10L * (size - 1) + rank, got[size - 1]);
        int[] steps = new int[size];
        Arrays.setAll(steps, r -> r);
        world.Alltoallv(sent, 0, counts, steps, MPI.LONG, got, 0, counts, steps, MPI.LONG);
        Checks.equal("Alltoallv", (long) rank, got[0]);
        int[] sum = new int[3];
        world.Allreduce(new int[] {0, rank}, 1, sum, 2, 1, MPI.INT, MPI.SUM);
        Checks.equal("Allreduce", size * (size - 1) / 2, sum[2]);
        world.Reduce(new int[] {0, 1}, 1, sum, 0, 1, MPI.INT, MPI.SUM, 0);
        Checks.equal("Reduce", rank == 0 ? size : 0, sum[0]);
        world.Scan(new int[] {1}, 0, sum, 1, 1, MPI.INT, MPI.SUM);
        Checks.equal("Scan", rank + 1, sum[1]);
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        world.Reduce_scatter(ones, 0, sum, 0, counts, MPI.INT, MPI.SUM);
        Checks.equal("Reduce_scatter", size, sum[0]);
        int[] pair = new int[4];
        world.Allreduce(
                new int[] {rank % 2, rank, -rank, rank}, 0, pair, 0, 2, MPI.INT2, MPI.MAXLOC);
        Checks.equal("MAXLOC", new int[] {size > 1 ? 1 : 0, size > 1 ? 1 : 0, 0, 0}, pair);
    }

    private static void derivedTypes() {
        Datatype column = Datatype.Vector(3, 1, 4, MPI.INT);
        column.Commit();
        Checks.equal("extent", 9, column.Extent());
        Checks.equal("size", 3, column.Size());
        int[] matrix = new int[12];
        if (rank == 0) {
            Arrays.setAll(matrix, i -> i);
        }
        world.Bcast(matrix, 1, 1, column, 0);
        int[] expected = new int[12];
        Arrays.setAll(expected, i -> rank == 0 || i % 4 == 1 ? i : 0);
        Checks.equal("Bcast of a column", expected, matrix);
        Datatype spread = Datatype.Indexed(new int[] {1, 2}, new int[] {3, 0}, MPI.OBJECT);
        Object[] objects = new Object[4];
        if (rank == 0) {
            objects = new Object[] {"a", "b", "c", "d"};
        }
        world.Bcast(objects, 0, 1, spread, 0);
        Object third = rank == 0 ? "c" : null;
        Checks.equal("Bcast of spread objects", new Object[] {"a", "b", third, "d"}, objects);
    }

    private static void objects() {
        Object[] shared = {rank == 0 ? Map.of("key", List.of(1, 2)) : null};
        world.Bcast(shared, 0, 1, MPI.OBJECT, 0);
        Checks.equal("Bcast", Map.of("key", List.of(1, 2)), shared[0]);
        String[] own = {"r" + rank, "x".repeat(rank)};
        String[] all = new String[2 * size];
        world.Gather(own, 0, 2, MPI.OBJECT, all, 0, 2, MPI.OBJECT, size - 1);
        String[] expected = new String[2 * size];
        for (int r = 0; r < size; r++) {
            expected[2 * r] = "r" + r;
            expected[2 * r + 1] = "x".repeat(r);
        }
        Checks.equal("Gather", rank == size - 1 ? expected : new String[2 * size], all);
        world.Allgather(own, 0, 2, MPI.OBJECT, all, 0, 2, MPI.OBJECT);
        Checks.equal("Allgather", expected, all);
        String[] part = new String[3];
        world.Scatter(all, 0, 2, MPI.OBJECT, part, 1, 2, MPI.OBJECT, 0);
        Checks.equal("Scatter", new String[] {null, own[0], own[1]}, part);
        Integer[] sent = new Integer[size];
        Arrays.setAll(sent, r -> 10 * rank + r);
        Integer[] got = new Integer[size];
        world.Alltoall(sent, 0, 1, MPI.OBJECT, got, 0, 1, MPI.OBJECT);
        Arrays.setAll(sent, r -> 10 * r + rank);
        Checks.equal("Alltoall", sent, got);
        int[] counts = new int[size];
        Arrays.setAll(counts, r -> r);
        int[] places = new int[size];
        Arrays.setAll(places, r -> r * (r - 1) / 2);
        Object[] mine = new Object[rank];
        Arrays.fill(mine, rank);
        Object[] uneven = new Object[size * (size - 1) / 2];
        world.Allgatherv(mine, 0, rank, MPI.OBJECT, uneven, 0, counts, places, MPI.OBJECT);
        Checks.that("Allgatherv", size == 1 || uneven[0].equals(1));
        int[][] rows = new int[1][];
        rows[0] = rank == 0 ? new int[] {1, 2, 3} : null;
        world.Bcast(rows, 0, 1, MPI.OBJECT, 0);
        Checks.equal("Bcast of an array of arrays", new int[][] {{1, 2, 3}}, rows);
    }

    /** Not commutative: lists one behind the other. */
    private static final class Concatenation extends User_function {
        @Override
        @SuppressWarnings("unchecked")
        public void Call(
                Object invec,
                int inoffset,
                Object inoutvec,
                int inoutoffset,
                int count,
                Datatype type) {
            for (int i = 0; i < count; i++) {
                List<Integer> joined =
                        new ArrayList<>((List<Integer>) ((Object[]) invec)[inoffset + i]);
                joined.addAll((List<Integer>) ((Object[]) inoutvec)[inoutoffset + i]);
                ((Object[]) inoutvec)[inoutoffset + i] = joined;
            }
        }
    }

    private static List<Integer> upTo(int end) {
        List<Integer> all = new ArrayList<>();
        for (int r = 0; r < end; r++) {
            all.add(r);
        }
        return all;
    }

    private static void objectMessages() {
        Object[] got = new Object[5];
        Request sent = world.Isend(new Object[] {"a", 1, null}, 1, 2, MPI.OBJECT, rank, 3);
        Status probed = world.Probe(rank, 3);
        Checks.equal("bytes tell no number", MPI.UNDEFINED, probed.Get_count(MPI.OBJECT));
        Status status = world.Recv(got, 1, 4, MPI.OBJECT, rank, 3);
        Checks.equal("count", 2, status.Get_count(MPI.OBJECT));
        Checks.equal("objects", new Object[] {null, 1, null, null, null}, got);
        Status _ = sent.Wait();
        Request again = world.Isend(new Object[] {"a", "b"}, 0, 2, MPI.OBJECT, rank, 3);
        Checks.fails(
                "too many",
                MPI.ERR_TRUNCATE,
                () -> world.Recv(new Object[1], 0, 1, MPI.OBJECT, rank, 3));
        Status _ = again.Wait();
        Request more = world.Isend(new Object[] {"text"}, 0, 1, MPI.OBJECT, rank, 3);
        Checks.fails(
                "of another class",
                MPI.ERR_TYPE,
                () -> world.Recv(new Integer[1], 0, 1, MPI.OBJECT, rank, 3));
        Status _ = more.Wait();
    }

    private static void objectReductions() {
        Op join = new Op(new Concatenation(), false);
        Object[] own = {List.of(rank)};
        Object[] joined = new Object[1];
        world.Allreduce(own, 0, joined, 0, 1, MPI.OBJECT, join);
        Checks.equal("Allreduce", upTo(size), joined[0]);
        joined[0] = null;
        world.Reduce(own, 0, joined, 0, 1, MPI.OBJECT, join, size - 1);
        Checks.equal("Reduce", rank == size - 1 ? upTo(size) : null, joined[0]);
        world.Scan(own, 0, joined, 0, 1, MPI.OBJECT, join);
        Checks.equal("Scan", upTo(rank + 1), joined[0]);
        join.free();
        Checks.fails("freed", MPI.ERR_OP, () -> world.Scan(own, 0, joined, 0, 1, MPI.OBJECT, join));
        Checks.fails(
                "SUM of objects",
                MPI.ERR_OP,
                () -> world.Scan(own, 0, joined, 0, 1, MPI.OBJECT, MPI.SUM));
    }

    /** Not commutative: x becomes a x + b; pairs (a, b) are composed. */
    private static final class Composition extends User_function {
        @Override
        public void Call(
                Object invec,
                int inoffset,
                Object inoutvec,
                int inoutoffset,
                int count,
                Datatype type) {
            long[] in = (long[]) invec;
            long[] out = (long[]) inoutvec;
            for (int i = 0; i < 2 * count; i += 2) {
                long a = in[inoffset + i] * out[inoutoffset + i];
                long b = in[inoffset + i + 1] * out[inoutoffset + i] + out[inoutoffset + i + 1];
                out[inoutoffset + i] = a;
                out[inoutoffset + i + 1] = b;
            }
        }
    }

    private static void userOperations() {
        Op compose = new Op(new Composition(), false);
        Checks.that("not commutative", !compose.isCommutative());
        Datatype pair = Datatype.Contiguous(2, MPI.LONG);
        pair.Commit();
        int count = 300;
        long[] data = new long[2 * count];
        for (int i = 0; i < count; i++) {
            data[2 * i] = rank + 2L;
            data[2 * i + 1] = (long) rank + i;
        }
        for (int i = 0; i < 2 * count; i += 298) {
            long[] result = new long[2 * count];
            world.Allreduce(data, 0, result, 0, count, pair, compose);
            long a = 1;
            long b = 0;
            for (int r = 0; r < size; r++) {
                b = b * (r + 2) + r + i / 2;
                a *= r + 2;
            }
            Checks.equal("factor", a, result[i]);
            Checks.equal("summand", b, result[i + 1]);
        }
        Op broken =
                new Op(
                        new User_function() {
                            @Override
                            public void Call(
                                    Object in, int from, Object out, int to, int n, Datatype type) {
                                throw new IllegalStateException("as the test wants");
                            }
                        },
                        true);
        if (size > 1) {
            for (int n = 0; n < 3; n++) {
                Checks.fails(
                        "an exception of a user's operation",
                        MPI.ERR_OTHER,
                        () -> world.Allreduce(data, 0, new long[2], 0, 1, pair, broken));
                long[] result = new long[2];
                world.Allreduce(data, 0, result, 0, 2, MPI.LONG, MPI.SUM);
                Checks.equal("the next call works", size * (size + 3L) / 2, result[0]);
            }
        }
    }

    private static void throwsAlways() {
        Checks.fails("root", MPI.ERR_ROOT, () -> world.Bcast(new int[1], 0, 1, MPI.INT, size));
        Checks.fails("offset", MPI.ERR_BUFFER, () -> world.Bcast(new int[1], -1, 1, MPI.INT, 0));
        Checks.fails("end", MPI.ERR_BUFFER, () -> world.Bcast(new int[4], 2, 3, MPI.INT, 0));
    }
}
