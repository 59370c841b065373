package org.madcast.allocator.statistics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.madcast.allocator.communicator.MembershipService;
import org.springframework.stereotype.Component;

/**
 * Remembers for ten to twenty minutes which secrets were right, so that not every report asks the
 * database, nor those of one time all at one time again. Only reports are accepted by this: a rank
 * that left a while ago may still report its counts. From any thread.
 */
@Component
class KnownMembers {

    private static final int MOST = 200_000;
    private static final long VALID_NS = TimeUnit.MINUTES.toNanos(10);

    private final MembershipService membership;
    private final ConcurrentMap<Reporter, Long> validUntilNs = new ConcurrentHashMap<>();

    KnownMembers(MembershipService membership) {
        this.membership = membership;
    }

    boolean isMember(Reporter speaker) {
        long nowNs = System.nanoTime();
        Long untilNs = validUntilNs.get(speaker);
        if (untilNs != null && untilNs - nowNs > 0) {
            return true;
        }
        boolean member =
                membership.isMember(
                        speaker.by(),
                        speaker.communicator(),
                        speaker.rank(),
                        speaker.secret(),
                        speaker.instance());
        if (member) {
            if (validUntilNs.size() >= MOST) {
                validUntilNs.clear();
            }
            validUntilNs.put(speaker, nowNs + VALID_NS + spread(speaker));
        } else {
            validUntilNs.remove(speaker);
        }
        return member;
    }

    private static long spread(Reporter speaker) {
        return VALID_NS / 1000 * Math.floorMod(speaker.hashCode(), 1000);
    }
}
