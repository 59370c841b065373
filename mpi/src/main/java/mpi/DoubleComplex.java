package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;

/** A complex number of two doubles: an element of type MPI.DOUBLE_COMPLEX as an object. */
public final class DoubleComplex {

    private final DoubleBuffer parts;

    private DoubleComplex(DoubleBuffer parts) {
        this.parts = parts;
    }

    /** The first number of a buffer. */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /** A number of a buffer, which the object reads and writes. */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(buffer.duplicate().clear().slice(2 * index, 2));
    }

    /** The first number of an array. */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /** A number of an array, which the object reads and writes. */
    public static DoubleComplex get(double[] array, int index) {
        return get(DoubleBuffer.wrap(array), index);
    }

    /** The first number of a buffer of bytes. */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** A number of a buffer of bytes, in the machine's byte order. */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        ByteBuffer all = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
        return get(all.asDoubleBuffer(), index);
    }

    /** The real part. */
    public double getReal() {
        return parts.get(0);
    }

    /** The imaginary part. */
    public double getImag() {
        return parts.get(1);
    }

    /** Sets the real part. */
    public void putReal(double real) {
        parts.put(0, real);
    }

    /** Sets the imaginary part. */
    public void putImag(double imag) {
        parts.put(1, imag);
    }

    /** The two parts. */
    public DoubleBuffer getBuffer() {
        return parts;
    }
}
