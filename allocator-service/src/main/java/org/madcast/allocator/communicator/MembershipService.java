package org.madcast.allocator.communicator;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.MemberStore.Standing;
import org.madcast.allocator.communicator.MembershipOutcome.Ended;
import org.madcast.allocator.communicator.MembershipOutcome.Foreign;
import org.madcast.allocator.communicator.MembershipOutcome.Joined;
import org.madcast.allocator.communicator.MembershipOutcome.Left;
import org.madcast.allocator.communicator.MembershipOutcome.NoSuchCommunicator;
import org.madcast.allocator.communicator.MembershipOutcome.NoSuchMember;
import org.madcast.allocator.communicator.MembershipOutcome.RankOutOfRange;
import org.madcast.allocator.communicator.MembershipOutcome.RankTaken;
import org.madcast.allocator.communicator.MembershipOutcome.Renewed;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Service;

/**
 * Ranks come, stay and leave. From any thread.
 *
 * <p>No rank waits for another's transaction: each writes its own row and commits; only then it
 * looks whether it was the last. Of several that commit at once at least the one that committed
 * last sees all of them, and the database lets one of them note it.
 */
@Service
public class MembershipService {

    private final CommunicatorService communicators;
    private final CommunicatorStore store;
    private final MemberStore members;
    private final LeaseService leases;
    private final ScopeCatalog scopes;
    private final Secrets secrets;
    private final RetryingTransaction transaction;

    MembershipService(
            CommunicatorService communicators,
            CommunicatorStore store,
            MemberStore members,
            LeaseService leases,
            ScopeCatalog scopes,
            Secrets secrets,
            RetryingTransaction transaction) {
        this.communicators = communicators;
        this.store = store;
        this.members = members;
        this.leases = leases;
        this.scopes = scopes;
        this.secrets = secrets;
        this.transaction = transaction;
    }

    /**
     * Registers a rank. The same instance again gets the same secret.
     *
     * @param instance a random number that only this process knows
     */
    public MembershipOutcome join(
            Requester by, UUID communicator, int rank, Member.Endpoint endpoint, UUID instance) {
        MembershipOutcome outcome =
                transaction.call(() -> joinNow(by, communicator, rank, endpoint, instance));
        if (outcome instanceof Joined) {
            transaction.call(() -> {
                boolean complete = store.completeIfAllCame(communicator);
                if (complete) {
                    store.notifyWaiting(communicator);
                }
                return complete;
            });
        }
        return outcome;
    }

    /**
     * Keeps a rank alive, and its communicator's lease with it.
     *
     * @param wanted for how long it counts as alive, null for as long as the communicator's lease
     *     runs at a time
     */
    public MembershipOutcome renew(
            Requester by,
            UUID communicator,
            int rank,
            @Nullable String secret,
            @Nullable Duration wanted) {
        return transaction.call(() ->
                allowed(
                        by,
                        communicator,
                        rank,
                        secret,
                        () -> renewNow(communicator, rank, wanted)));
    }

    /** Takes a rank out; the last one to leave ends the communicator. */
    public MembershipOutcome leave(
            Requester by, UUID communicator, int rank, @Nullable String secret) {
        MembershipOutcome outcome =
                transaction.call(() ->
                        allowed(
                                by,
                                communicator,
                                rank,
                                secret,
                                () -> {
                                    members.leave(communicator, rank);
                                    return new Left();
                                }));
        if (outcome instanceof Left) {
            communicators.endIfOver(communicator, "left");
        }
        return outcome;
    }

    /** Whether a report of this rank is its own. */
    public boolean isMember(
            Requester by, UUID communicator, int rank, @Nullable String secret, UUID instance) {
        return members.standing(communicator, rank)
                .filter(it -> Secrets.matches(secret, it.proof().secretHash()))
                .filter(it -> Secrets.matches(instance.toString(), it.proof().instanceHash()))
                .filter(it -> by.mayUse(it.ownedBy()))
                .isPresent();
    }

