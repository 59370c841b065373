package org.madcast.allocator.statistics;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.MembershipService;
import org.springframework.stereotype.Component;

/**
 * Remembers for ten minutes which secrets were right, so that not every report asks the database.
 * Only reports are taken by this: whoever left a while ago may still say what he counted. From any
 * thread.
 */
@Component
class KnownMembers {

    private static final int MOST = 200_000;
    private static final long VALID_NS = TimeUnit.MINUTES.toNanos(10);

    private final MembershipService membership;
    private final ConcurrentMap<Proof, Long> provenNs = new ConcurrentHashMap<>();

    KnownMembers(MembershipService membership) {
        this.membership = membership;
    }

    private record Proof(UUID communicator, int rank, UUID instance, String secret) {}

    boolean isMember(Report report, @Nullable String secret) {
        if (secret == null) {
            return false;
        }
        Proof proof = new Proof(report.communicator(), report.rank(), report.instance(), secret);
        long nowNs = System.nanoTime();
        Long sinceNs = provenNs.get(proof);
        if (sinceNs != null && nowNs - sinceNs < VALID_NS) {
            return true;
        }
        boolean member =
                membership.isMember(
                        report.communicator(), report.rank(), secret, report.instance());
        if (member) {
            if (provenNs.size() >= MOST) {
                provenNs.clear();
            }
            provenNs.put(proof, nowNs);
        } else {
            provenNs.remove(proof);
        }
        return member;
    }
}
