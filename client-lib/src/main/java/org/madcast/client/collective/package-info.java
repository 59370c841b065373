/** Broadcast algorithms: who hands a fragment on to whom. */
@NullMarked
package org.madcast.client.collective;

import org.jspecify.annotations.NullMarked;
