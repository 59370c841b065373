package org.madcast.allocator.scope;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * A row of the scope table, as an operator edits it. How its slots are numbered and dealt is not
 * the operator's, and not in here.
 */
@Entity
@Table(name = "scope")
// The persistence provider sets the fields, and reads them.
@SuppressWarnings({"NullAway.Init", "UnusedVariable"})
class ScopeEntity {

    @Id private String name;
    private String description;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<String> ranges;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<String> excluded;

    private int portFirst;
    private int portLast;
    private int portStep;
    private int ttl;
    private String segment;
    private boolean sharesAddresses;
    private boolean allowUnscoped;
    private String picker;
    private int quarantineSeconds;
    private int longestLeaseSeconds;
    private @Nullable Integer groupsPerJob;
    private @Nullable Integer groupsPerUser;
    private @Nullable Instant closedAt;

    /** For the persistence provider. */
    protected ScopeEntity() {}

    /** Gives it these properties; one that was closed before stays closed since then. */
    void edit(Scope scope, Instant now) {
        ScopePolicy policy = scope.policy();
        description = scope.description();
        ranges = scope.ranges();
        excluded = policy.excluded();
        portFirst = scope.ports().first();
        portLast = scope.ports().last();
        portStep = scope.ports().step();
        ttl = scope.ttl();
        segment = scope.segment();
        sharesAddresses = scope.sharesAddresses();
        allowUnscoped = policy.allowUnscoped();
        picker = policy.picker().name().toLowerCase(Locale.ROOT);
        quarantineSeconds = (int) scope.quarantine().toSeconds();
        longestLeaseSeconds = (int) scope.longestLease().toSeconds();
        groupsPerJob = policy.groupsPerJob();
        groupsPerUser = policy.groupsPerUser();
        if (policy.isOpen()) {
            closedAt = null;
        } else if (closedAt == null) {
            closedAt = now;
        }
    }
}
