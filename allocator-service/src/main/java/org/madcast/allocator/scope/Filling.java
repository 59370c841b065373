package org.madcast.allocator.scope;

import java.util.List;

/**
 * How full a scope is. No group is counted twice.
 *
 * @param scope its name
 * @param leased groups of active leases
 * @param quarantined groups that rest
 * @param reserved other groups that are kept for leases that start later
 */
public record Filling(String scope, long leased, long quarantined, long reserved) {

    /** Counts how full scopes are: implemented by what leases their groups. */
    public interface Counter {

        /** How full each scope is; scopes without a group in use are left out. */
        List<Filling> filling();
    }

    /** Of a scope without a group in use. */
    public static Filling none(String scope) {
        return new Filling(scope, 0, 0, 0);
    }

    /** Groups that a lease has, that rest, or that are kept. */
    public long inUse() {
        return leased + quarantined + reserved;
    }
}
