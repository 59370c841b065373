package org.madcast.mpi.programs;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
import mpi.UserFunction;

/** Every predefined operation on every predefined type, and users' operations. One rank. */
public final class Operations {

    private static final Datatype[] INTEGERS = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG};
    private static final Datatype[] REALS = {MPI.FLOAT, MPI.DOUBLE};
    private static final Datatype[] OTHERS = {MPI.PACKED, MPI.INT2, MPI.DOUBLE_INT, MPI.OBJECT};
    private static final Op[] ARITHMETIC = {MPI.SUM, MPI.PROD, MPI.MIN, MPI.MAX};
    private static final Op[] LOGICAL = {MPI.LAND, MPI.LOR, MPI.LXOR};
    private static final Op[] BITWISE = {MPI.BAND, MPI.BOR, MPI.BXOR};

    private Operations() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        integers();
        reals();
        booleans();
        refused();
        pairsOfOneType();
        users();
        MPI.Finalize();
        Checks.end();
    }

    private static Object array(Datatype type, double... values) {
        Class<?> element =
                type.equals(MPI.BYTE)
                        ? byte.class
                        : type.equals(MPI.CHAR)
                                ? char.class
                                : type.equals(MPI.SHORT)
                                        ? short.class
                                        : type.equals(MPI.INT)
                                                ? int.class
                                                : type.equals(MPI.LONG)
                                                        ? long.class
                                                        : type.equals(MPI.FLOAT)
                                                                ? float.class
                                                                : double.class;
        Object array = Array.newInstance(element, values.length);
        for (int i = 0; i < values.length; i++) {
            Object value =
                    element == byte.class
                            ? (Object) (byte) values[i]
                            : element == char.class
                                    ? (Object) (char) values[i]
                                    : element == short.class
                                            ? (Object) (short) values[i]
                                            : element == int.class
                                                    ? (Object) (int) values[i]
                                                    : element == long.class
                                                            ? (Object) (long) values[i]
                                                            : element == float.class
                                                                    ? (Object) (float) values[i]
                                                                    : (Object) values[i];
            Array.set(array, i, value);
        }
        return array;
    }

    private static LongBinaryOperator ofIntegers(Op op) {
        List<LongBinaryOperator> all =
                List.of(
                        Long::sum,
                        (a, b) -> a * b,
                        Math::min,
                        Math::max,
                        (a, b) -> a != 0 && b != 0 ? 1 : 0,
                        (a, b) -> a != 0 || b != 0 ? 1 : 0,
                        (a, b) -> (a != 0) != (b != 0) ? 1 : 0,
                        (a, b) -> a & b,
                        (a, b) -> a | b,
                        (a, b) -> a ^ b);
        return all.get(operations().indexOf(op));
    }

    private static List<Op> operations() {
        List<Op> all = new ArrayList<>(List.of(ARITHMETIC));
        all.addAll(List.of(LOGICAL));
        all.addAll(List.of(BITWISE));
        return all;
    }

    private static void integers() {
        double[] left = {0, 0, 3, 5, 6, 7};
        double[] right = {0, 9, 0, 3, 6, 2};
        for (Datatype type : INTEGERS) {
            for (Op op : operations()) {
                double[] expected = new double[left.length];
                for (int i = 0; i < left.length; i++) {
                    expected[i] = ofIntegers(op).applyAsLong((long) left[i], (long) right[i]);
                }
                Object result = array(type, right);
                Comm.reduceLocal(array(type, left), result, left.length, type, op);
                Checks.equal(op + " of " + type, array(type, expected), result);
            }
        }
        byte[] small = {100};
        Comm.reduceLocal(new byte[] {100}, small, 1, MPI.BYTE, MPI.SUM);
        Checks.equal("it wraps", (byte) 200, small[0]);
        char[] high = {'\uffff'};
        Comm.reduceLocal(new char[] {'a'}, high, 1, MPI.CHAR, MPI.MAX);
        Checks.equal("without a sign", '\uffff', high[0]);
        long[] large = {Long.MAX_VALUE - 1};
        Comm.reduceLocal(new long[] {1}, large, 1, MPI.LONG, MPI.SUM);
        Checks.equal("all bits", Long.MAX_VALUE, large[0]);
    }

    private static void reals() {
        List<DoubleBinaryOperator> all =
                List.of(Double::sum, (a, b) -> a * b, Math::min, Math::max);
        double[] left = {0.5, -2, 3};
        double[] right = {0.25, 4, -1};
        for (Datatype type : REALS) {
            for (int k = 0; k < ARITHMETIC.length; k++) {
                double[] expected = new double[left.length];
                for (int i = 0; i < left.length; i++) {
                    expected[i] = all.get(k).applyAsDouble(left[i], right[i]);
                }
                Object result = array(type, right);
                Comm.reduceLocal(array(type, left), result, left.length, type, ARITHMETIC[k]);
                Checks.equal(ARITHMETIC[k] + " of " + type, array(type, expected), result);
            }
        }
    }

    private static void booleans() {
        boolean[] left = {false, false, true, true};
        boolean[][] expected = {
            {false, false, false, true}, {false, true, true, true}, {false, true, true, false}
        };
        for (int k = 0; k < LOGICAL.length; k++) {
            boolean[] right = {false, true, false, true};
            Comm.reduceLocal(left, right, 4, MPI.BOOLEAN, LOGICAL[k]);
            Checks.equal(LOGICAL[k].toString(), expected[k], right);
        }
    }

    private static void refuse(Op op, Datatype type) {
        Object bytes = type.equals(MPI.OBJECT) ? new Object[16] : ByteBuffer.allocate(64);
        Checks.fails(
                op + " of " + type, MPI.ERR_OP, () -> Comm.reduceLocal(bytes, bytes, 1, type, op));
    }

    private static void refused() {
        Datatype derived = Datatype.createContiguous(2, MPI.INT);
        derived.commit();
        for (Op op : operations()) {
            for (Datatype type : OTHERS) {
                refuse(op, type);
            }
            refuse(op, derived);
        }
        for (Datatype type : REALS) {
            for (Op op : LOGICAL) {
                refuse(op, type);
            }
            for (Op op : BITWISE) {
                refuse(op, type);
            }
        }
        for (Op op : ARITHMETIC) {
            refuse(op, MPI.BOOLEAN);
        }
        refuse(MPI.MAX, MPI.DOUBLE_COMPLEX);
        refuse(MPI.BAND, MPI.FLOAT_COMPLEX);
        refuse(MPI.MINLOC, MPI.INT);
        refuse(MPI.MAXLOC, MPI.DOUBLE_COMPLEX);
        refuse(MPI.REPLACE, MPI.INT);
        refuse(MPI.NO_OP, MPI.INT);
        Checks.fails("predefined", MPI.ERR_OP, () -> MPI.SUM.free());
        Checks.fails(
                "none",
                MPI.ERR_OP,
                () -> Comm.reduceLocal(new int[1], new int[1], 1, MPI.INT, null));
    }

    private static void pairsOfOneType() {
        short[] shorts = {5, 2, 5, 9};
        Comm.reduceLocal(new short[] {5, 1, 6, 3}, shorts, 2, MPI.SHORT2, MPI.MINLOC);
        Checks.equal("SHORT2", new short[] {5, 1, 5, 9}, shorts);
        float[] floats = {1, 2};
        Comm.reduceLocal(new float[] {1.5f, 3}, floats, 1, MPI.FLOAT2, MPI.MAXLOC);
        Checks.equal("FLOAT2", new float[] {1.5f, 3}, floats);
        double[] doubles = {1, 2};
        Comm.reduceLocal(new double[] {-1.5, 3}, doubles, 1, MPI.DOUBLE2, MPI.MINLOC);
        Checks.equal("DOUBLE2", new double[] {-1.5, 3}, doubles);
        long[] longs = {1, 2};
        Comm.reduceLocal(new long[] {1, 1}, longs, 1, MPI.LONG2, MPI.MAXLOC);
        Checks.equal("LONG2", new long[] {1, 1}, longs);
    }

    /** Works on buffers. */
    private static final class Hypotenuse extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
            DoubleBuffer left = in.asDoubleBuffer();
            DoubleBuffer right = inOut.asDoubleBuffer();
            for (int i = 0; i < count; i++) {
                right.put(i, Math.hypot(left.get(i), right.get(i)));
            }
        }
    }

    /** Overrides nothing. */
    private static final class Nothing extends UserFunction {}

    private static void users() {
        Op hypotenuse = new Op(new Hypotenuse(), true);
        double[] right = {4, 12};
        Comm.reduceLocal(new double[] {3, 5}, right, 2, MPI.DOUBLE, hypotenuse);
        Checks.equal("on buffers", new double[] {5, 13}, right);
        Checks.fails(
                "nothing overridden",
                MPI.ERR_UNSUPPORTED_OPERATION,
                () ->
                        Comm.reduceLocal(
                                new int[1], new int[1], 1, MPI.INT, new Op(new Nothing(), true)));
        int[] many = new int[700_000];
        Op add =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int count, Datatype type) {
                                for (int i = 0; i < count; i++) {
                                    ((int[]) inOut)[i] += ((int[]) in)[i];
                                }
                            }
                        },
                        true);
        int[] summed = many.clone();
        Arrays.setAll(many, i -> i);
        Comm.reduceLocal(many, summed, many.length, MPI.INT, add);
        Checks.that("in pieces", Arrays.equals(many, summed));
        // Every other int: the elements in between are not the operation's.
        Datatype spaced = Datatype.createVector(2, 1, 2, MPI.INT);
        spaced.commit();
        Op sum =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int count, Datatype type) {
                                int[] a = (int[]) in;
                                int[] b = (int[]) inOut;
                                for (int i = 0; i < b.length; i++) {
                                    b[i] += a[i] + (i == 1 ? 1000 : 0);
                                }
                            }
                        },
                        true);
        int[] data = {1, 50, 2};
        Comm.reduceLocal(new int[] {10, 70, 20}, data, 1, spaced, sum);
        Checks.equal("a derived type", new int[] {11, 50, 22}, data);
    }
}
