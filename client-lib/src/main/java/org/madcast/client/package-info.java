/**
 * The public API of Madcast's client library: join a {@link org.madcast.client.Communicator}, then
 * broadcast. Of the packages below, only {@code org.madcast.client.file}, which broadcasts files,
 * is public; everything else is an implementation detail.
 */
@NullMarked
package org.madcast.client;

import org.jspecify.annotations.NullMarked;
