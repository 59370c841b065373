package org.madcast.allocator.lease;

import jakarta.persistence.EntityManager;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.Path;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Looks leases up. From any thread. */
@Service
@Transactional(readOnly = true)
public class LeaseQueries {

    /** Numbers of leases begin with the time. */
    private static final Sort NEWEST_FIRST = Sort.by(Sort.Order.desc("id"));

    private final LeaseRepository repository;
    private final SqlTime time;
    private final JdbcClient jdbc;
    private final EntityManager entities;

    LeaseQueries(
            LeaseRepository repository, SqlTime time, JdbcClient jdbc, EntityManager entities) {
        this.entities = entities;
        this.repository = repository;
        this.time = time;
        this.jdbc = jdbc;
    }

    /**
     * Which leases to list; null means any.
     *
     * @param job of this job
     * @param scope of this scope
     * @param state in this state
     */
    public record Filter(
            @Nullable String job, @Nullable String scope, @Nullable LeaseState state) {}

    /**
     * Some of the leases that match.
     *
     * @param items this page's
     * @param total how many match
     */
    public record Found(List<Lease> items, long total) {}

    /**
     * How full a scope is.
     *
     * @param leased groups of active leases
     * @param quarantined groups that rest
     */
    public record Filling(String scope, long leased, long quarantined) {}

    /** The lease with this number. */
    public Optional<Lease> find(UUID id) {
        Optional<Lease> found = repository.findById(id).map(it -> it.toLease(time.now()));
        entities.clear(); // so that the next look within this transaction looks again
        return found;
    }

    /** A page of leases, the newest first. */
    public Found list(Filter filter, int page, int size) {
        Instant now = time.now();
        Page<LeaseEntity> found =
                repository.findAll(
                        (root, query, builder) -> matching(filter, now, root, builder),
                        PageRequest.of(page, size, NEWEST_FIRST));
        return new Found(
                found.getContent().stream().map(it -> it.toLease(now)).toList(),
                found.getTotalElements());
    }

    /** How full each scope is; scopes without a group in use are left out. */
    public List<Filling> filling() {
        return jdbc.sql(
                        """
                        select g.scope,
                            count(*) filter (where l.released_at is null
                                and l.expires_at > now()) as leased,
                            count(*) filter (where l.released_at is not null
                                or l.expires_at <= now()) as quarantined
                        from lease_group g join lease l on l.id = g.lease_id
                        where not g.settled and upper(g.blocked) > now()
                        group by g.scope
                        """)
                .query((row, index) ->
                        new Filling(
                                row.getString("scope"),
                                row.getLong("leased"),
                                row.getLong("quarantined")))
                .list();
    }

    /**
     * How many groups of each scope are leased or rest; for less than what {@link #filling} costs.
     */
    public Map<String, Long> inUse() {
        Map<String, Long> counts = new HashMap<>();
        jdbc.sql(
                        """
                        select scope, count(*) as groups from lease_group
                        where not settled and upper(blocked) > now() group by scope
                        """)
                .query(row -> {
                    counts.put(row.getString("scope"), row.getLong("groups"));
                });
        return counts;
    }

    private static Predicate matching(
            Filter filter, Instant now, Root<LeaseEntity> lease, CriteriaBuilder builder) {
        List<Predicate> conditions = new ArrayList<>();
        if (filter.job() != null) {
            conditions.add(builder.equal(lease.get("job"), filter.job()));
        }
        if (filter.scope() != null) {
            conditions.add(builder.equal(lease.get("scope"), filter.scope()));
        }
        if (filter.state() != null) {
            Path<Instant> expiresAt = lease.get("expiresAt");
            Path<Instant> startsAt = lease.get("startsAt");
            Path<Instant> releasedAt = lease.get("releasedAt");
            conditions.add(
                    switch (filter.state()) {
                        case RELEASED -> builder.isNotNull(releasedAt);
                        case SCHEDULED ->
                                builder.and(
                                        builder.isNull(releasedAt),
                                        builder.greaterThan(startsAt, now));
                        case ACTIVE ->
                                builder.and(
                                        builder.isNull(releasedAt),
                                        builder.lessThanOrEqualTo(startsAt, now),
                                        builder.greaterThan(expiresAt, now));
                        case EXPIRED ->
                                builder.and(
                                        builder.isNull(releasedAt),
                                        builder.lessThanOrEqualTo(expiresAt, now));
                    });
        }
        return builder.and(conditions.toArray(Predicate[]::new));
    }
}
