/** Sockets and the loop that drives an engine: the only package that touches the network. */
@NullMarked
package org.madcast.client.io;

import org.jspecify.annotations.NullMarked;
