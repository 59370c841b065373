/**
 * The public API of Madcast's client library: join a {@link org.madcast.client.Communicator}, then
 * broadcast. Everything below this package is an implementation detail.
 */
@NullMarked
package org.madcast.client;

import org.jspecify.annotations.NullMarked;
