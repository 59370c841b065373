/** Broadcasts while hosts and network fail: real rank processes on real sockets in the lab. */
@NullMarked
package org.madcast.agent.faults;

import org.jspecify.annotations.NullMarked;
