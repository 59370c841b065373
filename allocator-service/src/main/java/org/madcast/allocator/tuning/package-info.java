/**
 * How long a root should wait before it sends: pure functions of what is passed in, no clock and no
 * I/O.
 */
@NullMarked
package org.madcast.allocator.tuning;

import org.jspecify.annotations.NullMarked;