    private MembershipOutcome joinNow(
            Requester by, UUID id, int rank, Member.Endpoint endpoint, UUID instance) {
        Optional<Communicator> found = store.find(id);
        if (found.isEmpty()) {
            return new NoSuchCommunicator();
        }
        Communicator communicator = found.get();
        if (!by.mayUse(communicator.ownedBy())) {
            return new Foreign();
        }
        if (rank < 0 || rank >= communicator.size()) {
            return new RankOutOfRange(communicator.size());
        }
        if (communicator.endedAt() != null) {
            return new Ended(communicator.endedAt(), communicator.endReason());
        }
        String secret =
                secrets.derived("member", id.toString(), String.valueOf(rank), instance.toString());
        MemberStore.Proof proof =
                new MemberStore.Proof(Secrets.hash(instance.toString()), Secrets.hash(secret));
        return members.join(id, rank, endpoint, proof, store.leaseDuration(id))
                .<MembershipOutcome>map(expiresAt -> new Joined(rank, secret, expiresAt))
                .orElseGet(() -> new RankTaken(rank, members.holder(id, rank).orElse("")));
    }

    private MembershipOutcome renewNow(UUID id, int rank, @Nullable Duration wanted) {
        Communicator communicator = store.find(id).orElseThrow();
        Duration alive = wanted == null ? store.leaseDuration(id) : wanted;
        if (communicator.endedAt() != null) {
            return new Ended(communicator.endedAt(), communicator.endReason());
        }
        Optional<Instant> expiresAt = members.renew(id, rank, alive);
        if (expiresAt.isEmpty()) {
            return new NoSuchMember();
        }
        return switch (keepLease(communicator)) {
            case RenewalOutcome.Done done -> new Renewed(expiresAt.get(), done.expiresAt());
            case RenewalOutcome.Ended ended -> new Ended(ended.endedAt(), "lease ended");
            case RenewalOutcome.NoSuchLease _, RenewalOutcome.Foreign _ ->
                    new Ended(store.now(), "lease ended");
            case RenewalOutcome.Released released ->
                    new Ended(released.releasedAt(), "lease ended");
            // The lease goes on as it was: reserved from then on, or its scope was edited just now.
            case RenewalOutcome.Obstructed _, RenewalOutcome.TooLong _ ->
                    new Renewed(
                            expiresAt.get(),
                            communicators.lease(communicator).orElseThrow().expiresAt());
        };
    }

    /**
     * Of a thousand ranks that renew, a few renew the lease: those that find a third of it gone.
     */
    private RenewalOutcome keepLease(Communicator communicator) {
        Optional<Lease> found = communicators.lease(communicator);
        if (found.isEmpty()) {
            return new RenewalOutcome.NoSuchLease();
        }
        Lease lease = found.get();
        Duration wanted = store.leaseDuration(communicator.id());
        Duration left = Duration.between(store.now(), lease.expiresAt());
        if (isFresh(lease, left, wanted)) {
            return new RenewalOutcome.Done(lease.expiresAt());
        }
        // An operator may have shortened the scope's longest lease since this one was granted.
        Duration possible =
                scopes.find(lease.scope())
                        .map(Scope::longestLease)
                        .filter(longest -> longest.compareTo(wanted) < 0)
                        .orElse(wanted);
        return isFresh(lease, left, possible)
                ? new RenewalOutcome.Done(lease.expiresAt())
                : leases.renewHeld(lease.id(), possible);
    }

    private static boolean isFresh(Lease lease, Duration left, Duration whole) {
        return lease.state() == LeaseState.ACTIVE
                && left.multipliedBy(3).compareTo(whole.multipliedBy(2)) > 0;
    }

    private MembershipOutcome allowed(
            Requester by,
            UUID communicator,
            int rank,
            @Nullable String secret,
            Supplier<MembershipOutcome> action) {
        Optional<Standing> shown =
                members.standing(communicator, rank)
                        .filter(it -> Secrets.matches(secret, it.proof().secretHash()));
        if (shown.isEmpty()) {
            return new NoSuchMember();
        }
        return by.mayUse(shown.get().ownedBy()) ? action.get() : new Foreign();
    }
}
