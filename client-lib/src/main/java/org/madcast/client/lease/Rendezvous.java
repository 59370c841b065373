package org.madcast.client.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * One rank's place in a communicator that is being made, and later its membership. First the group
 * and the token are known, so that the rank can open its sockets and join the group; then {@link
 * #meet} waits for the others, each of which listens already. Methods are called from one thread.
 */
public interface Rendezvous extends AutoCloseable {

    /** The communicator's group. */
    MulticastGroup group();

    /** Who chose the group. */
    GroupSource groupSource();

    /** The pool that the group was leased from, null when it was not leased. */
    default @Nullable String scope() {
        return null;
    }

    /** The lease, null when there is none. */
    default @Nullable String leaseId() {
        return null;
    }

    /** When the lease ends unless renewed, null when there is none. */
    default @Nullable Instant leaseExpiresAt() {
        return null;
    }

    /** The communicator's token, the same on every rank. */
    long token();

    /**
     * Tells the others about this rank and waits for all of them.
     *
     * @return all members, by rank
     * @throws JoinFailedException naming the missing ranks when the time is over, or when this rank
     *     was there already
     */
    List<Member> meet(Member self, Duration timeout);

    /**
     * True when {@link #meet} failed because the service does not answer any more, and the ranks
     * can meet without it: each then asks {@link RendezvousSelection#withoutService}.
     */
    default boolean canMeetWithoutService() {
        return false;
    }

    /**
     * True when the lease ended although this rank still uses it: the service was away for longer
     * than the lease, or ended it. The group may belong to others now, so nothing may be sent to it
     * any more. Never true without a lease. May be called from every thread.
     */
    default boolean leaseLost() {
        return false;
    }

    /**
     * Another group, which this communicator is to move to; asked on rank 0 only, when the lease
     * was lost or the group turned out to be another's. From then on everything that is told here
     * about group and lease is about this one. Takes a few seconds at most.
     *
     * @param present the group that is used now
     * @return empty when the group was the user's own choice
     */
    default Optional<ReplacementGroup> freshGroup(MulticastGroup present)
            throws InterruptedException {
        return Optional.empty();
    }

    /** The topology that the service gave to all ranks; empty before they met, or without one. */
    default Optional<KeptTopology> topology() {
        return Optional.empty();
    }

    /** Where statistics can be reported to; empty when there is no service. */
    default Optional<ReportChannel> reports() {
        return Optional.empty();
    }

    /**
     * Leaves; the last rank's leaving releases the lease. Never throws: what could not be said to
     * the service is logged with the time at which the lease expires by itself.
     */
    @Override
    void close();
}
