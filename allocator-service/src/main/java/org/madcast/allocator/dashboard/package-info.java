/** The pages for people: pools, leases, communicators and how they fare. */
@NullMarked
package org.madcast.allocator.dashboard;

import org.jspecify.annotations.NullMarked;
