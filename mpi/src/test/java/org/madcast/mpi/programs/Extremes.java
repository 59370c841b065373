package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.function.DoubleBinaryOperator;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.FloatComplex;
import mpi.FloatInt;
import mpi.Int2;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.Op;
import mpi.ShortInt;

/** The predefined operations between ranks, for every type, and the types of pairs and numbers. */
public final class Extremes {

    private static Intracomm world;
    private static int rank;
    private static int size;

    private Extremes() {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        arithmetic();
        logical();
        pairsOfOneType();
        structures();
        complex();
        notDefined();
        MPI.Finalize();
        Checks.end();
    }

    private static final Datatype[] TYPES = {
        MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE
    };

    private static final Class<?>[] ELEMENTS = {
        byte.class, char.class, short.class, int.class, long.class, float.class, double.class
    };

    private static Object array(int type, double... values) {
        Object array = Array.newInstance(ELEMENTS[type], values.length);
        for (int i = 0; i < values.length; i++) {
            switch (array) {
                case byte[] it -> it[i] = (byte) values[i];
                case char[] it -> it[i] = (char) values[i];
                case short[] it -> it[i] = (short) values[i];
                case int[] it -> it[i] = (int) values[i];
                case long[] it -> it[i] = (long) values[i];
                case float[] it -> it[i] = (float) values[i];
                default -> ((double[]) array)[i] = values[i];
            }
        }
        return array;
    }

    private static double[] of(int from) {
        return new double[] {from + 1, 5 - from, from % 2, 3};
    }

    private static void check(Op op, DoubleBinaryOperator expected, int types) {
        double[] all = of(0);
        for (int r = 1; r < size; r++) {
            for (int i = 0; i < all.length; i++) {
                all[i] = expected.applyAsDouble(all[i], of(r)[i]);
            }
        }
        for (int type = 0; type < types; type++) {
            Object result = array(type, new double[all.length]);
            world.allReduce(array(type, of(rank)), result, all.length, TYPES[type], op);
            equal(op + " of " + TYPES[type], array(type, all), result);
            Object both = array(type, of(rank));
            world.Allreduce(both, 1, result, 1, 2, TYPES[type], op);
            equal(op + " with offset", Array.get(array(type, all), 2), Array.get(result, 2));
        }
    }

    private static void arithmetic() {
        check(MPI.SUM, Double::sum, 7);
        check(MPI.PROD, (a, b) -> a * b, 7);
        check(MPI.MIN, Math::min, 7);
        check(MPI.MAX, Math::max, 7);
        check(MPI.BAND, (a, b) -> (long) a & (long) b, 5);
        check(MPI.BOR, (a, b) -> (long) a | (long) b, 5);
        check(MPI.BXOR, (a, b) -> (long) a ^ (long) b, 5);
        check(MPI.LAND, (a, b) -> a != 0 && b != 0 ? 1 : 0, size == 1 ? 0 : 5);
        check(MPI.LOR, (a, b) -> a != 0 || b != 0 ? 1 : 0, size == 1 ? 0 : 5);
        check(MPI.LXOR, (a, b) -> (a != 0) != (b != 0) ? 1 : 0, size == 1 ? 0 : 5);
    }

    private static void logical() {
        boolean[] mine = {rank == 0, rank >= 0, false, rank % 2 == 1};
        boolean[] got = new boolean[4];
        world.allReduce(mine, got, 4, MPI.BOOLEAN, MPI.LAND);
        equal("and", new boolean[] {size == 1, true, false, false}, got);
        world.allReduce(mine, got, 4, MPI.BOOLEAN, MPI.LOR);
        equal("or", new boolean[] {true, true, false, size > 1}, got);
        world.allReduce(mine, got, 4, MPI.BOOLEAN, MPI.LXOR);
        equal("xor", new boolean[] {true, size % 2 == 1, false, size / 2 % 2 == 1}, got);
    }

    /** Of equal values the lowest place wins. */
    private static void pairsOfOneType() {
        int[] ints = {Math.abs(rank - 1), 10 + rank, 4, size - rank};
        int[] got = new int[4];
        world.allReduce(ints, got, 2, MPI.INT2, MPI.MINLOC);
        int least = size == 1 ? 1 : 0;
        equal("MINLOC", new int[] {least, size == 1 ? 10 : 11, 4, 1}, got);
        world.Allreduce(ints, 0, got, 0, 2, MPI.INT2, MPI.MAXLOC);
        int most = Math.max(1, size - 2);
        int place = size <= 3 ? 0 : size - 1;
        equal("MAXLOC", new int[] {most, 10 + place, 4, 1}, got);
        double[] doubles = {-rank * 0.5, rank};
        double[] best = new double[2];
        world.Reduce(doubles, 0, best, 0, 1, MPI.DOUBLE2, MPI.MINLOC, 0);
        if (rank == 0) {
            equal("MINLOC", new double[] {-(size - 1) * 0.5 + 0.0, size - 1}, best);
        }
        long[] longs = {rank, rank};
        long[] top = new long[2];
        world.allReduce(longs, top, 1, MPI.LONG2, MPI.MAXLOC);
        equal("MAXLOC", new long[] {size - 1, size - 1}, top);
    }

