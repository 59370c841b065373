/** Benchmarks of datagram layouts and checks. */
@NullMarked
package org.madcast.client.wire;

import org.jspecify.annotations.NullMarked;
