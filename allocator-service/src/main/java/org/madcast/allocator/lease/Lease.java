package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.LeasedGroup;

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
 * @param ttl the time to live that keeps datagrams inside of the scope, null when not known
 * @param times when it begins and ends
 * @param state where it is in its life
 */
public record Lease(
        UUID id,
        String scope,
        String job,
        @Nullable String communicator,
        @Nullable String user,
        Map<String, String> labels,
        List<LeasedGroup> groups,
        @Nullable Integer ttl,
        Times times,
        LeaseState state) {

    /**
     * A lease's times.
     *
     * @param grantedAt when it was granted
     * @param startsAt when its groups become its owner's: then, or later
     * @param expiresAt when it ends unless renewed
     * @param releasedAt when it was released, null if it was not
     */
    public record Times(
            Instant grantedAt, Instant startsAt, Instant expiresAt, @Nullable Instant releasedAt) {}

    /** When it was granted. */
    public Instant grantedAt() {
        return times.grantedAt();
    }

    /** When its groups become its owner's. */
    public Instant startsAt() {
        return times.startsAt();
    }

    /** When it ends unless renewed. */
    public Instant expiresAt() {
        return times.expiresAt();
    }

    /** When it was released, null if it was not. */
    public @Nullable Instant releasedAt() {
        return times.releasedAt();
    }

    /** When it ended, null before. */
    public @Nullable Instant endedAt() {
        return switch (state) {
            case SCHEDULED, ACTIVE -> null;
            case RELEASED -> releasedAt();
            case EXPIRED -> expiresAt();
        };
    }
}
