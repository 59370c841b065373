/**
 * How the ranks of a communicator go on after a loss: what they agree on, and who tells whom that
 * it is revoked. Pure: no socket, thread, lock or clock.
 */
@NullMarked
package org.madcast.client.survival;

import org.jspecify.annotations.NullMarked;
