package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.LeaseRules.Source;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.scope.Scope;

/**
 * A lease to be written.
 *
 * @param id its number
 * @param grant what it was requested with, and by whom
 * @param sources where its groups come from: of pairs, red ones from the first, blue ones from the
 *     second
 * @param secret its secret
 */
record NewLease(UUID id, Grant grant, List<Source> sources, String secret) {

    GrantRequest request() {
        return grant.request();
    }

    /** The times of the lease itself, whose groups may rest for different times. */
    Term term() {
        return sources.getFirst().term();
    }

    Scope scope() {
        return sources.getFirst().scope();
    }

    List<Scope> scopes() {
        return sources.stream().map(Source::scope).toList();
    }

    boolean startsLater() {
        return request().startsAt() != null;
    }

    /** The addresses that it takes from each source. */
    List<Part> parts() {
        int addresses = request().shape().addresses();
        if (sources.size() == 1) {
            return List.of(new Part(this, sources.getFirst(), 0, null));
        }
        return List.of(
                new Part(this, sources.getFirst(), 0, "red"),
                new Part(this, sources.getLast(), addresses, "blue"));
    }

    /**
     * The addresses of a lease that come from one scope.
     *
     * @param lease the lease
     * @param source the scope, and when
     * @param firstOrdinal the place of the first group within the lease
     * @param role red or blue, null if neither
     */
    record Part(NewLease lease, Source source, int firstOrdinal, @Nullable String role) {

        Scope scope() {
            return source.scope();
        }

        boolean isBlock() {
            return lease.request().shape().layout() == Shape.Layout.BLOCK;
        }

        boolean startsLater() {
            return lease.startsLater();
        }

        int addresses() {
            return lease.request().shape().addresses();
        }

        /** The row of one of its groups. */
        Row row(int index, long slotNumber, String address, int port) {
            return new Row(
                    source.scope(),
                    lease.id(),
                    firstOrdinal + index,
                    slotNumber,
                    new LeasedGroup(address, port, role),
                    lease.request().shape().ports(),
                    source.term(),
                    null);
        }
    }

    /** The lease, once it has these groups. */
    Lease granted(List<Row> rows, Instant now) {
        List<LeasedGroup> groups = new ArrayList<>();
        rows.stream()
                .sorted(Comparator.comparingInt(Row::ordinal))
                .forEach(it -> {
                    LeasedGroup first = it.group();
                    for (int i = 0; i < Shape.listed(it.ports()); i++) {
                        groups.add(
                                new LeasedGroup(first.address(), first.port() + i, first.role()));
                    }
                });
        return new Lease(
                id,
                scope().name(),
                request().job(),
                request().communicator(),
                request().user(),
                request().labels(),
                List.copyOf(groups),
                scope().ttl(),
                new Lease.Times(now, term().startsAt(), term().expiresAt(), null),
                LeaseRules.state(now, term().startsAt(), term().expiresAt(), null));
    }
}
