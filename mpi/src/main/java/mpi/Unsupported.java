package mpi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what is there only so that programs compile: it throws an {@link MPIException} of class
 * {@code ERR_UNSUPPORTED_OPERATION}. The table of docs/MPI.md lists it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
@interface Unsupported {
    /** Why, in a sentence. */
    String value();
}
