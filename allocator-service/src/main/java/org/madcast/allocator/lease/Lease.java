package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.MulticastGroup;

/**
 * Some multicast groups, granted to one owner for a time. A snapshot; it holds no secret.
 *
 * @param id its number
 * @param scope the scope that the groups come from
 * @param job the job that owns it
 * @param communicator the job's communicator that it is for, if named
 * @param user who runs the job, if named
 * @param labels the owner's own remarks
 * @param groups what is leased
 * @param grantedAt when it was granted
 * @param expiresAt when it ends unless renewed
 * @param releasedAt when its owner gave it back, null if he did not
 * @param state where it is in its life
 */
public record Lease(
        UUID id,
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

    /** When it ended, null while it is active. */
    public @Nullable Instant endedAt() {
        return switch (state) {
            case ACTIVE -> null;
            case RELEASED -> releasedAt;
            case EXPIRED -> expiresAt;
        };
    }
}
