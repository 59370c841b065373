/** Messages of Java objects, and which classes may come in them. */
@NullMarked
package org.madcast.mpi.object;

import org.jspecify.annotations.NullMarked;
