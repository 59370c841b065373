/** Datagram layouts and their checks. No I/O. */
@NullMarked
package org.madcast.client.wire;

import org.jspecify.annotations.NullMarked;
