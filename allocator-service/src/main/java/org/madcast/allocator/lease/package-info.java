/** Leases: granting groups from a scope, renewing, releasing and expiring them. */
@NullMarked
package org.madcast.allocator.lease;

import org.jspecify.annotations.NullMarked;
