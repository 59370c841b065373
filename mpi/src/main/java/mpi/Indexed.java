package mpi;

/** mpiJava's type of blocks at any displacements. */
public class Indexed extends Datatype {

    /**
     * Blocks of a type (MPI_Type_indexed, MPI_Type_hindexed).
     *
     * @param unitsOfOldExtent whether displacements count elements of the old type, else base
     *     elements
     */
    public Indexed(
            int[] array_of_blocklengths,
            int[] array_of_displacements,
            Datatype oldType,
            boolean unitsOfOldExtent)
            throws MPIException {
        super(
                Datatype.given(oldType).base(),
                DatatypeFactories.indexed(
                        array_of_blocklengths,
                        array_of_displacements,
                        Vector.unit(oldType, unitsOfOldExtent),
                        oldType),
                oldType.isOfStructures(),
                true);
    }
}
