package mpi;

/** A float and its place, an int: elements of type MPI.FLOAT_INT as objects. */
public final class FloatInt extends Struct {

    private static final int INDEX = 4;

    FloatInt() {
        super(PredefinedTypes.FLOAT_INT);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data {

        private Data() {}

        /** The value. */
        public float getValue() {
            return getFloat(0);
        }

        /** The place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(float value) {
            putFloat(0, value);
        }

        /** Sets the place. */
        public void putIndex(int index) {
            putInt(INDEX, index);
        }
    }
}
