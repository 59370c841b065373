package org.madcast.allocator.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseHistory;
import org.madcast.allocator.scope.Pools;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopePolicy;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** What the page of the scopes shows. */
@Component
class ScopesPage {

    private static final int MOST_LEASES = 50;
    private static final int LONGEST_ADDRESS = 64;

    private final Pools pools;
    private final LeaseHistory history;
    private final SqlTime time;

    ScopesPage(Pools pools, LeaseHistory history, SqlTime time) {
        this.pools = pools;
        this.history = history;
        this.time = time;
    }

    /** The whole page. */
    public record View(List<Row> scopes, @Nullable Past past) {}

    /** A scope: how full it is and its rules. */
    public record Row(Pools.Pool pool, boolean open, List<Rule> rules) {}

    /** A line of a scope's rules. */
    public record Rule(String name, String value) {}

    /**
     * Who had an address.
     *
     * @param wrong whether that is no address
     */
    public record Past(String address, boolean wrong, List<Entry> entries) {}

    /** A lease that had it. */
    public record Entry(
            UUID lease,
            String job,
            String user,
            String scope,
            String ports,
            String from,
            String to,
            boolean current) {}

    View view(@Nullable String address) {
        List<Row> rows = pools.all().pools().stream().map(ScopesPage::row).toList();
        Past past = address == null || address.isBlank() ? null : past(address.strip());
        return new View(rows, past);
    }

    private static Row row(Pools.Pool pool) {
        Scope scope = pool.scope();
        ScopePolicy policy = scope.policy();
        List<Rule> rules = new ArrayList<>();
        rules.add(new Rule("Ranges", String.join(", ", scope.ranges())));
        if (!policy.excluded().isEmpty()) {
            rules.add(new Rule("Never granted", String.join(", ", policy.excluded())));
        }
        rules.add(new Rule("Ports", scope.ports().toString()));
        rules.add(new Rule("Time to live", String.valueOf(scope.ttl())));
        rules.add(new Rule("Layer-2 domain", scope.segment()));
        rules.add(
                new Rule(
                        "An address is leased",
                        scope.sharesAddresses() ? "port by port" : "with all of its ports"));
        rules.add(new Rule("Longest lease", Show.length(scope.longestLease())));
        rules.add(new Rule("Quarantine", Show.length(scope.quarantine())));
        Integer perJob = policy.groupsPerJob();
        Integer perUser = policy.groupsPerUser();
        if (perJob != null) {
            rules.add(new Rule("Groups of a job", "at most " + Show.count(perJob)));
        }
        if (perUser != null) {
            rules.add(new Rule("Groups of a user", "at most " + Show.count(perUser)));
        }
        return new Row(pool, policy.isOpen(), List.copyOf(rules));
    }

    private Past past(String address) {
        Instant now = time.now();
        try {
            if (address.length() <= LONGEST_ADDRESS) {
                return new Past(
                        address,
                        false,
                        history.of(address, null, null, MOST_LEASES).stream()
                                .map(it -> entry(it, now))
                                .toList());
            }
        } catch (IllegalArgumentException notOne) {
            return new Past(address, true, List.of());
        }
        return new Past(address, true, List.of());
    }

    private static Entry entry(LeaseHistory.Entry it, Instant now) {
        int first = it.ports().first();
        int last = it.ports().last();
        boolean current = !it.startsAt().isAfter(now) && it.endedAt().isAfter(now);
        String user = it.user();
        return new Entry(
                it.leaseId(),
                it.job(),
                user == null ? "–" : user,
                it.scope(),
                first == last ? String.valueOf(first) : first + " to " + last,
                Show.moment(it.startsAt()),
                (current ? "has it until " : "") + Show.moment(it.endedAt()),
                current);
    }
}
