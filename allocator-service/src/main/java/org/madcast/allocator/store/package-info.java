/** The PostgreSQL that the service brings along when none is configured. */
@NullMarked
package org.madcast.allocator.store;

import org.jspecify.annotations.NullMarked;
