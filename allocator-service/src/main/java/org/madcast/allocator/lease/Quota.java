package org.madcast.allocator.lease;

import static org.madcast.allocator.lease.LeaseStore.texts;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.QuotaExceeded;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Holds that no job and no user has more groups of a scope, and no token more in all, than
 * operators allow. Grants to one owner wait for each other, on all replicas, so that two of them
 * cannot both find room for one. Joins the caller's transaction.
 */
@Component
class Quota {

    private static final String TOKEN = "token";
    private static final String ANY_SCOPE = "";
    private static final Comparator<Scope> BY_NAME = Comparator.comparing(Scope::name);

    private final JdbcClient jdbc;
    private final SqlTime time;

    Quota(JdbcClient jdbc, SqlTime time) {
        this.jdbc = jdbc;
        this.time = time;
    }

    /**
     * A job or a user, in a scope where there is a quota for such, or a token with one.
     *
     * @param scope the scope; empty of a token, whose groups of all scopes count
     * @param kind job, user or token
     * @param name its name
     * @param quota how many groups it may have at a time
     */
    private record Owner(String scope, String kind, String name, int quota) {}

    /**
     * Groups that a request asks for.
     *
     * @param id of the lease to be
     * @param grant the request, and what its token may have
     * @param scopes where its groups come from, in equal parts
     * @param possible false if it will be refused for another reason, should the quota allow it
     */
    record Wanted(UUID id, Grant grant, List<Scope> scopes, boolean possible) {

        GrantRequest request() {
            return grant.request();
        }
    }

    /**
     * Which requests would give an owner too many groups, and which owner. Each counts what those
     * in front of it will have.
     */
    Map<UUID, QuotaExceeded> exceeded(Collection<Wanted> requests) {
        Map<UUID, Map<Owner, Integer>> wanted = new HashMap<>();
        requests.forEach(it -> wanted.put(it.id(), groups(it)));
        Map<Owner, Long> inUse = new HashMap<>();
        wanted.values().forEach(it -> it.keySet().forEach(owner -> inUse.put(owner, 0L)));
        if (inUse.isEmpty()) {
            return Map.of();
        }
        lock(inUse.keySet());
        inUse.replaceAll((owner, none) -> count(owner));
        time.beginByIndex(); // plans once and for all again
        Map<UUID, QuotaExceeded> exceeded = new HashMap<>();
        for (Wanted request : requests) {
            Map<Owner, Integer> own = wanted.getOrDefault(request.id(), Map.of());
            own.forEach((owner, groups) -> {
                long used = inUse.getOrDefault(owner, 0L);
                if (used + groups > owner.quota()) {
                    exceeded.putIfAbsent(
                            request.id(),
                            new QuotaExceeded(owner.scope(), owner.kind(), owner.quota(), used));
                }
            });
            if (request.possible() && !exceeded.containsKey(request.id())) {
                own.forEach((owner, groups) -> inUse.merge(owner, (long) groups, Long::sum));
            }
        }
        return exceeded;
    }

    /** How many groups a request would add to each owner with a quota. */
    private static Map<Owner, Integer> groups(Wanted wanted) {
        Map<Owner, Integer> groups = new LinkedHashMap<>();
        GrantRequest request = wanted.request();
        int each = request.shape().groups() / wanted.scopes().size();
        wanted.scopes().stream()
                .sorted(BY_NAME)
                .forEach(scope -> {
                    add(groups, scope, "job", request.job(), scope.policy().groupsPerJob(), each);
                    add(
                            groups,
                            scope,
                            "user",
                            request.user(),
                            scope.policy().groupsPerUser(),
                            each);
                });
        Requester.GroupLimit limit = wanted.grant().limit();
        if (limit != null) {
            groups.put(
                    new Owner(ANY_SCOPE, TOKEN, limit.token(), limit.most()),
                    request.shape().groups());
        }
        return groups;
    }

    private static void add(
            Map<Owner, Integer> groups,
            Scope scope,
            String kind,
            @Nullable String name,
            @Nullable Integer quota,
            int each) {
        if (name != null && quota != null) {
            groups.merge(new Owner(scope.name(), kind, name, quota), each, Integer::sum);
        }
    }

    /**
     * Locks owners in one order. The counts that follow are planned anew: whether the owner's
     * leases are few or many is what a plan for all owners misses.
     */
    private void lock(Collection<Owner> owners) {
        jdbc.sql(
                        """
                        select count(pg_advisory_xact_lock(key)),
                            set_config('plan_cache_mode', 'force_custom_plan', true)
                        from (select distinct hashtextextended(owner, 0) as key
                            from unnest(:owners::text[]) as owner order by key offset 0) as keys
                        """)
                .param(
                        "owners",
                        texts(
                                owners,
                                it ->
                                        "madcast quota %s %s %s"
                                                .formatted(it.kind(), it.scope(), it.name())))
                .query((row, index) -> true)
                .single();
    }

    /**
     * How many groups an owner has. What runs is not settled. An owner may have had very many
     * leases lately, all the others together few that run; or the other way round: either index may
     * be the short way.
     */
    private long count(Owner owner) {
        if (owner.kind().equals(TOKEN)) {
            return countOfToken(owner.name());
        }
        return jdbc.sql(
                        """
                        select coalesce(sum(case when g.whole_address then 1
                            else g.port_count end), 0)
                        from lease l join lease_group g on g.lease_id = l.id
                        where l.COLUMN = ? and g.scope = ? and l.released_at is null
                            and l.expires_at > now()
                            and not g.settled and upper(g.blocked) > now()
                        """
                                .replace("COLUMN", owner.kind().equals("job") ? "job" : "owner"))
                .params(owner.name(), owner.scope())
                .query(Long.class)
                .single();
    }

    private long countOfToken(String token) {
        return jdbc.sql(
                        """
                        select coalesce(sum(case when g.whole_address then 1
                            else g.port_count end), 0)
                        from lease l join lease_group g on g.lease_id = l.id
                        where l.counted_for = ? and l.released_at is null and l.expires_at > now()
                            and not g.settled and upper(g.blocked) > now()
                        """)
                .param(token)
                .query(Long.class)
                .single();
    }
}
