package mpi;

/** mpiJava's type of elements one behind the other. */
public class Contiguous extends Datatype {

    Contiguous(int count, Datatype oldType) {
        super(
                Datatype.given(oldType).base(),
                DatatypeFactories.contiguous(count, oldType),
                oldType.isOfStructures(),
                true);
    }
}
