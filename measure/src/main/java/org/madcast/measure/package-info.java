/**
 * The commands of {@code madcast} that measure or predict, apart from the daemon's archive: {@code
 * bench}, {@code bench-leases}, {@code loggp} and {@code simulate}.
 */
@NullMarked
package org.madcast.measure;

import org.jspecify.annotations.NullMarked;
