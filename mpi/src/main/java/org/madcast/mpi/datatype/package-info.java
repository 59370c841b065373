/** What MPI's datatypes describe: where the data of an element lie, and how they are packed. */
@NullMarked
package org.madcast.mpi.datatype;

import org.jspecify.annotations.NullMarked;
