package org.madcast.allocator.lease;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of the lease table; it is only read, and leaves this package as a {@link Lease}. */
@Entity
@Immutable
@Table(name = "lease")
@SuppressWarnings("NullAway.Init") // the persistence provider sets the fields
class LeaseEntity {

    @Id private UUID id;
    private String scope;
    private String job;
    private @Nullable String communicator;

    @Column(name = "owner")
    private @Nullable String user;

    @JdbcTypeCode(SqlTypes.JSON)
    private Map<String, String> labels;

    private @Nullable Integer ttl;
    private Instant grantedAt;
    private Instant startsAt;
    private Instant expiresAt;
    private @Nullable Instant releasedAt;

    @ElementCollection
    @CollectionTable(name = "lease_group", joinColumns = @JoinColumn(name = "lease_id"))
    @OrderBy("ordinal")
    @BatchSize(size = 100)
    private List<LeaseGroupPart> groups;

    /** For the persistence provider. */
    protected LeaseEntity() {}

    Lease toLease(Instant now) {
        return new Lease(
                id,
                scope,
                job,
                communicator,
                user,
                Map.copyOf(labels),
                groups.stream().flatMap(LeaseGroupPart::toGroups).toList(),
                ttl,
                new Lease.Times(grantedAt, startsAt, expiresAt, releasedAt),
                LeaseRules.state(now, startsAt, expiresAt, releasedAt));
    }
}
