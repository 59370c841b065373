/** What the forms of calls of module mpi cost above the client library's. */
@NullMarked
package org.madcast.benchmarks.mpi;

import org.jspecify.annotations.NullMarked;
