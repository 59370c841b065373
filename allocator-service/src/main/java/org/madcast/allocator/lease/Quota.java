package org.madcast.allocator.lease;

import java.util.Optional;
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

    /** Why the request asks for too much, if it does. */
    Optional<QuotaExceeded> exceeded(Scope scope, GrantRequest request) {
        Optional<QuotaExceeded> byJob =
                exceeded(scope, request, "job", request.job(), scope.policy().groupsPerJob());
        return byJob.isPresent()
                ? byJob
                : exceeded(scope, request, "user", request.user(), scope.policy().groupsPerUser());
    }

    private Optional<QuotaExceeded> exceeded(
            Scope scope,
            GrantRequest request,
            String kind,
            @Nullable String owner,
            @Nullable Integer quota) {
        if (quota == null || owner == null) {
            return Optional.empty();
        }
        jdbc.sql("select pg_advisory_xact_lock(hashtextextended(?, 0))")
                .param("madcast quota " + kind + " " + scope.name() + " " + owner)
                .query((row, index) -> true)
                .single();
        String column = kind.equals("job") ? "job" : "owner";
        long inUse =
                jdbc.sql(
                                """
                                select coalesce(sum(group_count), 0) from lease
                                where COLUMN = ? and scope = ? and released_at is null
                                    and expires_at > now()
                                """
                                        .replace("COLUMN", column))
                        .params(owner, scope.name())
                        .query(Long.class)
                        .single();
        return inUse + request.shape().groups() <= quota
                ? Optional.empty()
                : Optional.of(new QuotaExceeded(scope.name(), kind, quota, inUse));
    }
}
