/** Locks of what one thread at a time drives, and how that thread waits. */
@NullMarked
package org.madcast.client.lock;

import org.jspecify.annotations.NullMarked;
