/** {@code madcast loggp}: the LogGP parameters of the network between two nodes. */
@NullMarked
package org.madcast.agent.loggp;

import org.jspecify.annotations.NullMarked;
