package mpi;

import org.madcast.client.ReduceOperation.Kind;

/** MPI's predefined operations: the constants of class MPI. */
public class PredefinedOps {

    /** The greatest. */
    public static final Op MAX = new Op("MPI_MAX", Kind.MAX);

    /** The least. */
    public static final Op MIN = new Op("MPI_MIN", Kind.MIN);

    /** The sum. */
    public static final Op SUM = new Op("MPI_SUM", Kind.SUM);

    /** The product. */
    public static final Op PROD = new Op("MPI_PROD", Kind.PRODUCT);

    /** Whether all are true. */
    public static final Op LAND = new Op("MPI_LAND", Kind.LOGICAL_AND);

    /** And, bit by bit. */
    public static final Op BAND = new Op("MPI_BAND", Kind.BITWISE_AND);

    /** Whether one is true. */
    public static final Op LOR = new Op("MPI_LOR", Kind.LOGICAL_OR);

    /** Or, bit by bit. */
    public static final Op BOR = new Op("MPI_BOR", Kind.BITWISE_OR);

    /** Whether an odd number is true. */
    public static final Op LXOR = new Op("MPI_LXOR", Kind.LOGICAL_XOR);

    /** Exclusive or, bit by bit. */
    public static final Op BXOR = new Op("MPI_BXOR", Kind.BITWISE_XOR);

    /** The least value, and the lowest place of equal ones. */
    public static final Op MINLOC = new Op("MPI_MINLOC", Kind.MIN_PLACE);

    /** The greatest value, and the lowest place of equal ones. */
    public static final Op MAXLOC = new Op("MPI_MAXLOC", Kind.MAX_PLACE);

    /** The origin's value; for windows. */
    public static final Op REPLACE = new Op("MPI_REPLACE", null);

    /** The target's value; for windows. */
    public static final Op NO_OP = new Op("MPI_NO_OP", null);

    PredefinedOps() {}
}
