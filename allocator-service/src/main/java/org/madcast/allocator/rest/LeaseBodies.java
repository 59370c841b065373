package org.madcast.allocator.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.scope.MulticastGroup;

/** The JSON of leases. */
final class LeaseBodies {

    private static final String DEFAULT_SCOPE = "default";
    private static final int DEFAULT_SECONDS = 3600;

    private LeaseBodies() {}

    /** Asks for a lease. */
    record Grant(
            @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String job,
            @Nullable @Size(min = 1, max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String communicator,
            @Nullable @Size(min = 1, max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String user,
            @Nullable @Size(max = Limits.LABELS)
                    Map<
                                    @NotBlank @Size(max = Limits.LABEL_KEY_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT) String,
                                    @NotNull @Size(max = Limits.NAME_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT) String>
                            labels,
            @Nullable
                    @Size(min = 1, max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT)
                    String scope,
            @Nullable @Min(1) @Max(Limits.GROUPS) Integer count,
            @Nullable @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds) {

        GrantRequest toRequest() {
            return new GrantRequest(
                    job,
                    communicator,
                    user,
                    labels == null ? Map.of() : labels,
                    scope == null ? DEFAULT_SCOPE : scope,
                    count == null ? 1 : count,
                    Duration.ofSeconds(
                            durationSeconds == null ? DEFAULT_SECONDS : durationSeconds));
        }
    }

    /** Asks for more time. */
    record Renewal(@NotNull @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds) {}

    /** A lease; its secret only in the answer to the grant. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            UUID id,
            @Nullable String secret,
            String scope,
            String job,
            @Nullable String communicator,
            @Nullable String user,
            Map<String, String> labels,
            List<MulticastGroup> groups,
            Instant grantedAt,
            Instant expiresAt,
            @Nullable Instant releasedAt,
            LeaseState state) {

        static View of(Lease lease, @Nullable String secret) {
            return new View(
                    lease.id(),
                    secret,
                    lease.scope(),
                    lease.job(),
                    lease.communicator(),
                    lease.user(),
                    lease.labels(),
                    lease.groups(),
                    lease.grantedAt(),
                    lease.expiresAt(),
                    lease.releasedAt(),
                    lease.state());
        }
    }

    /** A page of something. */
    record PageOf<T>(List<T> items, int page, int size, long total) {}
}
