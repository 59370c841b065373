/** What the agents tell of themselves, of pushes and of probes. */
@NullMarked
package org.madcast.allocator.fleet;

import org.jspecify.annotations.NullMarked;
