package org.madcast.mpi.programs;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.FloatComplex;
import mpi.Int2;
import mpi.LongInt;
import mpi.MPI;
import mpi.ShortInt;
import mpi.Status;
import mpi.Struct;

/** Derived datatypes, structures as objects, and packing; one rank sends to itself. */
public final class Datatypes {

    private static Comm self;

    private Datatypes() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        self = MPI.COMM_WORLD;
        bounds();
        mpiJavaUnits();
        transfers();
        partialElements();
        structures();
        complexNumbers();
        packing();
        lifeCycle();
        pairs();
        buffers();
        MPI.Finalize();
        Checks.end();
    }

    private static void check(
            String what, Datatype type, int lb, int extent, int trueLb, int trueExtent, int size) {
        Checks.equal(what + ": lb", lb, type.getLb());
        Checks.equal(what + ": extent", extent, type.getExtent());
        Checks.equal(what + ": true lb", trueLb, type.getTrueLb());
        Checks.equal(what + ": true extent", trueExtent, type.getTrueExtent());
        Checks.equal(what + ": size", size, type.getSize());
    }

    private static void bounds() {
        check("INT", MPI.INT, 0, 4, 0, 4, 4);
        check("CHAR", MPI.CHAR, 0, 2, 0, 2, 2);
        check("BOOLEAN", MPI.BOOLEAN, 0, 1, 0, 1, 1);
        check("contiguous", Datatype.createContiguous(3, MPI.INT), 0, 12, 0, 12, 12);
        check("vector", Datatype.createVector(2, 1, 3, MPI.INT), 0, 16, 0, 16, 8);
        check("negative", Datatype.createVector(2, 1, -3, MPI.INT), -12, 16, -12, 16, 8);
        check("hvector", Datatype.createHVector(2, 1, 16, MPI.DOUBLE), 0, 24, 0, 24, 16);
        int[] ones = {1, 1};
        check(
                "indexed",
                Datatype.createIndexed(ones, new int[] {2, -1}, MPI.SHORT),
                -2,
                8,
                -2,
                8,
                4);
        check("hindexed", Datatype.createHIndexed(ones, new int[] {0, 5}, MPI.INT), 0, 12, 0, 9, 8);
        Datatype[] both = {MPI.DOUBLE, MPI.BYTE};
        Datatype struct = Datatype.createStruct(ones, new int[] {0, 8}, both);
        check("struct", struct, 0, 16, 0, 9, 9);
        check("of structs", Datatype.createContiguous(3, struct), 0, 48, 0, 41, 27);
        check("resized", Datatype.createResized(MPI.INT, -4, 12), -4, 12, 0, 4, 4);
        Datatype wide = Datatype.createResized(MPI.INT, 0, 12);
        check("of resized", Datatype.createContiguous(2, wide), 0, 24, 0, 16, 8);
        Datatype[] mixed = {wide, MPI.INT};
        check(
                "bounds stick",
                Datatype.createStruct(ones, new int[] {0, 20}, mixed),
                0,
                12,
                0,
                24,
                8);
        check("empty", Datatype.createContiguous(0, MPI.INT), 0, 0, 0, 0, 0);
        check(
                "no blocks",
                Datatype.createIndexed(new int[] {0}, new int[] {9}, MPI.INT),
                0,
                0,
                0,
                0,
                0);
        check("SHORT_INT", MPI.SHORT_INT, 0, 8, 0, 8, 6);
        check("LONG_INT", MPI.LONG_INT, 0, 16, 0, 12, 12);
        check("DOUBLE_INT", MPI.DOUBLE_INT, 0, 16, 0, 12, 12);
        check("FLOAT_INT", MPI.FLOAT_INT, 0, 8, 0, 8, 8);
        check("DOUBLE_COMPLEX", MPI.DOUBLE_COMPLEX, 0, 16, 0, 16, 16);
    }

    private static void units(String what, Datatype type, int lb, int ub, int extent, int size) {
        Checks.equal(what + ": Lb", lb, type.Lb());
        Checks.equal(what + ": Ub", ub, type.Ub());
        Checks.equal(what + ": Extent", extent, type.Extent());
        Checks.equal(what + ": Size", size, type.Size());
    }

    /** mpiJava counts in elements of the base type. */
    private static void mpiJavaUnits() {
        units("DOUBLE", MPI.DOUBLE, 0, 1, 1, 1);
        units("INT2", MPI.INT2, 0, 2, 2, 2);
        Datatype pair = Datatype.Contiguous(2, MPI.DOUBLE);
        units("Contiguous", pair, 0, 2, 2, 2);
        units("Vector", Datatype.Vector(2, 1, 3, pair), 0, 8, 8, 4);
        units("Hvector", Datatype.Hvector(2, 1, 3, pair), 0, 5, 5, 4);
        int[] ones = {1, 1};
        units("Indexed", Datatype.Indexed(ones, new int[] {0, 3}, pair), 0, 8, 8, 4);
        units("Hindexed", Datatype.Hindexed(ones, new int[] {0, 3}, pair), 0, 5, 5, 4);
        Datatype[] types = {MPI.LB, MPI.INT, MPI.UB};
        int[] places = {-1, 1, 5};
        units("Struct", Datatype.Struct(new int[] {1, 2, 1}, places, types), -1, 5, 6, 2);
        Datatype[] mixed = {MPI.INT, MPI.DOUBLE};
        Checks.fails("two bases", MPI.ERR_TYPE, () -> Datatype.Struct(ones, ones, mixed));
        units("OBJECT", Datatype.Vector(2, 1, 3, MPI.OBJECT), 0, 4, 4, 2);
        Checks.equal("base", MPI.DOUBLE.baseType, pair.baseType);
    }

    /** Sends elements of one type to this rank itself, which receives those of another. */
    private static Status move(
            Object from, int sent, Datatype out, Object to, int got, Datatype in) {
        return self.sendRecv(from, sent, out, rank(), 3, to, got, in, rank(), 3);
    }

    private static int rank() {
        return self.getRank();
    }

    private static Datatype ready(Datatype type) {
        type.commit();
        return type;
    }

    private static int[] upTo(int end) {
        int[] all = new int[end];
        Arrays.setAll(all, i -> i);
        return all;
    }

    private static void transfers() {
        int[] got = new int[4];
        Datatype column = ready(Datatype.createVector(4, 1, 4, MPI.INT));
        Status _ = move(upTo(16), 1, column, got, 4, MPI.INT);
        Checks.equal("a column", new int[] {0, 4, 8, 12}, got);
        int[] matrix = new int[16];
        Datatype narrow = ready(Datatype.createResized(column, 0, 4));
        Status _ = move(upTo(16), 16, MPI.INT, matrix, 4, narrow);
        int[] turned = new int[16];
        Arrays.setAll(turned, i -> i % 4 * 4 + i / 4);
        Checks.equal("transposed", turned, matrix);
        int[] order = new int[3];
        Datatype back = ready(Datatype.createIndexed(new int[] {1, 2}, new int[] {5, 0}, MPI.INT));
        Status _ = move(upTo(6), 1, back, order, 3, MPI.INT);
        Checks.equal("in the order of the type map", new int[] {5, 0, 1}, order);
        Datatype nested =
                ready(Datatype.createVector(2, 1, 2, Datatype.createVector(2, 2, 3, MPI.BYTE)));
        byte[] bytes = new byte[8];
        byte[] from = new byte[20];
        for (int i = 0; i < from.length; i++) {
            from[i] = (byte) i;
        }
        Status _ = move(from, 1, nested, bytes, 8, MPI.BYTE);
        Checks.equal("nested", new byte[] {0, 1, 3, 4, 10, 11, 13, 14}, bytes);
        boolean[] flags = {true, false, true, true};
        boolean[] some = new boolean[2];
        Status _ =
                move(
                        flags,
                        1,
                        ready(Datatype.createVector(2, 1, 3, MPI.BOOLEAN)),
                        some,
                        2,
                        MPI.BOOLEAN);
        Checks.equal("booleans", new boolean[] {true, true}, some);
        int[] below = new int[3];
        Datatype down = ready(Datatype.createVector(3, 1, -1, MPI.INT));
        self.Sendrecv(upTo(5), 4, 1, down, rank(), 1, below, 0, 3, MPI.INT, rank(), 1);
        Checks.equal("downwards", new int[] {4, 3, 2}, below);
        Checks.fails(
                "before the buffer", MPI.ERR_BUFFER, () -> self.send(upTo(5), 1, down, rank(), 1));
    }

    private static void partialElements() {
        Datatype pair = ready(Datatype.createContiguous(2, MPI.INT));
        int[] room = new int[8];
        Arrays.fill(room, -1);
        Status status = move(upTo(5), 5, MPI.INT, room, 4, pair);
        Checks.equal("not whole", MPI.UNDEFINED, status.getCount(pair));
        Checks.equal("elements", 5, status.getElements(pair));
        Checks.equal("count", 5, status.getCount(MPI.INT));
        Checks.equal("the rest stays", new int[] {0, 1, 2, 3, 4, -1, -1, -1}, room);
        Datatype[] both = {MPI.DOUBLE, MPI.INT};
        Datatype struct = ready(Datatype.createStruct(new int[] {1, 2}, new int[] {0, 8}, both));
        ByteBuffer in = ByteBuffer.allocate(64);
        Status got = move(new byte[28], 28, MPI.BYTE, in, 4, struct);
        Checks.equal("elements of a structure", 5, got.getElements(struct));
        got = move(new byte[24], 24, MPI.BYTE, in, 4, struct);
        Checks.equal("elements of a structure", 4, got.getElements(struct));
        Checks.equal("not whole", MPI.UNDEFINED, got.getCount(struct));
        got = move(new byte[18], 18, MPI.BYTE, in, 4, struct);
        Checks.equal("not even an element", MPI.UNDEFINED, got.getElements(struct));
        got = move(new byte[32], 32, MPI.BYTE, in, 4, struct);
        Checks.equal("whole", 2, got.getCount(struct));
    }

    /** A structure as a program writes it. */
    private static final class Particle extends Struct {
        private final int id = addInt();
        private final int place = addDouble(3);
        private final int kind = addChar();
        private final int best = addStruct(MPI.doubleInt);
        private final int flags = addData(MPI.BYTE, 2);

        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
            void set(int newId, double x, char newKind) {
                putInt(id, newId);
                putDouble(place, 2, x);
                putChar(kind, newKind);
                DoubleInt.Data nested = getData(MPI.doubleInt, best);
                nested.putValue(-x);
                nested.putIndex(newId);
                getBuffer(MPI.BYTE, flags, 1).put(0, (byte) 7);
            }

            String text() {
                DoubleInt.Data nested = getData(MPI.doubleInt, best);
                return getInt(id)
                        + " "
                        + getDouble(place, 2)
                        + " "
                        + getChar(kind)
                        + " "
                        + nested.getValue()
                        + " "
                        + nested.getIndex()
                        + " "
                        + getBuffer(MPI.BYTE, flags, 1).get(0);
            }
        }
    }

    private static void structures() {
        Particle particle = new Particle();
        Checks.equal("extent", 4 + 24 + 2 + 16 + 2, particle.getExtent());
        ByteBuffer sent = MPI.newByteBuffer(2 * particle.getExtent());
        Particle.Data first = particle.getData(sent);
        first.set(5, 1.5, 'x');
        Particle.Data second = particle.getData(sent, 1);
        second.set(6, 2.5, 'y');
        byte[] got = new byte[2 * particle.getExtent()];
        Status status = move(sent, 2, particle.getType(), got, 2, particle.getType());
        Checks.equal("count", 2, status.getCount(particle.getType()));
        Particle.Data read = particle.getData(got, 1);
        Checks.equal("second", "6 2.5 y -2.5 6 7", read.text());
        Checks.fails("too late", MPI.ERR_TYPE, () -> particle.addInt());
        Checks.fails("beyond", MPI.ERR_BUFFER, () -> particle.getData(got, 2));
        Struct spaced = new Int2Apart();
        Checks.equal("offset", 12, spaced.getExtent());
        Checks.equal("size", 8, spaced.getType().getSize());
        byte[] apart = new byte[24];
        apart[20] = 3;
        byte[] moved = new byte[24];
        Status _ = move(apart, 2, spaced.getType(), moved, 2, spaced.getType());
        Checks.equal("of ints only, in an array of bytes", apart, moved);
    }

    private static final class Int2Apart extends Struct {
        Int2Apart() {
            int _ = addInt();
            Struct _ = setOffset(8);
            int _ = addInt();
        }
    }

    private static void complexNumbers() {
        DoubleBuffer numbers = MPI.newDoubleBuffer(4);
        DoubleComplex one = DoubleComplex.get(numbers, 1);
        one.putReal(3);
        one.putImag(-4);
        Checks.equal("imaginary", -4.0, numbers.get(3));
        DoubleComplex copy = DoubleComplex.get(new double[] {1, 2});
        Checks.equal("real", 1.0, copy.getReal());
        float[] parts = {0, 0, 1, 2};
        FloatComplex.get(parts, 1).putImag(5);
        Checks.equal("array", 5f, parts[3]);
        double[] product = {0, 1};
        MPI.COMM_SELF.allReduce(product, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
        double[] turned = {0, 1};
        Comm.reduceLocal(new double[] {0, 1}, turned, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
        Checks.equal("i times i", new double[] {-1, 0}, turned);
    }

    private static void packing() {
        byte[] packed = new byte[64];
        int end = self.pack(new int[] {1, 2}, 2, MPI.INT, packed, 0);
        end = self.pack(new double[] {2.5}, 1, MPI.DOUBLE, packed, end);
        end = self.pack(upTo(16), 1, ready(Datatype.createVector(2, 1, 8, MPI.INT)), packed, end);
        Checks.equal("end", 24, end);
        Checks.equal("size", 8, self.packSize(2, MPI.INT));
        byte[] got = new byte[24];
        Status _ = move(packed, end, MPI.PACKED, got, 24, MPI.PACKED);
        int[] ints = new int[2];
        double[] real = new double[1];
        int at = self.unpack(got, 0, ints, 2, MPI.INT);
        at = self.unpack(got, at, real, 1, MPI.DOUBLE);
        int last = self.unpack(got, at, ints, 2, MPI.INT);
        Checks.equal("ints", new int[] {0, 8}, ints);
        Checks.equal("real", 2.5, real[0]);
        Checks.equal("behind", 24, last);
        Checks.fails("full", MPI.ERR_TRUNCATE, () -> self.pack(ints, 2, MPI.INT, got, 20));
        Checks.fails("no more", MPI.ERR_TRUNCATE, () -> self.unpack(got, 20, ints, 2, MPI.INT));
        mpjbuf.Buffer buffer = new mpjbuf.Buffer(4);
        int next = self.Pack(new String[] {"", "text"}, 1, 1, MPI.OBJECT, buffer, 0);
        next = self.Pack(upTo(3), 1, 2, MPI.INT, buffer, next);
        Object[] text = new Object[2];
        int middle = self.Unpack(buffer, 0, text, 1, 1, MPI.OBJECT);
        Checks.equal("object", "text", text[1]);
        Checks.equal("behind", next, self.Unpack(buffer, middle, ints, 0, 2, MPI.INT));
        Checks.equal("ints", new int[] {1, 2}, ints);
    }

    private static void lifeCycle() {
        Datatype type = Datatype.createContiguous(2, MPI.INT);
        int key = Datatype.createKeyval();
        type.setAttr(key, "value");
        type.setName("pair");
        Datatype copy = type.dup();
        Checks.equal("attribute", "value", copy.getAttr(key));
        type.deleteAttr(key);
        Checks.equal("deleted", null, type.getAttr(key));
        Checks.equal("kept", "value", copy.getAttr(key));
        Checks.equal("name", "pair", type.getName());
        Checks.equal("name", "MPI_INT", MPI.INT.getName());
        Datatype.freeKeyval(key);
        Checks.fails("freed key", MPI.ERR_KEYVAL, () -> copy.getAttr(key));
        type.free();
        Checks.that("null", type.isNull() && MPI.DATATYPE_NULL.isNull() && !copy.isNull());
        Checks.fails("freed", MPI.ERR_TYPE, () -> type.getExtent());
        Checks.fails("freed", MPI.ERR_TYPE, () -> Datatype.createContiguous(1, type));
        Checks.fails("predefined", MPI.ERR_TYPE, () -> MPI.INT.free());
        Checks.fails("count", MPI.ERR_COUNT, () -> Datatype.createContiguous(-1, MPI.INT));
        Checks.fails(
                "lengths",
                MPI.ERR_ARG,
                () -> Datatype.createIndexed(new int[1], new int[2], MPI.INT));
    }

    private static void pairs() {
        ByteBuffer all = MPI.newByteBuffer(2 * 8);
        Int2.Data one = MPI.int2.getData(all, 1);
        one.putValue(4);
        one.putIndex(9);
        Checks.equal("second", 4, all.getInt(8));
        ByteBuffer left = MPI.newByteBuffer(8);
        ByteBuffer right = MPI.newByteBuffer(8);
        ShortInt.Data low = MPI.shortInt.getData(left);
        ShortInt.Data high = MPI.shortInt.getData(right);
        low.putValue((short) -3);
        low.putIndex(1);
        high.putValue((short) 2);
        high.putIndex(0);
        Comm.reduceLocal(left, right, 1, MPI.SHORT_INT, MPI.MINLOC);
        Checks.equal("MINLOC", -3, (int) high.getValue());
        Checks.equal("its place", 1, high.getIndex());
        byte[] a = new byte[16];
        byte[] b = new byte[16];
        LongInt.Data first = MPI.longInt.getData(a);
        LongInt.Data second = MPI.longInt.getData(b);
        first.putValue(7);
        first.putIndex(5);
        second.putValue(7);
        second.putIndex(8);
        Comm.reduceLocal(a, b, 1, MPI.LONG_INT, MPI.MAXLOC);
        Checks.equal("of equal ones the lowest place", 5, second.getIndex());
    }

    /** Position and limit of a buffer mean nothing. */
    private static void buffers() {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.position(8).limit(9);
        Status status = move(upTo(4), 4, MPI.INT, bytes, 4, MPI.INT);
        Checks.equal("count", 4, status.getCount(MPI.INT));
        Checks.equal("position", 8, bytes.position());
        Checks.equal("limit", 9, bytes.limit());
        bytes.clear().order(java.nio.ByteOrder.nativeOrder());
        Checks.equal("all of it", 3, bytes.getInt(12));
        Checks.fails(
                "read-only",
                MPI.ERR_BUFFER,
                () -> self.recv(bytes.asReadOnlyBuffer(), 1, MPI.INT, rank(), 0));
        DoubleBuffer reals = DoubleBuffer.wrap(new double[] {0, 1, 2});
        double[] two = new double[2];
        Status _ = move(MPI.slice(reals, 1), 2, MPI.DOUBLE, two, 2, MPI.DOUBLE);
        Checks.equal("a slice", new double[] {1, 2}, two);
    }
}
