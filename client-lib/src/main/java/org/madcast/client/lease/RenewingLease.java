package org.madcast.client.lease;

import java.time.Instant;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/** A lease of one group that renews itself until it is closed. Safe for every thread. */
interface RenewingLease extends AutoCloseable {

    MulticastGroup group();

    /** Who leased it. */
    GroupSource source();

    /** The pool that it came from, for people. */
    String scope();

    /** What to look for in the log of who leased it. */
    String id();

    Instant expiresAt();

    /** True when the lease ended although it is still in use. */
    boolean isLost();

    /** Stops renewing and releases. Takes about a second at most; never throws. */
    @Override
    void close();
}
