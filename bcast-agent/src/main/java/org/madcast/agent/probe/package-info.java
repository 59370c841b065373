/** {@code madcast probe}: does multicast work between nodes, and if not, what is wrong. */
@NullMarked
package org.madcast.agent.probe;

import org.jspecify.annotations.NullMarked;
