package org.madcast.allocator.scope;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;

/** The JSON of scopes. */
public final class ScopeBodies {

    static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";

    private ScopeBodies() {}

    /** That there is no scope of this name. */
    public static Problem noSuchScope(String name) {
        return new Problem(
                        ProblemType.NO_SUCH_SCOPE,
                        "GET /v1/scopes lists the scopes that there are.")
                .with("scope", name);
    }

    /** The ports of a scope. */
    @Schema(name = "ScopePorts")
    record Ports(
            @NotNull @Min(1) @Max(65535) Integer first,
            @NotNull @Min(1) @Max(65535) Integer last,
            @Nullable @Min(1) @Max(65535) Integer step) {

        static final Ports USUAL = new Ports(5000, 32_768, 2);

        PortRange toRange() {
            if (last < first) {
                throw Problem.invalid("ports.last", "must not be below ports.first");
            }
            return new PortRange(first, last, step == null ? 1 : step);
        }

        static Ports of(PortRange range) {
            return new Ports(range.first(), range.last(), range.step());
        }
    }

    /** What one owner may have at a time. */
    @Schema(name = "ScopeQuota")
    record Quota(
            @Nullable @Min(1) @Max(Limits.QUOTA) Integer groupsPerJob,
            @Nullable @Min(1) @Max(Limits.QUOTA) Integer groupsPerUser) {

        static final Quota NONE = new Quota(null, null);
    }

    /** All of a scope but its name; what is left out has its usual value. */
    @Schema(name = "ScopeProperties")
    record Properties(
            @Nullable
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String description,
            @NotEmpty @Size(max = Limits.RANGES)
                    List<@NotBlank @Size(max = Limits.NAME_LENGTH) String> ranges,
            @Nullable @Size(max = Limits.RANGES)
                    List<@NotBlank @Size(max = Limits.NAME_LENGTH) String> excluded,
            @Nullable @Valid Ports ports,
            @Nullable @Min(0) @Max(255) Integer ttl,
            @Nullable @Valid Sharing sharing,
            @Nullable Boolean allowUnscoped,
            @Nullable @Pattern(regexp = "permutation|sequential") String picker,
            @Nullable @Min(0) @Max(86_400) Integer quarantineSeconds,
            @Nullable @Min(1) @Max(Limits.LEASE_SECONDS) Integer longestLeaseSeconds,
            @Nullable @Valid Quota quota,
            @Nullable Boolean closed) {

        private static final int QUARANTINE_SECONDS = 60;
        private static final int LONGEST_LEASE_SECONDS = 604_800;

        Scope toScope(String name) {
            List<String> without = excluded == null ? List.of() : excluded;
            boolean unscoped = Boolean.TRUE.equals(allowUnscoped);
            AddressPool pool;
            try {
                pool =
                        AddressPool.of(
                                parsed("ranges", ranges), parsed("excluded", without), unscoped);
            } catch (IllegalArgumentException wrong) {
                throw Problem.invalid("ranges", String.valueOf(wrong.getMessage()));
            }
            Sharing shares = sharing == null ? Sharing.USUAL : sharing;
            Quota owners = quota == null ? Quota.NONE : quota;
            return new Scope(
                    name,
                    description == null ? "" : description,
                    List.copyOf(ranges),
                    pool,
                    (ports == null ? Ports.USUAL : ports).toRange(),
                    ttl == null ? 1 : ttl,
                    shares.segment() == null ? "default" : shares.segment(),
                    Boolean.TRUE.equals(shares.addressesByPort()),
                    Duration.ofSeconds(
                            quarantineSeconds == null ? QUARANTINE_SECONDS : quarantineSeconds),
                    Duration.ofSeconds(
                            longestLeaseSeconds == null
                                    ? LONGEST_LEASE_SECONDS
                                    : longestLeaseSeconds),
                    0,
                    new ScopePolicy(
                            List.copyOf(without),
                            unscoped,
                            picker == null
                                    ? Picker.PERMUTATION
                                    : Picker.valueOf(picker.toUpperCase(Locale.ROOT)),
                            owners.groupsPerJob(),
                            owners.groupsPerUser(),
                            Boolean.TRUE.equals(closed) ? Instant.EPOCH : null));
        }

        /** Those of a scope, as they would make it again. */
        static Properties of(Scope scope) {
            Rules rules = Rules.of(scope);
            return new Properties(
                    scope.description(),
                    scope.ranges(),
                    rules.excluded(),
                    rules.ports(),
                    scope.ttl(),
                    rules.sharing(),
                    rules.allowUnscoped(),
                    rules.picker(),
                    (int) rules.quarantineSeconds(),
                    (int) rules.longestLeaseSeconds(),
                    rules.quota(),
                    rules.closed());
        }

        private static List<PoolRange> parsed(String field, List<String> texts) {
            try {
                return texts.stream().map(PoolRange::parse).toList();
            } catch (IllegalArgumentException wrong) {
                throw Problem.invalid(field, String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** Which leases may be on one Ethernet address. */
    @Schema(name = "ScopeSharing")
    record Sharing(
            @Nullable
                    @Size(min = 1, max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String segment,
            @Nullable Boolean addressesByPort) {

        static final Sharing USUAL = new Sharing(null, null);
    }

    /** All scopes. */
    record Scopes(List<View> items) {}

    /**
     * A scope and how full it is.
     *
     * @param capacity how many groups can be leased at a time
     * @param leased groups that are in use now
     * @param quarantined groups that rest after a lease
     * @param reserved other groups that are kept for leases that start later
     */
    @Schema(name = "Scope")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String name,
            String description,
            List<String> ranges,
            String ports,
            int ttl,
            long capacity,
            long leased,
            long quarantined,
            long reserved,
            Rules rules) {

        static View of(Scope scope, Filling filling) {
            return new View(
                    scope.name(),
                    scope.description(),
                    scope.ranges(),
                    scope.ports().toString(),
                    scope.ttl(),
                    scope.capacity(),
                    filling.leased(),
                    filling.quarantined(),
                    filling.reserved(),
                    Rules.of(scope));
        }
    }

    /** What an operator decided about a scope. */
    @Schema(name = "ScopeRules")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Rules(
            List<String> excluded,
            Ports ports,
            Sharing sharing,
            boolean allowUnscoped,
            String picker,
            long quarantineSeconds,
            long longestLeaseSeconds,
            Quota quota,
            boolean closed,
            @Nullable Instant closedAt) {

        static Rules of(Scope scope) {
            ScopePolicy policy = scope.policy();
            return new Rules(
                    policy.excluded(),
                    Ports.of(scope.ports()),
                    new Sharing(scope.segment(), scope.sharesAddresses()),
                    policy.allowUnscoped(),
                    policy.picker().name().toLowerCase(Locale.ROOT),
                    scope.quarantine().toSeconds(),
                    scope.longestLease().toSeconds(),
                    new Quota(policy.groupsPerJob(), policy.groupsPerUser()),
                    !policy.isOpen(),
                    policy.closedAt());
        }
    }
}
