package mpi;

/** A long and its place, an int: elements of type MPI.LONG_INT as objects. */
public final class LongInt extends Struct {

    private static final int INDEX = 8;

    LongInt() {
        super(PredefinedTypes.LONG_INT);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data {

        private Data() {}

        /** The value. */
        public long getValue() {
            return getLong(0);
        }

        /** The place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(long value) {
            putLong(0, value);
        }

        /** Sets the place. */
        public void putIndex(int index) {
            putInt(INDEX, index);
        }
    }
}