    private static void structures() {
        ByteBuffer in = MPI.newByteBuffer(64);
        ByteBuffer out = MPI.newByteBuffer(64);
        DoubleInt.Data real = MPI.doubleInt.getData(in, 1);
        real.putValue(rank * 1.5);
        real.putIndex(100 + rank);
        world.allReduce(
                MPI.slice(in, MPI.doubleInt.getExtent()),
                MPI.slice(out, MPI.doubleInt.getExtent()),
                1,
                MPI.DOUBLE_INT,
                MPI.MAXLOC);
        DoubleInt.Data best = MPI.doubleInt.getData(out, 1);
        equal("DOUBLE_INT", (size - 1) * 1.5, best.getValue());
        equal("DOUBLE_INT", 100 + size - 1, best.getIndex());
        LongInt.Data wide = MPI.longInt.getData(in);
        wide.putValue(-rank);
        wide.putIndex(rank);
        world.iAllReduce(in, out, 1, MPI.LONG_INT, MPI.MINLOC).waitFor();
        LongInt.Data least = MPI.longInt.getData(out);
        equal("LONG_INT", 1L - size, least.getValue());
        equal("LONG_INT", size - 1, least.getIndex());
        FloatInt.Data single = MPI.floatInt.getData(in);
        single.putValue(2.5f);
        single.putIndex(size - rank);
        world.allReduce(in, 1, MPI.FLOAT_INT, MPI.MAXLOC);
        FloatInt.Data equals = MPI.floatInt.getData(in);
        equal("FLOAT_INT", 2.5f, equals.getValue());
        equal("FLOAT_INT, equal values", 1, equals.getIndex());
        ShortInt.Data small = MPI.shortInt.getData(in);
        small.putValue((short) (rank - 3));
        small.putIndex(rank);
        world.scan(in, 1, MPI.SHORT_INT, MPI.MAXLOC);
        ShortInt.Data up = MPI.shortInt.getData(in);
        equal("SHORT_INT", (short) (rank - 3), up.getValue());
        equal("SHORT_INT", rank, up.getIndex());
        byte[] heap = new byte[16];
        Int2.Data two = MPI.int2.getData(heap, 1);
        two.putValue(5);
        two.putIndex(rank + 1);
        world.reduce(heap, 2, MPI.INT2, MPI.MINLOC, 0);
        if (rank == 0) {
            Int2.Data first = MPI.int2.getData(heap, 1);
            equal("INT2 in bytes", 1, first.getIndex());
        }
    }

    private static void complex() {
        double[] numbers = {1, rank, 0, 1};
        double[] sum = new double[4];
        world.allReduce(numbers, sum, 2, MPI.DOUBLE_COMPLEX, MPI.SUM);
        DoubleComplex first = DoubleComplex.get(sum);
        equal("real", (double) size, first.getReal());
        equal("imaginary", size * (size - 1) / 2.0, first.getImag());
        equal("second", (double) size, DoubleComplex.get(sum, 1).getImag());
        float[] floats = {0, 1};
        float[] product = new float[2];
        world.allReduce(floats, product, 1, MPI.FLOAT_COMPLEX, MPI.PROD);
        FloatComplex i = FloatComplex.get(product);
        float[][] powers = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        equal("powers of i", powers[size % 4][0] + 0f, i.getReal() + 0f);
        equal("powers of i", powers[size % 4][1] + 0f, i.getImag() + 0f);
    }

    private static void notDefined() {
        int[] data = new int[2];
        double[] reals = new double[2];
        fails("BAND", MPI.ERR_OP, () -> world.allReduce(reals, 2, MPI.DOUBLE, MPI.BAND));
        fails("MINLOC", MPI.ERR_OP, () -> world.allReduce(data, 2, MPI.INT, MPI.MINLOC));
        fails("SUM of pairs", MPI.ERR_OP, () -> world.allReduce(data, 1, MPI.INT2, MPI.SUM));
        fails("REPLACE", MPI.ERR_OP, () -> world.allReduce(data, 1, MPI.INT, MPI.REPLACE));
        fails("null", MPI.ERR_OP, () -> world.reduce(data, 1, MPI.INT, null, 0));
        fails("root", MPI.ERR_ROOT, () -> world.reduce(data, 1, MPI.INT, MPI.SUM, size));
        fails("root", MPI.ERR_ROOT, () -> world.bcast(data, 1, MPI.INT, -1));
        fails("count", MPI.ERR_COUNT, () -> world.bcast(data, -1, MPI.INT, 0));
        Op freed = new Op(new mpi.UserFunction() {}, true);
        freed.free();
        fails("freed", MPI.ERR_OP, () -> world.allReduce(data, 1, MPI.INT, freed));
    }
}
