package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.scope.Ipv4;
import org.madcast.allocator.scope.LeasedGroup;

/**
 * What the answers of the service say about who had what when, and whether that can be. From any
 * thread; checks come when no client is at work.
 */
final class LeaseModel {

    private final Domains domains;
    private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
    private final LongAdder granted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder renewed = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder ended = new LongAdder();

    LeaseModel(Domains domains) {
        this.domains = domains;
    }

    /**
     * What a client cannot see, but must be told to judge.
     *
     * @param quarantines how long the groups of each scope rest
     * @param alone the first two numbers of addresses that are in a layer-2 domain of their own,
     *     {@code "239.67."}
     * @param shared those whose addresses are shared by port
     */
    record Domains(Map<String, Duration> quarantines, String alone, String shared) {}

    /** A lease and when it was last said to end. */
    private record Run(Lease lease, Instant end) {}

    /** A lease's hold on an Ethernet address: on one port where it is shared, else on all. */
    private record Hold(UUID lease, LeasedGroup group, Instant start, Instant end) {}

    void granted(Lease lease) {
        Run before = runs.put(lease.id(), new Run(lease, lease.times().expiresAt()));
        assertThat(before).as("granted twice: %s", lease).isNull();
        granted.increment();
    }

    void refused() {
        refused.increment();
    }

    void renewed(UUID id, Instant end) {
        renewed.increment();
        runsUntil(id, end);
    }

    void released(UUID id, Instant end) {
        released.increment();
        runsUntil(id, end);
    }

    private void runsUntil(UUID id, Instant end) {
        runs.computeIfPresent(id, (lease, run) -> new Run(run.lease(), end));
    }

    /** The service says that it has ended: it must have been granted until then, not longer. */
    void requireEnded(UUID id, Instant end) {
        ended.increment();
        Run run = runs.get(id);
        if (run != null) {
            assertThat(end)
                    .as("%s was promised until %s", run.lease(), run.end())
                    .isEqualTo(run.end());
        }
    }

    long granted() {
        return granted.sum();
    }

    /** What was answered so far. */
    @Override
    public String toString() {
        return "%d grants, %d refusals, %d releases, %d renewals, %d too late"
                .formatted(
                        granted.sum(), refused.sum(), released.sum(), renewed.sum(), ended.sum());
    }

    /** Compares all holds of each Ethernet address. */
    void requireNoCollision(String context) {
        Map<Long, List<Hold>> byEthernet = new HashMap<>();
        for (Run run : runs.values()) {
            Instant end = run.end().plus(domains.quarantines().get(run.lease().scope()));
            if (!end.isAfter(run.lease().startsAt())) {
                continue; // given back before it began
            }
            for (LeasedGroup group : run.lease().groups()) {
                long key = Ipv4.ethernetKey(Ipv4.parse(group.address()));
                long domain = group.address().startsWith(domains.alone()) ? 1L << 32 : 0;
                byEthernet
                        .computeIfAbsent(domain | key, it -> new ArrayList<>())
                        .add(new Hold(run.lease().id(), group, run.lease().startsAt(), end));
            }
        }
        byEthernet.values().forEach(holds -> requireApart(holds, context));
    }

    private void requireApart(List<Hold> holds, String context) {
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

    private boolean isShared(Hold hold) {
        return hold.group().address().startsWith(domains.shared());
    }

    /** A lease that the database has and that has not ended. */
    record Stored(Instant expiresAt, Set<String> groups) {}

    /**
     * What clients were promised, the database has, with those groups and that end; and it has
     * nothing else.
     *
     * @param now by the database's clock
     * @param stored all that has neither been released nor expired by then
     */
    void requireKept(Instant now, Map<UUID, Stored> stored, String context) {
        Map<UUID, Stored> promised = new HashMap<>();
        for (Run run : runs.values()) {
            if (run.end().isAfter(now)) {
                Set<String> groups = new HashSet<>();
                run.lease().groups().forEach(it -> groups.add(it.address() + ":" + it.port()));
                promised.put(run.lease().id(), new Stored(run.end(), groups));
            }
        }
        assertThat(stored.keySet()).as("%s: leases", context).isEqualTo(promised.keySet());
        promised.forEach((id, lease) ->
                assertThat(stored.get(id)).as("%s: lease %s", context, id).isEqualTo(lease));
    }

    /** Forgets what was over at this time, and of which nobody asks any more. */
    void forget(Instant old) {
        runs.values().removeIf(it -> it.end().isBefore(old));
    }
}
