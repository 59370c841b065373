package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import mpi.User_function;

/**
 * Every reduction with operations that are associative and do not commute: affine maps of whole
 * numbers, two longs each. Short and long data, every root, in place and not, blocking and not.
 */
public final class Associations {

    private static final int[] LENGTHS = {0, 1, 3, 20_011};

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static Datatype map;

    private Associations() {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        map = Datatype.createContiguous(2, MPI.LONG);
        map.commit();
        for (Op op : new Op[] {onBuffers(), onArrays(), withOffset()}) {
            that("does not commute", !op.isCommutative());
            for (int length : LENGTHS) {
                for (int root = 0; root < size; root++) {
                    toRoot(op, length, root);
                }
                toAll(op, length);
                prefixes(op, length);
                scattered(op, length);
            }
            op.free();
            that("freed", op.isNull());
        }
        commuting();
        map.free();
        MPI.Finalize();
        Checks.end();
    }

    /** x to a x + b, then the other: what comes of two maps, a and b of each. */
    private static void compose(LongBuffer in, LongBuffer inOut, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            long a = in.get(i) * inOut.get(i);
            long b = inOut.get(i) * in.get(i + 1) + inOut.get(i + 1);
            inOut.put(i, a).put(i + 1, b);
        }
    }

    private static Op onBuffers() {
        return new Op(
                new UserFunction() {
                    @Override
                    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                        compose(in.asLongBuffer(), inOut.asLongBuffer(), count);
                    }
                },
                false);
    }

    private static Op onArrays() {
        return new Op(
                new UserFunction() {
                    @Override
                    public void call(Object in, Object inOut, int count, Datatype type) {
                        LongBuffer left = LongBuffer.wrap((long[]) in);
                        compose(left, LongBuffer.wrap((long[]) inOut), count);
                    }
                },
                false);
    }

    private static Op withOffset() {
        return new Op(
                new User_function() {
                    @Override
                    public void Call(
                            Object in, int at, Object inOut, int to, int count, Datatype type) {
                        LongBuffer left = MPI.slice((long[]) in, at);
                        compose(left, MPI.slice((long[]) inOut, to), count);
                    }
                },
                false);
    }

    private static long[] of(int from, int count) {
        long[] maps = new long[2 * count];
        for (int i = 0; i < count; i++) {
            maps[2 * i] = 3L + from + i % 5;
            maps[2 * i + 1] = 7L * from + i % 11;
        }
        return maps;
    }

    /** What the maps of the ranks {@code from} to {@code to} make together. */
    private static long[] composed(int from, int to, int count) {
        long[] all = of(to - 1, count);
        for (int r = to - 2; r >= from; r--) {
            compose(LongBuffer.wrap(of(r, count)), LongBuffer.wrap(all), count);
        }
        return all;
    }

    private static LongBuffer direct(long[] values) {
        return MPI.newLongBuffer(values.length).put(0, values);
    }

    private static long[] got(LongBuffer buffer) {
        long[] values = new long[buffer.capacity()];
        buffer.get(0, values);
        return values;
    }

    private static void same(String what, long[] expected, long[] found) {
        that(what + " of " + expected.length / 2 + " on " + size, Arrays.equals(expected, found));
    }

    private static void toRoot(Op op, int n, int root) {
        long[] expected = composed(0, size, n);
        long[] result = new long[2 * n];
        world.reduce(of(rank, n), rank == root ? result : null, n, map, op, root);
        if (rank == root) {
            same("reduce to " + root, expected, result);
        }
        long[] both = of(rank, n);
        world.reduce(both, n, map, op, root);
        same("reduce in place to " + root, rank == root ? expected : of(rank, n), both);
        LongBuffer out = MPI.newLongBuffer(2 * n);
        world.iReduce(direct(of(rank, n)), out, n, map, op, root).waitFor();
        if (rank == root) {
            same("iReduce to " + root, expected, got(out));
        }
        LongBuffer place = direct(of(rank, n));
        world.iReduce(place, n, map, op, root).waitFor();
        same("iReduce in place", rank == root ? expected : of(rank, n), got(place));
        long[] shifted = new long[2 * n + 1];
        long[] mine = new long[2 * n + 3];
        System.arraycopy(of(rank, n), 0, mine, 3, 2 * n);
        world.Reduce(mine, 3, shifted, 1, n, map, op, root);
        if (rank == root) {
            same("Reduce", expected, Arrays.copyOfRange(shifted, 1, 2 * n + 1));
        }
    }

    private static void toAll(Op op, int n) {
        long[] expected = composed(0, size, n);
        long[] result = new long[2 * n];
        world.allReduce(of(rank, n), result, n, map, op);
        same("allReduce", expected, result);
        long[] both = of(rank, n);
        world.allReduce(both, n, map, op);
        same("allReduce in place", expected, both);
        LongBuffer out = MPI.newLongBuffer(2 * n);
        LongBuffer place = direct(of(rank, n));
        Request.waitAll(
                new Request[] {
                    world.iAllReduce(direct(of(rank, n)), out, n, map, op),
                    world.iAllReduce(place, n, map, op)
                });
        same("iAllReduce", expected, got(out));
        same("iAllReduce in place", expected, got(place));
        result = new long[2 * n];
        world.Allreduce(of(rank, n), 0, result, 0, n, map, op);
        same("Allreduce", expected, result);
    }

    private static void prefixes(Op op, int n) {
        long[] expected = composed(0, rank + 1, n);
        long[] below = rank == 0 ? new long[2 * n] : composed(0, rank, n);
        long[] result = new long[2 * n];
        world.scan(of(rank, n), result, n, map, op);
        same("scan", expected, result);
        long[] both = of(rank, n);
        world.scan(both, n, map, op);
        same("scan in place", expected, both);
        result = new long[2 * n];
        world.Scan(of(rank, n), 0, result, 0, n, map, op);
        same("Scan", expected, result);
        result = new long[2 * n];
        world.exScan(of(rank, n), result, n, map, op);
        same("exScan", below, result);
        both = of(rank, n);
        world.exScan(both, n, map, op);
        if (rank > 0) {
            same("exScan in place", below, both);
        }
        LongBuffer out = MPI.newLongBuffer(2 * n);
        LongBuffer place = direct(of(rank, n));
        LongBuffer outEx = MPI.newLongBuffer(2 * n);
        LongBuffer placeEx = direct(of(rank, n));
        Buffer data = direct(of(rank, n));
        Request.waitAll(
                new Request[] {
                    world.iScan(data, out, n, map, op),
                    world.iScan(place, n, map, op),
                    world.iExScan(data, outEx, n, map, op),
                    world.iExScan(placeEx, n, map, op)
                });
        same("iScan", expected, got(out));
        same("iScan in place", expected, got(place));
        same("iExScan", below, got(outEx));
        if (rank > 0) {
            same("iExScan in place", below, got(placeEx));
        }
    }

    /** Rank r gets r + n elements, but rank 1 none. */
    private static void scattered(Op op, int n) {
        int[] counts = new int[size];
        Arrays.setAll(counts, r -> r == 1 ? 0 : n + r);
        int total = Arrays.stream(counts).sum();
        int from = Arrays.stream(counts).limit(rank).sum();
        long[] all = composed(0, size, total);
        long[] expected = Arrays.copyOfRange(all, 2 * from, 2 * (from + counts[rank]));
        long[] result = new long[2 * counts[rank]];
        world.reduceScatter(of(rank, total), result, counts, map, op);
        same("reduceScatter", expected, result);
        long[] both = of(rank, total);
        world.reduceScatter(both, counts, map, op);
        same("reduceScatter in place", expected, Arrays.copyOf(both, expected.length));
        result = new long[2 * counts[rank]];
        world.Reduce_scatter(of(rank, total), 0, result, 0, counts, map, op);
        same("Reduce_scatter", expected, result);
        LongBuffer out = MPI.newLongBuffer(2 * counts[rank]);
        world.iReduceScatter(direct(of(rank, total)), out, counts, map, op).waitFor();
        same("iReduceScatter", expected, got(out));
        long[] blocks = composed(0, size, n * size);
        long[] own = Arrays.copyOfRange(blocks, 2 * n * rank, 2 * n * (rank + 1));
        result = new long[2 * n];
        world.reduceScatterBlock(of(rank, n * size), result, n, map, op);
        same("reduceScatterBlock", own, result);
        both = of(rank, n * size);
        world.reduceScatterBlock(both, n, map, op);
        same("reduceScatterBlock in place", own, Arrays.copyOf(both, 2 * n));
        LongBuffer place = direct(of(rank, n * size));
        world.iReduceScatterBlock(place, n, map, op).waitFor();
        same("iReduceScatterBlock in place", own, Arrays.copyOf(got(place), 2 * n));
    }

    /** Operations that commute may change the order, not the result. */
    private static void commuting() {
        Op gcd =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int count, Datatype type) {
                                int[] a = (int[]) in;
                                int[] b = (int[]) inOut;
                                for (int i = 0; i < count; i++) {
                                    while (a[i] != 0) {
                                        int rest = b[i] % a[i];
                                        b[i] = a[i];
                                        a[i] = rest;
                                    }
                                }
                            }
                        },
                        true);
        that("commutes", gcd.isCommutative() && MPI.SUM.isCommutative());
        for (int n : LENGTHS) {
            int[] data = new int[n];
            Arrays.setAll(data, i -> 6 * (rank + 1) * (i % 7 + 1));
            int[] kept = data.clone();
            int[] result = new int[n];
            int[] expected = new int[n];
            Arrays.setAll(expected, i -> 6 * (i % 7 + 1));
            world.allReduce(data, result, n, MPI.INT, gcd);
            that("gcd of " + n, Arrays.equals(expected, result));
            equal("the send buffer stays", kept, data);
            world.reduce(data, result, n, MPI.INT, gcd, size - 1);
            equal("the send buffer stays", kept, data);
        }
    }
}
