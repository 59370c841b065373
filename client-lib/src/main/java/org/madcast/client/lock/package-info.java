/** Locks of what one thread at a time drives. */
@NullMarked
package org.madcast.client.lock;

import org.jspecify.annotations.NullMarked;
