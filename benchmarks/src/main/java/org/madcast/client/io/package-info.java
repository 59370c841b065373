/** Benchmarks of the way to and from the sockets. */
@NullMarked
package org.madcast.client.io;

import org.jspecify.annotations.NullMarked;
