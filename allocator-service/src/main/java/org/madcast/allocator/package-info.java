/** The allocation service: leases multicast groups, introduces ranks, keeps their statistics. */
@NullMarked
package org.madcast.allocator;

import org.jspecify.annotations.NullMarked;
