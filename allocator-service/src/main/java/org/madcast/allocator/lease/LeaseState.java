package org.madcast.allocator.lease;

/** Where a lease is in its life; it follows from the lease's times and is not stored. */
public enum LeaseState {
    /** Its groups will be its owner's. */
    SCHEDULED,
    /** Its groups are its owner's. */
    ACTIVE,
    /** Its owner gave it back. */
    RELEASED,
    /** It was not renewed in time. */
    EXPIRED
}
