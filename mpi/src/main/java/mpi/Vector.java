package mpi;

/** mpiJava's type of blocks at a constant stride. */
public class Vector extends Datatype {

    /**
     * Blocks of a type (MPI_Type_vector, MPI_Type_hvector).
     *
     * @param unitsOfOldExtent whether the stride counts elements of the old type, else base
     *     elements
     */
    public Vector(
            int count, int blockLength, int stride, Datatype oldType, boolean unitsOfOldExtent)
            throws MPIException {
        super(
                Datatype.given(oldType).base(),
                DatatypeFactories.vector(
                        count, blockLength, stride * unit(oldType, unitsOfOldExtent), oldType),
                oldType.isOfStructures(),
                true);
    }

    static long unit(Datatype oldType, boolean unitsOfOldExtent) {
        return unitsOfOldExtent ? oldType.map().extent() : oldType.base().bytes();
    }
}
