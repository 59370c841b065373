package mpi;

/** An int and its place, an int: elements of type MPI.INT2 as objects. */
public final class Int2 extends Struct {

    private static final int INDEX = 4;

    Int2() {
        super(PredefinedTypes.INT2);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data {

        private Data() {}

        /** The value. */
        public int getValue() {
            return getInt(0);
        }

        /** The place. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(int value) {
            putInt(0, value);
        }

        /** Sets the place. */
        public void putIndex(int index) {
            putInt(INDEX, index);
        }
    }
}
