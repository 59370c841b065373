package mpi;

/** A short and its place, an int: elements of type MPI.SHORT_INT as objects. */
public final class ShortInt extends Struct {

    private static final int INDEX = 4;

    ShortInt() {
        super(PredefinedTypes.SHORT_INT);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data {

        private Data() {}

        /** The value. */
        public short getValue() {
            return getShort(0);
        }

        /** The place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(short value) {
            putShort(0, value);
        }

        /** Sets the place. */
        public void putIndex(int index) {
            putInt(INDEX, index);
        }
    }
}
