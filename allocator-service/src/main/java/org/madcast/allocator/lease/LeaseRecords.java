package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.lease.LeaseChanges.By;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.lease.LeaseStore.Released;
import org.madcast.allocator.scope.LeasedGroup;

/** What is recorded of leases. */
public final class LeaseRecords {

    private LeaseRecords() {}

    /** That a lease was granted. */
    public static AuditEntry granted(Actor by, Lease lease) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("scope", lease.scope());
        put(detail, "communicator", lease.communicator());
        put(detail, "user", lease.user());
        detail.put("groups", lease.groups().stream().map(LeaseRecords::text).toList());
        detail.put("startsAt", lease.startsAt().toString());
        detail.put("expiresAt", lease.expiresAt().toString());
        List<String> addresses =
                lease.groups().stream().map(LeasedGroup::address).distinct().toList();
        return new AuditEntry(
                AuditKind.LEASE_GRANTED, by, lease.job(), lease.id(), addresses, detail);
    }

    static AuditEntry renewed(Actor by, Locked lease, Instant until) {
        return AuditEntry.of(
                AuditKind.LEASE_RENEWED,
                by,
                lease.id(),
                lease.job(),
                Map.of("scope", lease.scope(), "expiresAt", until.toString()));
    }

    static AuditEntry released(By by, UUID id, Released lease) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("scope", lease.scope());
        if (by.isOther(lease.ownedBy())) {
            detail.put("anothers", true);
        }
        return AuditEntry.of(AuditKind.LEASE_RELEASED, by.actor(), id, lease.job(), detail);
    }

    /** Adds what there is. */
    static void put(Map<String, Object> detail, String name, @Nullable Object value) {
        if (value != null) {
            detail.put(name, value);
        }
    }

    private static String text(LeasedGroup group) {
        boolean brackets = group.address().indexOf(':') >= 0;
        return (brackets ? "[" + group.address() + "]" : group.address()) + ":" + group.port();
    }
}
