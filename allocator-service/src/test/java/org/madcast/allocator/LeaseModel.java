package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.scope.Ipv4;
import org.madcast.allocator.scope.MulticastGroup;

/**
 * What the answers of the service say about who had what when, and whether that can be. From any
 * thread; checks come when no client is at work.
 */
final class LeaseModel {

    private final Duration quarantine;
    private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
    private final AtomicLong granted = new AtomicLong();

    LeaseModel(Duration quarantine) {
        this.quarantine = quarantine;
    }

    /** A lease and when it was last said to end. */
    private record Run(Lease lease, Instant end) {}

    /** A lease's hold on an Ethernet address: on one port where it is shared, else on all. */
    private record Hold(UUID lease, MulticastGroup group, Instant start, Instant end) {}

    void granted(Lease lease) {
        Run before = runs.put(lease.id(), new Run(lease, lease.expiresAt()));
        assertThat(before).as("granted twice: %s", lease).isNull();
        granted.incrementAndGet();
    }

    void runsUntil(UUID id, Instant end) {
        runs.computeIfPresent(id, (lease, run) -> new Run(run.lease(), end));
    }

    /** The service says that it has ended: it must have been granted until then, not longer. */
    void requireEnded(UUID id, Instant end) {
        Run run = runs.get(id);
        if (run != null) {
            assertThat(end)
                    .as("%s was promised until %s", run.lease(), run.end())
                    .isEqualTo(run.end());
        }
    }

    long granted() {
        return granted.get();
    }

    /** Compares all holds of each Ethernet address, then forgets those that are long over. */
    void requireNoCollision(String context) {
        Map<Long, List<Hold>> byEthernet = new HashMap<>();
        for (Run run : runs.values()) {
            Instant end = run.end().plus(quarantine);
            if (!end.isAfter(run.lease().startsAt())) {
                continue; // given back before it began
            }
            for (MulticastGroup group : run.lease().groups()) {
                long key = Ipv4.ethernetKey(Ipv4.parse(group.address()));
                byEthernet
                        .computeIfAbsent(key, it -> new ArrayList<>())
                        .add(new Hold(run.lease().id(), group, run.lease().startsAt(), end));
            }
        }
        byEthernet.values().forEach(holds -> requireApart(holds, context));
        Instant old = Instant.now().minusSeconds(60);
        runs.values().removeIf(it -> it.end().isBefore(old));
    }

    private static void requireApart(List<Hold> holds, String context) {
        holds.sort(Comparator.comparing(Hold::start));
        List<Hold> running = new ArrayList<>();
        for (Hold next : holds) {
            running.removeIf(it -> !it.end().isAfter(next.start()));
            for (Hold other : running) {
                boolean apart =
                        other.lease().equals(next.lease())
                                || (isShared(other)
                                        && isShared(next)
                                        && other.group().port() != next.group().port());
                assertThat(apart).as("%s: %s and %s", context, other, next).isTrue();
            }
            running.add(next);
        }
    }

    /** The addresses of the scope that shares them are 239.65 ones. */
    private static boolean isShared(Hold hold) {
        return hold.group().address().startsWith("239.65.");
    }
}
