package org.madcast.allocator.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
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
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;

/** The JSON of leases. */
final class LeaseBodies {

    private static final String DEFAULT_SCOPE = "default";
    private static final int DEFAULT_SECONDS = 3600;

    private LeaseBodies() {}

    /** Asks for a lease. */
    @Schema(name = "LeaseWish")
    record Grant(
            @NotBlank
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String job,
            @Nullable
                    @Size(min = 1, max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String communicator,
            @Nullable
                    @Size(min = 1, max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String user,
            @Nullable @Size(max = Limits.LABELS)
                    Map<
                                    @NotBlank @Size(max = Limits.LABEL_KEY_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                                    String,
                                    @NotNull @Size(max = Limits.NAME_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                                    String>
                            labels,
            @Nullable
                    @Size(min = 1, max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String scope,
            @Nullable @Min(1) @Max(Limits.GROUPS) Integer count,
            @Nullable @Valid Layout layout,
            @Nullable @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds,
            @Nullable Instant startsAt) {

        GrantRequest toRequest() {
            return new GrantRequest(
                    job,
                    communicator,
                    user,
                    labels == null ? Map.of() : labels,
                    scope == null ? DEFAULT_SCOPE : scope,
                    (layout == null ? Layout.ANYHOW : layout).shape(count == null ? 1 : count),
                    Duration.ofSeconds(durationSeconds == null ? DEFAULT_SECONDS : durationSeconds),
                    startsAt);
        }
    }

    /** How the groups of a lease lie to each other. */
    @Schema(name = "LeaseLayout")
    record Layout(
            @Nullable Boolean block,
            @Nullable @Min(1) @Max(Limits.ALIGNMENT) Integer alignment,
            @Nullable @Min(0) @Max(Limits.ALIGNMENT - 1) Integer offset,
            @Nullable @Min(1) @Max(Limits.GROUPS) Integer portsPerAddress,
            @Nullable
                    @Size(min = 1, max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String blueScope) {

        static final Layout ANYHOW = new Layout(null, null, null, null, null);

        private boolean isBlock() {
            return Boolean.TRUE.equals(block) || alignment != null || offset != null;
        }

        Shape shape(int addresses) {
            int to = alignment == null ? 1 : alignment;
            if (Integer.bitCount(to) != 1) {
                throw Problem.invalid("layout.alignment", "must be a power of two");
            }
            if (offset != null && offset >= to) {
                throw Problem.invalid("layout.offset", "must be below the alignment");
            }
            if (blueScope != null && isBlock()) {
                throw Problem.invalid("layout.blueScope", "does not go with a block");
            }
            int ways = blueScope == null ? 1 : 2;
            int ports = portsPerAddress == null ? 1 : portsPerAddress;
            if (addresses * ports * ways > Limits.GROUPS) {
                throw Problem.invalid(
                        "count",
                        "makes more than %d groups, all ports and ways counted"
                                .formatted(Limits.GROUPS));
            }
            Shape.Layout kind = isBlock() ? Shape.Layout.BLOCK : Shape.Layout.SEPARATE;
            return new Shape(
                    addresses,
                    blueScope == null ? kind : Shape.Layout.RED_BLUE,
                    to,
                    offset == null ? 0 : offset,
                    ports,
                    blueScope);
        }
    }

    /** Asks for more time. */
    @Schema(name = "LeaseRenewal")
    record Renewal(@NotNull @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds) {}

    /** A group; its role only where there are red and blue ones. */
    @Schema(name = "LeaseGroup")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GroupView(String address, int port, @Nullable String role) {

        static GroupView of(LeasedGroup group) {
            return new GroupView(group.address(), group.port(), group.role());
        }
    }

    /** When a lease was granted, begins, ends and was given back. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Times(
            Instant grantedAt, Instant startsAt, Instant expiresAt, @Nullable Instant releasedAt) {

        static Times of(Lease lease) {
            return new Times(
                    lease.grantedAt(), lease.startsAt(), lease.expiresAt(), lease.releasedAt());
        }
    }

    /** A lease; its secret only in the answer to the grant. */
    @Schema(name = "Lease")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            UUID id,
            @Nullable String secret,
            String scope,
            String job,
            @Nullable String communicator,
            @Nullable String user,
            Map<String, String> labels,
            List<GroupView> groups,
            @Nullable Integer ttl,
            @JsonUnwrapped Times times,
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
                    lease.groups().stream().map(GroupView::of).toList(),
                    lease.ttl(),
                    Times.of(lease),
                    lease.state());
        }
    }

    /** A page of something. */
    record PageOf<T>(List<T> items, int page, int size, long total) {}
}
