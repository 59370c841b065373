package mpi;

/** MPI's predefined structures: the constants of class MPI that view pairs as objects. */
public class PredefinedViews extends PredefinedTypes {

    /** Views elements of type INT2. */
    public static final Int2 int2 = new Int2();

    /** Views elements of type SHORT_INT. */
    public static final ShortInt shortInt = new ShortInt();

    /** Views elements of type LONG_INT. */
    public static final LongInt longInt = new LongInt();

    /** Views elements of type FLOAT_INT. */
    public static final FloatInt floatInt = new FloatInt();

    /** Views elements of type DOUBLE_INT. */
    public static final DoubleInt doubleInt = new DoubleInt();

    PredefinedViews() {}
}
