package org.madcast.allocator.communicator;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A set of ranks of one job that broadcast to each other. A snapshot.
 *
 * @param id its number
 * @param job the job
 * @param name its name within the job, or of a child within its parent
 * @param parentId what it was split off or copied from, null if it was not
 * @param size how many ranks there are
 * @param token 16 hexadecimal digits that its datagrams carry
 * @param ownedBy whose it is, null if anybody's
 * @param leaseId the lease of its group, null once that is forgotten
 * @param createdAt when the first rank asked for it
 * @param completedAt when the last of its ranks registered, null while one is missing
 * @param endedAt when it ended, null while it lives
 * @param endReason why it ended
 */
public record Communicator(
        UUID id,
        String job,
        String name,
        @Nullable UUID parentId,
        int size,
        String token,
        @Nullable String ownedBy,
        @Nullable UUID leaseId,
        Instant createdAt,
        @Nullable Instant completedAt,
        @Nullable Instant endedAt,
        @Nullable String endReason) {

    /** Whether all ranks have registered. */
    public boolean complete() {
        return completedAt != null;
    }
}
