package org.madcast.mpi.programs;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;

/** The collective calls of Open MPI, blocking and not, with arrays, buffers and derived types. */
public final class OpenMpiCollectives {

    private static Intracomm world;
    private static int rank;
    private static int size;

    private OpenMpiCollectives() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        world.barrier();
        for (int root = 0; root < size; root++) {
            broadcast(root);
            gatherAndScatter(root);
            unevenGatherAndScatter(root);
            reduceToRoot(root);
        }
        toAll();
        unevenToAll();
        typedToAll();
        derivedTypes();
        reductions();
        scans();
        requests();
        wrongArguments();
        MPI.Finalize();
        Checks.end();
    }

    /** The elements that a rank contributes. */
    private static int[] of(int from, int count) {
        int[] all = new int[count];
        Arrays.setAll(all, i -> from * 100 + i);
        return all;
    }

    private static int[] ofAll(int count) {
        int[] all = new int[size * count];
        Arrays.setAll(all, i -> i / count * 100 + i % count);
        return all;
    }

    private static void broadcast(int root) {
        for (int count : new int[] {0, 1, 7, 20_000}) {
            int[] data = rank == root ? of(root, count) : new int[count];
            world.bcast(data, count, MPI.INT, root);
            Checks.equal("bcast", of(root, count), data);
        }
        boolean[] flags = rank == root ? new boolean[] {true, false, true} : new boolean[3];
        world.bcast(flags, 3, MPI.BOOLEAN, root);
        Checks.equal("bcast of booleans", new boolean[] {true, false, true}, flags);
        IntBuffer buffer = IntBuffer.wrap(rank == root ? of(root, 4) : new int[4]);
        buffer.position(2);
        world.bcast(buffer, 4, MPI.INT, root);
        Checks.equal("bcast of a buffer", of(root, 4), buffer.array());
        Checks.equal("position", 2, buffer.position());
    }

    private static void gatherAndScatter(int root) {
        int[] all = rank == root ? new int[2 * size] : null;
        world.gather(of(rank, 2), 2, MPI.INT, all, 2, MPI.INT, root);
        if (rank == root) {
            Checks.equal("gather", ofAll(2), all);
        }
        int[] place = new int[3 * size];
        if (rank == root) {
            System.arraycopy(of(rank, 3), 0, place, 3 * rank, 3);
            world.gather(place, 3, MPI.INT, root);
            Checks.equal("gather in place", ofAll(3), place);
        } else {
            world.gather(of(rank, 3), 3, MPI.INT, root);
        }
        int[] part = new int[2];
        world.scatter(rank == root ? ofAll(2) : null, 2, MPI.INT, part, 2, MPI.INT, root);
        Checks.equal("scatter", of(rank, 2), part);
        int[] short2 = rank == root ? ofAll(2) : new int[2];
        world.scatter(short2, 2, MPI.INT, root);
        Checks.equal("scatter in place", rank == root ? ofAll(2) : of(rank, 2), short2);
    }

    /** Rank r has r elements, with a gap of one behind them, in reverse order. */
    private static int[] displacements() {
        int[] displacements = new int[size];
        int at = 0;
        for (int r = size - 1; r >= 0; r--) {
            displacements[r] = at;
            at += r + 1;
        }
        return displacements;
    }

    private static int[] counts() {
        int[] counts = new int[size];
        Arrays.setAll(counts, r -> r);
        return counts;
    }

    private static int[] unevenOfAll() {
        int[] all = new int[size * (size + 1) / 2];
        Arrays.fill(all, -1);
        for (int r = 0; r < size; r++) {
            System.arraycopy(of(r, r), 0, all, displacements()[r], r);
        }
        return all;
    }

    private static void unevenGatherAndScatter(int root) {
        int[] all = new int[size * (size + 1) / 2];
        Arrays.fill(all, -1);
        world.gatherv(of(rank, rank), rank, MPI.INT, all, counts(), displacements(), MPI.INT, root);
        if (rank == root) {
            Checks.equal("gatherv", unevenOfAll(), all);
            Arrays.fill(all, -1);
            System.arraycopy(of(rank, rank), 0, all, displacements()[rank], rank);
            world.gatherv(all, counts(), displacements(), MPI.INT, root);
            Checks.equal("gatherv in place", unevenOfAll(), all);
        } else {
            world.gatherv(of(rank, rank), rank, MPI.INT, root);
        }
        int[] part = new int[rank];
        world.scatterv(
                unevenOfAll(), counts(), displacements(), MPI.INT, part, rank, MPI.INT, root);
        Checks.equal("scatterv", of(rank, rank), part);
        if (rank == root) {
            world.scatterv(unevenOfAll(), counts(), displacements(), MPI.INT, root);
        } else {
            int[] other = new int[rank];
            world.scatterv(other, rank, MPI.INT, root);
            Checks.equal("scatterv in place", of(rank, rank), other);
        }
    }

    private static void toAll() {
        int[] all = new int[2 * size];
        world.allGather(of(rank, 2), 2, MPI.INT, all, 2, MPI.INT);
        Checks.equal("allGather", ofAll(2), all);
        int[] place = new int[2 * size];
        System.arraycopy(of(rank, 2), 0, place, 2 * rank, 2);
        world.allGather(place, 2, MPI.INT);
        Checks.equal("allGather in place", ofAll(2), place);
        int[] sent = new int[size];
        Arrays.setAll(sent, r -> rank * 10 + r);
        int[] got = new int[size];
        world.allToAll(sent, 1, MPI.INT, got, 1, MPI.INT);
        int[] expected = new int[size];
        Arrays.setAll(expected, r -> r * 10 + rank);
        Checks.equal("allToAll", expected, got);
    }

    private static void unevenToAll() {
        int[] all = new int[size * (size + 1) / 2];
        Arrays.fill(all, -1);
        world.allGatherv(of(rank, rank), rank, MPI.INT, all, counts(), displacements(), MPI.INT);
        Checks.equal("allGatherv", unevenOfAll(), all);
        Arrays.fill(all, -1);
        System.arraycopy(of(rank, rank), 0, all, displacements()[rank], rank);
        world.allGatherv(all, counts(), displacements(), MPI.INT);
        Checks.equal("allGatherv in place", unevenOfAll(), all);
        // Rank r gets r + 1 elements from each.
        int[] counts = new int[size];
        Arrays.setAll(counts, r -> r + 1);
        int[] sent = new int[size * (size + 1) / 2];
        int[] places = new int[size];
        for (int r = 0; r < size; r++) {
            places[r] = r * (r + 1) / 2;
            Arrays.fill(sent, places[r], places[r] + r + 1, rank * 10 + r);
        }
        int each = rank + 1;
        int[] same = new int[size];
        Arrays.fill(same, each);
        int[] from = new int[size];
        Arrays.setAll(from, r -> r * each);
        int[] got = new int[size * each];
        world.allToAllv(sent, counts, places, MPI.INT, got, same, from, MPI.INT);
        int[] expected = new int[size * each];
        Arrays.setAll(expected, i -> i / each * 10 + rank);
        Checks.equal("allToAllv", expected, got);
    }

    private static void typedToAll() {
        ByteBuffer out = MPI.newByteBuffer(12 * size);
        ByteBuffer in = MPI.newByteBuffer(12 * size);
        Datatype[] types = new Datatype[size];
        int[] ones = new int[size];
        int[] places = new int[size];
        for (int r = 0; r < size; r++) {
            boolean real = (rank + r) % 2 == 0;
            types[r] = real ? MPI.DOUBLE : MPI.INT;
            ones[r] = 1;
            places[r] = 12 * r;
            if (real) {
                out.putDouble(12 * r, rank + 0.5);
            } else {
                out.putInt(12 * r, rank);
            }
        }
        world.allToAllw(out, ones, places, types, in, ones, places, types);
        for (int r = 0; r < size; r++) {
            boolean real = (rank + r) % 2 == 0;
            double got = real ? in.getDouble(12 * r) : in.getInt(12 * r);
            Checks.equal("allToAllw from " + r, r + (real ? 0.5 : 0), got);
        }
    }

    /** Columns of a matrix: each rank sends its column, which becomes one of the root's. */
    private static void derivedTypes() {
        Datatype column = Datatype.createVector(3, 1, size, MPI.INT);
        Datatype narrow = Datatype.createResized(column, 0, 4);
        narrow.commit();
        int[] matrix = new int[3 * size];
        world.gather(of(rank, 3), 3, MPI.INT, matrix, 1, narrow, 0);
        int[] expected = new int[3 * size];
        Arrays.setAll(expected, i -> i % size * 100 + i / size);
        if (rank == 0) {
            Checks.equal("gather of columns", expected, matrix);
        }
        world.bcast(matrix, size, narrow, 0);
        Checks.equal("bcast of columns", expected, matrix);
        int[] part = new int[3];
        world.scatter(matrix, 1, narrow, part, 3, MPI.INT, size - 1);
        Checks.equal("scatter of columns", of(rank, 3), part);
        int[] all = new int[3 * size];
        world.allGather(of(rank, 3), 3, MPI.INT, all, 1, narrow);
        Checks.equal("allGather of columns", expected, all);
        narrow.free();
        Checks.that("freed", narrow.isNull());
    }

    private static void reduceToRoot(int root) {
        long[] sum = new long[3];
        world.reduce(new long[] {rank, 1, -rank}, sum, 3, MPI.LONG, MPI.SUM, root);
        long total = (long) size * (size - 1) / 2;
        if (rank == root) {
            Checks.equal("reduce", new long[] {total, size, -total}, sum);
        }
        double[] place = {rank + 0.5};
        world.reduce(place, 1, MPI.DOUBLE, MPI.MAX, root);
        Checks.equal("reduce in place", rank == root ? size - 0.5 : rank + 0.5, place[0]);
    }

    private static void reductions() {
        int[] least = new int[2];
        world.allReduce(new int[] {rank, 7 - rank}, least, 2, MPI.INT, MPI.MIN);
        Checks.equal("allReduce", new int[] {0, 8 - size}, least);
        float[] place = {rank + 1};
        world.allReduce(place, 1, MPI.FLOAT, MPI.PROD);
        float product = 1;
        for (int r = 1; r <= size; r++) {
            product *= r;
        }
        Checks.equal("allReduce in place", product, place[0]);
        int[] counts = new int[size];
        Arrays.setAll(counts, r -> r);
        int total = size * (size - 1) / 2;
        int[] data = new int[total];
        Arrays.setAll(data, i -> i + rank);
        int[] part = new int[rank];
        world.reduceScatter(data, part, counts, MPI.INT, MPI.SUM);
        int[] expected = new int[rank];
        Arrays.setAll(expected, i -> size * (rank * (rank - 1) / 2 + i) + total);
        Checks.equal("reduceScatter", expected, part);
        world.reduceScatter(data, counts, MPI.INT, MPI.SUM);
        Checks.equal("reduceScatter in place", expected, Arrays.copyOf(data, rank));
        int[] blocks = new int[2 * size];
        Arrays.setAll(blocks, i -> i);
        int[] block = new int[2];
        world.reduceScatterBlock(blocks, block, 2, MPI.INT, MPI.SUM);
        Checks.equal("block", new int[] {2 * rank * size, (2 * rank + 1) * size}, block);
        world.reduceScatterBlock(blocks, 2, MPI.INT, MPI.SUM);
        Checks.equal("block in place", block, Arrays.copyOf(blocks, 2));
    }

    private static void scans() {
        int[] sum = new int[1];
        world.scan(new int[] {rank + 1}, sum, 1, MPI.INT, MPI.SUM);
        Checks.equal("scan", (rank + 1) * (rank + 2) / 2, sum[0]);
        int[] place = {rank + 1};
        world.scan(place, 1, MPI.INT, MPI.SUM);
        Checks.equal("scan in place", sum[0], place[0]);
        int[] below = {-9};
        world.exScan(new int[] {rank + 1}, below, 1, MPI.INT, MPI.SUM);
        Checks.equal("exScan", rank == 0 ? -9 : rank * (rank + 1) / 2, below[0]);
        boolean[] any = {rank == 1};
        world.exScan(any, 1, MPI.BOOLEAN, MPI.LOR);
        Checks.equal("exScan in place", rank == 1 ? rank == 0 : rank > 1, any[0]);
    }

    private static void requests() {
        IntBuffer out = MPI.newIntBuffer(2).put(of(rank, 2));
        IntBuffer all = MPI.newIntBuffer(2 * size);
        IntBuffer shared = MPI.newIntBuffer(2);
        if (rank == size - 1) {
            int[] _ = fill(shared, of(9, 2));
        }
        Op last = new Op(new LastOf(), false);
        DoubleBuffer real = MPI.newDoubleBuffer(1).put(0, rank);
        DoubleBuffer best = MPI.newDoubleBuffer(1);
        Request[] begun = {
            world.iBarrier(),
            world.iAllGather(out, 2, MPI.INT, all, 2, MPI.INT),
            world.iBcast(shared, 2, MPI.INT, size - 1),
            world.iAllReduce(real, best, 1, MPI.DOUBLE, last),
        };
        Request.waitAll(begun);
        int[] got = new int[2 * size];
        all.get(0, got);
        Checks.equal("iAllGather", ofAll(2), got);
        Checks.equal("iBcast", 900, shared.get(0));
        Checks.equal("iAllReduce of a user's operation", size - 1.0, best.get(0));
        Checks.that("null", begun[0].isNull());
        IntBuffer scanned = MPI.newIntBuffer(1).put(0, 1);
        world.iScan(scanned, 1, MPI.INT, MPI.SUM).waitFor();
        Checks.equal("iScan", rank + 1, scanned.get(0));
        IntBuffer gathered = MPI.newIntBuffer(2 * size);
        Request gather = world.iGather(out, 2, MPI.INT, gathered, 2, MPI.INT, 0);
        while (!gather.test()) {
            Thread.onSpinWait();
        }
        gathered.get(0, got);
        if (rank == 0) {
            Checks.equal("iGather", ofAll(2), got);
        }
        Datatype column = Datatype.createResized(Datatype.createVector(2, 1, size, MPI.INT), 0, 4);
        column.commit();
        world.iAllGather(out, 2, MPI.INT, all, 1, column).waitFor();
        Checks.equal("iAllGather of columns", (size - 1) * 100 + 1, all.get(2 * size - 1));
    }

    private static int[] fill(IntBuffer buffer, int... values) {
        buffer.put(0, values);
        return values;
    }

    /** Not commutative: the right operand. */
    private static final class LastOf extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            double left = ((double[]) in)[0];
            double right = ((double[]) inOut)[0];
            Checks.that("lower ranks are left", left < right);
        }
    }

    private static void wrongArguments() {
        Checks.fails(
                "no send buffer is not in place",
                MPI.ERR_BUFFER,
                () -> world.reduceScatterBlock(null, new int[size], 1, MPI.INT, MPI.SUM));
        int[] one = new int[1];
        int[] none = null;
        Checks.fails("root", MPI.ERR_ROOT, () -> world.bcast(one, 1, MPI.INT, size));
        Checks.fails("root", MPI.ERR_ROOT, () -> world.bcast(one, 1, MPI.INT, -1));
        Checks.fails("count", MPI.ERR_COUNT, () -> world.bcast(one, -1, MPI.INT, 0));
        Checks.fails("buffer", MPI.ERR_BUFFER, () -> world.bcast(one, 2, MPI.INT, 0));
        Checks.fails("null", MPI.ERR_BUFFER, () -> world.bcast(none, 1, MPI.INT, 0));
        Checks.fails("no buffer", MPI.ERR_BUFFER, () -> world.bcast("text", 1, MPI.INT, 0));
        Checks.fails("type", MPI.ERR_TYPE, () -> world.bcast(one, 1, MPI.DOUBLE, 0));
        Checks.fails("type", MPI.ERR_TYPE, () -> world.bcast(one, 1, MPI.DATATYPE_NULL, 0));
        Datatype raw = Datatype.createContiguous(1, MPI.INT);
        Checks.fails("not committed", MPI.ERR_TYPE, () -> world.bcast(one, 1, raw, 0));
        Checks.fails("op", MPI.ERR_OP, () -> world.allReduce(new float[1], 1, MPI.FLOAT, MPI.BAND));
        Checks.fails("op", MPI.ERR_OP, () -> world.allReduce(one, 1, MPI.INT, MPI.MAXLOC));
        Checks.fails("op", MPI.ERR_OP, () -> world.allReduce(one, 1, MPI.INT, MPI.REPLACE));
        Checks.fails(
                "not direct",
                MPI.ERR_BUFFER,
                () -> world.iBcast(IntBuffer.wrap(one), 1, MPI.INT, 0));
        Checks.fails(
                "counts",
                MPI.ERR_ARG,
                () -> world.allGatherv(one, new int[0], new int[0], MPI.INT));
    }
}
