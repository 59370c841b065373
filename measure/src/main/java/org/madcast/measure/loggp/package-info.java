/** {@code madcast loggp}: the LogGP parameters of the network between two nodes. */
@NullMarked
package org.madcast.measure.loggp;

import org.jspecify.annotations.NullMarked;
