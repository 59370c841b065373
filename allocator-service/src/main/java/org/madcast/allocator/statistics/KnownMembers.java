package org.madcast.allocator.statistics;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.MembershipService;
import org.springframework.stereotype.Component;

/**
 * Remembers for ten to twenty minutes which secrets were right, so that not every report asks the
 * database, nor those of one time all at one time again. Only reports are taken by this: whoever
 * left a while ago may still say what he counted. From any thread.
 */
@Component
class KnownMembers {

    private static final int MOST = 200_000;
    private static final long VALID_NS = TimeUnit.MINUTES.toNanos(10);

    private final MembershipService membership;
    private final ConcurrentMap<Proof, Long> validUntilNs = new ConcurrentHashMap<>();

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
        Long untilNs = validUntilNs.get(proof);
        if (untilNs != null && untilNs - nowNs > 0) {
            return true;
        }
        boolean member =
                membership.isMember(
                        report.communicator(), report.rank(), secret, report.instance());
        if (member) {
            if (validUntilNs.size() >= MOST) {
                validUntilNs.clear();
            }
            validUntilNs.put(proof, nowNs + VALID_NS + spread(proof));
        } else {
            validUntilNs.remove(proof);
        }
        return member;
    }

    private static long spread(Proof proof) {
        return VALID_NS / 1000 * Math.floorMod(proof.hashCode(), 1000);
    }
}
