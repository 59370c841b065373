/** What an operator should look at, found in the pools, the leases and the reports. */
@NullMarked
package org.madcast.allocator.alert;

import org.jspecify.annotations.NullMarked;
