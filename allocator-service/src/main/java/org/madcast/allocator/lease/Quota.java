package org.madcast.allocator.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.QuotaExceeded;
import org.madcast.allocator.scope.Scope;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Holds that no job and no user has more groups of a scope than its operator allows. Grants to one
 * owner wait for each other, on all replicas, so that two of them cannot both find room for one.
 * Joins the caller's transaction.
 */
@Component
class Quota {

    private final JdbcClient jdbc;

    Quota(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Why the request asks for too much, if it does.
     *
     * @param from the scopes that its groups are to come from, in equal parts
     */
    Optional<QuotaExceeded> exceeded(List<Scope> from, GrantRequest request) {
        // In one order: who waits for an owner's other grants must not be waited for.
        SortedMap<String, List<Scope>> byName = new TreeMap<>();
        from.forEach(it -> byName.computeIfAbsent(it.name(), name -> new ArrayList<>()).add(it));
        int part = request.shape().groups() / from.size();
        return byName.values().stream()
                .flatMap(same -> exceeded(same.getFirst(), request, part * same.size()))
                .findFirst();
    }

    private Stream<QuotaExceeded> exceeded(Scope scope, GrantRequest request, int groups) {
        Optional<QuotaExceeded> byJob =
                exceeded(scope, "job", request.job(), scope.policy().groupsPerJob(), groups);
        return byJob
                .or(() ->
                        exceeded(
                                scope,
                                "user",
                                request.user(),
                                scope.policy().groupsPerUser(),
                                groups))
                .stream();
    }

    private Optional<QuotaExceeded> exceeded(
            Scope scope, String kind, @Nullable String owner, @Nullable Integer quota, int groups) {
        if (quota == null || owner == null) {
            return Optional.empty();
        }
        // Planned anew: whether the owner's leases are few or many is what a plan for anybody
        // misses.
        jdbc.sql(
                        """
                        select pg_advisory_xact_lock(hashtextextended(?, 0)),
                            set_config('plan_cache_mode', 'force_custom_plan', true)
                        """)
                .param("madcast quota " + kind + " " + scope.name() + " " + owner)
                .query((row, index) -> true)
                .single();
        String column = kind.equals("job") ? "job" : "owner";
        // What runs is not settled. An owner may have had very many leases lately, all the others
        // together few that run; or the other way round: either index may be the short way.
        long inUse =
                jdbc.sql(
                                """
                                select coalesce(sum(case when g.whole_address then 1
                                    else g.port_count end), 0)
                                from lease l join lease_group g on g.lease_id = l.id
                                where l.COLUMN = ? and g.scope = ? and l.released_at is null
                                    and l.expires_at > now()
                                    and not g.settled and upper(g.blocked) > now()
                                """
                                        .replace("COLUMN", column))
                        .params(owner, scope.name())
                        .query(Long.class)
                        .single();
        return inUse + groups <= quota
                ? Optional.empty()
                : Optional.of(new QuotaExceeded(scope.name(), kind, quota, inUse));
    }
}
