/** Files as MPI sees them: views, places of data in a file, and the pointer that ranks share. */
@NullMarked
package org.madcast.mpi.file;

import org.jspecify.annotations.NullMarked;
