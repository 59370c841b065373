package org.madcast.allocator.scope;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator decided about a scope beside its addresses. Immutable.
 *
 * @param excluded addresses in its ranges that are not granted, as text
 * @param allowUnscoped whether ranges outside of the administratively scoped ones are meant
 * @param picker the order in which the pool is dealt out
 * @param groupsPerJob how many groups one job may have at a time, null for any number
 * @param groupsPerUser how many groups one user may have at a time, null for any number
 * @param closedAt since when there are no new leases, null while the scope is open
 */
public record ScopePolicy(
        List<String> excluded,
        boolean allowUnscoped,
        Picker picker,
        @Nullable Integer groupsPerJob,
        @Nullable Integer groupsPerUser,
        @Nullable Instant closedAt) {

    /** Nothing excluded, no quota, open. */
    public static final ScopePolicy OPEN =
            new ScopePolicy(List.of(), false, Picker.PERMUTATION, null, null, null);

    /** Whether it grants leases. */
    public boolean isOpen() {
        return closedAt == null;
    }

    /** Whether there is a limit to what one owner may have. */
    public boolean hasQuota() {
        return groupsPerJob != null || groupsPerUser != null;
    }
}
