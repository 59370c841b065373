package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group that is kept for an owner. Others are not granted it; its owner gets it first.
 *
 * @param id its number
 * @param scope the scope that the address is of
 * @param address the address
 * @param port the port; null for the address on all of its ports
 * @param holder whom it is for
 * @param until when it ends; {@link #FOR_EVER} if it does not
 * @param made when it was made, and by whom
 * @param lease the lease that its owner has of it now, if there is one
 */
public record Reservation(
        UUID id,
        String scope,
        String address,
        @Nullable Integer port,
        Holder holder,
        Instant until,
        Made made,
        @Nullable UUID lease) {

    /** The end of what does not end. */
    public static final Instant FOR_EVER = Instant.parse("9999-01-01T00:00:00Z");

    /**
     * Whom it is for: requests of which all of this is true that is not null.
     *
     * @param job the job
     * @param user who runs the job
     * @param token the name of the token with which it is requested
     */
    public record Holder(@Nullable String job, @Nullable String user, @Nullable String token) {

        /** Whether no owner is named. */
        boolean isNobody() {
            return job == null && user == null && token == null;
        }
    }

    /** When it was made, and by whom. */
    public record Made(Instant at, String by) {}

    /** When it ends; null if it does not. */
    public @Nullable Instant end() {
        return until.isBefore(FOR_EVER) ? until : null;
    }

    /** The group for people. */
    public String group() {
        String shown = address.indexOf(':') >= 0 ? "[" + address + "]" : address;
        return port == null ? address : shown + ":" + port;
    }

    /**
     * A reserved group that its owner may have now.
     *
     * @param reservation the reservation
     * @param until when that ends
     * @param scope the scope
     * @param slotNumber the group's slot
     * @param address its address
     * @param port its port, or the first one
     * @param whole whether the address is reserved on all of its ports
     * @param job for this job, if one is named
     * @param user for this user, if one is named
     * @param owner for this owner, if one is named
     */
    record Kept(
            UUID reservation,
            Instant until,
            String scope,
            long slotNumber,
            String address,
            int port,
            boolean whole,
            @Nullable String job,
            @Nullable String user,
            @Nullable String owner) {

        /** Whether a request is its owner's, and asks for a group such as this one. */
        boolean isFor(NewLease lease) {
            GrantRequest request = lease.request();
            int ports = request.shape().ports();
            return request.scopes().contains(scope)
                    && (ports == 1 || (whole && ports == Shape.ALL_PORTS))
                    && (job == null || job.equals(request.job()))
                    && (user == null || user.equals(request.user()))
                    && (owner == null || Objects.equals(owner, lease.grant().owner()));
        }

        /** The row that takes the place of the one that keeps it. */
        LeaseGroupStore.Row row(NewLease.Part part, int index) {
            LeaseGroupStore.Row usual = part.row(index, slotNumber, address, port);
            LeaseRules.Term term = usual.term();
            return new LeaseGroupStore.Row(
                    usual.scope(),
                    usual.lease(),
                    usual.ordinal(),
                    slotNumber,
                    usual.group(),
                    whole ? Shape.ALL_PORTS : 1,
                    new LeaseRules.Term(
                            term.startsAt(),
                            term.expiresAt(),
                            until.isAfter(term.blockedUntil()) ? until : term.blockedUntil()),
                    reservation);
        }
    }
}
