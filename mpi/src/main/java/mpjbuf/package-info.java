/** The one type of MPJ Express's buffering layer that mpiJava's API names. */
@NullMarked
package mpjbuf;

import org.jspecify.annotations.NullMarked;
