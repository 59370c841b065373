/**
 * MPI for Java programs: the API of Open MPI's Java bindings (names that begin with a small letter)
 * and mpiJava 1.2's, as MPJ Express has it (names that begin with a capital), in one package.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
