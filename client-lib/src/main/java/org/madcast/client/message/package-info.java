/**
 * Messages between two ranks: matching, the eager and the rendezvous protocol, and the carriers
 * that bring frames from one process to another. {@link org.madcast.client.message.MessageEngine}
 * and what it is made of are pure: no socket, thread, lock or clock.
 */
@NullMarked
package org.madcast.client.message;

import org.jspecify.annotations.NullMarked;
