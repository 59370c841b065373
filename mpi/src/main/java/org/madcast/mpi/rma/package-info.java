/** One-sided communication: a rank's window, what other ranks ask of it, and how they ask. */
@NullMarked
package org.madcast.mpi.rma;

import org.jspecify.annotations.NullMarked;
