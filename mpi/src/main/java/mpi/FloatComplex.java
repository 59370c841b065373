package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** A complex number of two floats: an element of type MPI.FLOAT_COMPLEX as an object. */
public final class FloatComplex {

    private final FloatBuffer parts;

    private FloatComplex(FloatBuffer parts) {
        this.parts = parts;
    }

    /** The first number of a buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /** A number of a buffer, which the object reads and writes. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer.duplicate().clear().slice(2 * index, 2));
    }

    /** The first number of an array. */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /** A number of an array, which the object reads and writes. */
    public static FloatComplex get(float[] array, int index) {
        return get(FloatBuffer.wrap(array), index);
    }

    /** The first number of a buffer of bytes. */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** A number of a buffer of bytes, in the machine's byte order. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        ByteBuffer all = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
        return get(all.asFloatBuffer(), index);
    }

    /** The real part. */
    public float getReal() {
        return parts.get(0);
    }

    /** The imaginary part. */
    public float getImag() {
        return parts.get(1);
    }

    /** Sets the real part. */
    public void putReal(float real) {
        parts.put(0, real);
    }

    /** Sets the imaginary part. */
    public void putImag(float imag) {
        parts.put(1, imag);
    }

    /** The two parts. */
    public FloatBuffer getBuffer() {
        return parts;
    }
}
