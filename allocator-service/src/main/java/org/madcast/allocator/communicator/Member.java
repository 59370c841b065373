package org.madcast.allocator.communicator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rank that registered. A snapshot.
 *
 * @param rank its number
 * @param endpoint what it said about itself
 * @param joinedAt when
 * @param expiresAt until when it counts as alive unless it renews
 * @param leftAt when it left, null if it did not
 */
public record Member(
        int rank,
        Endpoint endpoint,
        Instant joinedAt,
        Instant expiresAt,
        @Nullable Instant leftAt) {

    /** What has become of a member. */
    public enum State {
        /** It renews its membership. */
        ALIVE,
        /** It left. */
        LEFT,
        /** It neither left nor renewed its membership: it died, or is cut off. */
        LOST
    }

    /** What has become of it by now. */
    public State state(Instant now) {
        if (leftAt != null) {
            return State.LEFT;
        }
        return isAlive(now) ? State.ALIVE : State.LOST;
    }

    /** Whether it is neither gone nor overdue. */
    public boolean isAlive(Instant now) {
        return leftAt == null && expiresAt.isAfter(now);
    }

    /**
     * Where a rank is and what it can take.
     *
     * @param address where its unicast datagrams arrive
     * @param port the port there
     * @param host its host's name
     * @param pid its process
     * @param receiveBufferBytes what its kernel granted its multicast socket
     * @param datagramBytes the largest UDP payload that its interface carries whole
     */
    public record Endpoint(
            String address,
            int port,
            String host,
            long pid,
            long receiveBufferBytes,
            int datagramBytes) {}
}
