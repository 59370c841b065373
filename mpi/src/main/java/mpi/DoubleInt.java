package mpi;

/** A double and its place, an int: elements of type MPI.DOUBLE_INT as objects. */
public final class DoubleInt extends Struct {

    private static final int INDEX = 8;

    DoubleInt() {
        super(PredefinedTypes.DOUBLE_INT);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data {

        private Data() {}

        /** The value. */
        public double getValue() {
            return getDouble(0);
        }

        /** The place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(double value) {
            putDouble(0, value);
        }

        /** Sets the place. */
        public void putIndex(int index) {
            putInt(INDEX, index);
        }
    }
}
