/**
 * The MADCAP server (RFC 2730, RFC 2907): its sockets, what it remembers of requests, and its
 * leases, which are leases like all others. What a message says and whether it is served is decided
 * in the module {@code madcap}.
 */
@NullMarked
package org.madcast.allocator.madcap;

import org.jspecify.annotations.NullMarked;
