/** How long a root should wait before it sends: pure, told what happened, no clock and no I/O. */
@NullMarked
package org.madcast.allocator.tuning;

import org.jspecify.annotations.NullMarked;
