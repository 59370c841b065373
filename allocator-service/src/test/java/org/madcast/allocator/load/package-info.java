/** A generator of the load that the service must bear. */
@NullMarked
package org.madcast.allocator.load;

import org.jspecify.annotations.NullMarked;
