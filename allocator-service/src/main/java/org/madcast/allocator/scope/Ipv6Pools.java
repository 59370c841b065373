package org.madcast.allocator.scope;

import java.util.ArrayList;
import java.util.List;

/** What may be granted of IPv6 (RFC 4291 section 2.7, RFC 3307, RFC 7346). */
final class Ipv6Pools {

    /** The flag of addresses that are not assigned for good. */
    private static final int TRANSIENT = 1;

    private static final int INTERFACE_LOCAL = 1;
    private static final int ORGANIZATION_LOCAL = 8;
    private static final long FIRST_DYNAMIC = 0x8000_0000L;
    private static final long FIRST_KEPT = 0xff00_0000L;
    private static final long LAST = 0xffff_ffffL;

    private Ipv6Pools() {}

    static void requireGrantable(Ipv6.Prefix prefix, PoolRange range, boolean allowUnscoped) {
        if (!prefix.isMulticast()) {
            throw new IllegalArgumentException(range + " is not multicast (ff00::/8)");
        }
        if ((prefix.flags() & TRANSIENT) == 0) {
            throw new IllegalArgumentException(
                    range + " has assigned addresses: write ff1S::, with the scope S");
        }
        boolean scoped = prefix.scope() >= INTERFACE_LOCAL && prefix.scope() <= ORGANIZATION_LOCAL;
        if (!allowUnscoped && !scoped) {
            throw new IllegalArgumentException(
                    range + " reaches beyond an organization; set allow_unscoped if it is meant");
        }
    }

    static List<PoolRange> reserved(Ipv6.Prefix prefix, boolean allowUnscoped) {
        List<PoolRange> reserved = new ArrayList<>();
        reserved.add(new PoolRange(prefix, FIRST_KEPT, LAST));
        if (!allowUnscoped) {
            reserved.add(new PoolRange(prefix, 0, FIRST_DYNAMIC - 1));
        }
        return reserved;
    }
}
