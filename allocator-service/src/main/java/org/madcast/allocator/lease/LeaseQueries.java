package org.madcast.allocator.lease;

import jakarta.persistence.EntityManager;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.Path;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * Groups that somebody has now, or that rest. No two of them are one slot of a pool: the
     * constraint does not let their times overlap.
     */
    private static final String PRESENT =
            "not g.settled and upper(g.blocked) > now() and lower(g.blocked) <= now()";

    /** Slots that nobody has now, but somebody will. */
    private static final String RESERVED =
            """
            select distinct later.scope, later.address,
                case when later.shares_address then later.port end
            from lease_group later
            where not later.settled and upper(later.blocked) > now()
                and lower(later.blocked) > now()
                and not exists (select from lease_group g
                    where %s and g.scope = later.scope and g.address = later.address
                        and (g.port = later.port or not later.shares_address))
            """
                    .formatted(PRESENT);

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
     * How full a scope is. No group is counted twice.
     *
     * @param leased groups of active leases
     * @param quarantined groups that rest
     * @param reserved other groups that are kept for leases that start later
     */
    public record Filling(String scope, long leased, long quarantined, long reserved) {

        /** Of a scope without a group in use. */
        public static Filling none(String scope) {
            return new Filling(scope, 0, 0, 0);
        }

        /** Groups that a lease has, that rest, or that are kept. */
        public long inUse() {
            return leased + quarantined + reserved;
        }
    }

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
                        select scope, sum(leased) as leased, sum(quarantined) as quarantined,
                            sum(reserved) as reserved
                        from (
                            select g.scope,
                                count(*) filter (where l.released_at is null
                                    and l.expires_at > now()) as leased,
                                count(*) filter (where l.released_at is not null
                                    or l.expires_at <= now()) as quarantined,
                                0 as reserved
                            from lease_group g join lease l on l.id = g.lease_id
                            where %s group by g.scope
                            union all
                            select scope, 0, 0, count(*) from (%s) as reserved group by scope
                        ) as filled group by scope
                        """
                                .formatted(PRESENT, RESERVED))
                .query((row, index) ->
                        new Filling(
                                row.getString("scope"),
                                row.getLong("leased"),
                                row.getLong("quarantined"),
                                row.getLong("reserved")))
                .list();
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
