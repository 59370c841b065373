package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.madcap.MadcapStore.Extended;
import org.madcast.allocator.madcap.MadcapStore.Row;

/** What is recorded of MADCAP. Offers are not: an address that is only held is not leased. */
final class MadcapRecords {

    private static final String MADCAP = "madcap";

    private MadcapRecords() {}

    /** The client of a request: it has no token, and its transaction numbers it. */
    static Actor by(MadcapRequest request) {
        return by(request.client(), request.message().xid());
    }

    private static Actor by(InetAddress client, int xid) {
        return new Actor(
                MADCAP, "none", client.getHostAddress(), "xid-" + Integer.toHexString(xid));
    }

    /** What was granted at once, of these rows that were just made. */
    static List<AuditEntry> granted(List<Row> rows) {
        return rows.stream()
                .filter(it -> !it.held())
                .map(it -> granted(by(it.client(), it.xid()), it, it.startsAt(), it.endsAt()))
                .toList();
    }

    /** That what was held is granted. */
    static AuditEntry granted(MadcapRequest request, Row held, Extended terms) {
        return granted(by(request), held, terms.startsAt(), terms.endsAt());
    }

    private static AuditEntry granted(Actor by, Row row, Instant startsAt, Instant endsAt) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("scope", row.scope());
        detail.put("user", row.client().getHostAddress());
        detail.put("groups", row.addresses());
        detail.put("startsAt", startsAt.toString());
        detail.put("expiresAt", endsAt.toString());
        return new AuditEntry(
                AuditKind.LEASE_GRANTED, by, MADCAP, row.lease(), row.addresses(), detail);
    }

    /** Who ended these, but for holds. */
    static Map<UUID, Actor> released(MadcapRequest request, List<Row> rows) {
        Map<UUID, Actor> by = new HashMap<>();
        rows.stream().filter(it -> !it.held()).forEach(it -> by.put(it.lease(), by(request)));
        return by;
    }
}
