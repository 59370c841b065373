package org.madcast.allocator.scope;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of the scope table; it is only read, and leaves this package as a {@link Scope}. */
@Entity
@Immutable
@Table(name = "scope")
@SuppressWarnings("NullAway.Init") // the persistence provider sets the fields
class ScopeEntity {

    @Id private String name;
    private String description;

    @JdbcTypeCode(SqlTypes.ARRAY)
    @Column(columnDefinition = "text[]")
    private List<String> ranges;

    @JdbcTypeCode(SqlTypes.ARRAY)
    @Column(columnDefinition = "text[]")
    private List<String> excluded;

    private int portFirst;
    private int portLast;
    private int portStep;
    private int ttl;
    private String segment;
    private boolean sharesAddresses;
    private boolean allowUnscoped;
    private int quarantineSeconds;
    private int longestLeaseSeconds;
    private long seed;
    private String picker;
    private @Nullable Integer groupsPerJob;
    private @Nullable Integer groupsPerUser;
    private @Nullable Instant closedAt;

    /** For the persistence provider. */
    protected ScopeEntity() {}

    Scope toScope() {
        AddressPool addresses =
                AddressPool.of(
                        ranges.stream().map(AddressRange::parse).toList(),
                        excluded.stream().map(AddressRange::parse).toList(),
                        allowUnscoped);
        return new Scope(
                name,
                description,
                List.copyOf(ranges),
                addresses,
                new PortRange(portFirst, portLast, portStep),
                ttl,
                segment,
                sharesAddresses,
                Duration.ofSeconds(quarantineSeconds),
                Duration.ofSeconds(longestLeaseSeconds),
                seed,
                new ScopePolicy(
                        List.copyOf(excluded),
                        allowUnscoped,
                        Picker.valueOf(picker.toUpperCase(Locale.ROOT)),
                        groupsPerJob,
                        groupsPerUser,
                        closedAt));
    }
}
