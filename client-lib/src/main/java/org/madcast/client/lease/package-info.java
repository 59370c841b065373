/**
 * Where groups come from and how ranks meet: the allocation service over REST, or rank 0 with a
 * random group; and keeping the lease alive.
 */
@NullMarked
package org.madcast.client.lease;

import org.jspecify.annotations.NullMarked;
