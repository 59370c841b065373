package org.madcast.allocator.communicator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of registering, renewing or leaving. */
public sealed interface MembershipOutcome {

    /**
     * The rank is a member.
     *
     * @param rank its number
     * @param secret what it shows from now on
     * @param expiresAt until when it counts as alive
     */
    record Joined(int rank, String secret, Instant expiresAt) implements MembershipOutcome {}

    /**
     * The rank and its group are kept.
     *
     * @param expiresAt until when the rank counts as alive
     * @param leaseExpiresAt until when the group is the communicator's
     */
    record Renewed(Instant expiresAt, Instant leaseExpiresAt) implements MembershipOutcome {}

    /** The rank is gone. */
    record Left() implements MembershipOutcome {}

    /** The communicator is another's. */
    record Foreign() implements MembershipOutcome {}

    /** There is no such communicator. */
    record NoSuchCommunicator() implements MembershipOutcome {}

    /** There is no such member, or the secret is another's: callers cannot tell which. */
    record NoSuchMember() implements MembershipOutcome {}

    /**
     * The communicator has ended.
     *
     * @param endedAt when
     * @param reason why
     */
    record Ended(Instant endedAt, @Nullable String reason) implements MembershipOutcome {}

    /**
     * Ranks are 0 to size - 1.
     *
     * @param size the communicator's size
     */
    record RankOutOfRange(int size) implements MembershipOutcome {}

    /**
     * Another process has this rank.
     *
     * @param rank the rank
     * @param holder that process, as host:pid
     */
    record RankTaken(int rank, String holder) implements MembershipOutcome {}
}
