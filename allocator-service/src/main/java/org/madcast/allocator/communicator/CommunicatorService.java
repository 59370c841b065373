package org.madcast.allocator.communicator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseQueries;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Service;

/**
 * Makes, finds and ends communicators. From any thread, on any number of replicas: that a name has
 * one living communicator is a unique index's doing.
 */
@Service
public class CommunicatorService {

    private final CommunicatorStore store;
    private final MemberStore members;
    private final LeaseService leases;
    private final LeaseQueries leaseQueries;
    private final CommunicatorNotifications arrivals;
    private final RetryingTransaction transaction;
    private final CommunicatorSettings settings;

    CommunicatorService(
            CommunicatorStore store,
            MemberStore members,
            LeaseService leases,
            LeaseQueries leaseQueries,
            CommunicatorNotifications arrivals,
            RetryingTransaction transaction,
            CommunicatorSettings settings) {
        this.store = store;
        this.members = members;
        this.leases = leases;
        this.leaseQueries = leaseQueries;
        this.arrivals = arrivals;
        this.transaction = transaction;
        this.settings = settings;
    }

    /**
     * What a rank asks for.
     *
     * @param by the rank's token: with another it does not meet those of this one
     * @param job its job
     * @param name the communicator's name within the job
     * @param parent what it is split off or copied from, null if it is not: then the name is the
     *     parent's children's, and two ranks that agree on it meet
     * @param size how many ranks it has
     * @param scope where its group comes from, null for the default
     * @param leaseDuration how long its lease runs at a time, null for the default
     */
    public record Request(
            Requester by,
            String job,
            String name,
            @Nullable UUID parent,
            int size,
            @Nullable String scope,
            @Nullable Duration leaseDuration) {}

    /**
     * Gives the living communicator of this name, making it and its lease when there is none. One
     * that was complete and that a rank has left, or was lost to, is not given any more, since the
     * caller wants to meet the others anew; it lives on beside the next one of its name until all
     * have left it.
     */
    public MakeOutcome makeOrFind(Request request) {
        return transaction.call(() -> makeOrFindNow(request));
    }

    /** The communicator, living or ended lately. */
    public Optional<Communicator> find(UUID id) {
        return store.find(id);
    }

    /** Living ones, then the latest others. */
    public List<Communicator> recent(int limit) {
        return store.recent(limit);
    }

    /** Its members, those that left included, by rank. */
    public List<Member> members(UUID id) {
        return members.all(id);
    }

    /** The number of the topology that has the hosts of all its ranks; nothing before they met. */
    public Optional<Long> topology(UUID id) {
        return store.topology(id);
    }

    /** The hosts of its ranks, by their numbers in that topology. */
    public List<Integer> hosts(UUID id) {
        return members.hosts(id);
    }

    /** The database's time, by which members are alive or not. */
    public Instant now() {
        return store.now();
    }

    /** Its lease, unless that is forgotten. */
    public Optional<Lease> lease(Communicator communicator) {
        return Optional.ofNullable(communicator.leaseId()).flatMap(leaseQueries::find);
    }

    /** What to wait for. */
    public enum Until {
        /** All ranks have registered. */
        COMPLETE,
        /** A rank that registered was not heard of for longer than it said it would be. */
        LOSS
    }

    /**
     * Waits for a communicator to be complete, or to lose a member, or to end. The calling thread
     * waits, holding no database connection.
     *
     * @param most how long at most; the configured longest wait is the limit
     * @return what it is like then, nothing when there is no such communicator
     */
    public Optional<Communicator> await(UUID id, Until until, Duration most) {
        Duration wait = settings.limitWait(most);
        long deadlineNs = System.nanoTime() + wait.toNanos();
        Optional<Communicator> found = store.find(id);
        while (mayChange(found, until)
                && deadlineNs - System.nanoTime() > 0
                && arrivals.isRunning()) {
            CompletableFuture<Void> next = arrivals.next(id);
            found = store.find(id); // what happened before this was taken causes no wake-up
            Duration left = Duration.ofNanos(deadlineNs - System.nanoTime());
            if (mayChange(found, until) && left.isPositive()) {
                arrivals.await(next, settings.limitPoll(left));
                found = store.find(id);
            }
        }
        return found;
    }

    private boolean mayChange(Optional<Communicator> found, Until until) {
        if (found.isEmpty()
                || found.get().endedAt() != null
                || Thread.currentThread().isInterrupted()) {
            return false;
        }
        return switch (until) {
            case COMPLETE -> !found.get().complete();
            case LOSS -> !store.hasLoss(found.get().id());
        };
    }

    /**
     * Ends a communicator that has no members, or whose group is no longer its own, and releases
     * its lease.
     *
     * @param reason why, when it has no members
     */
    boolean endIfOver(UUID id, String reason) {
        return transaction.call(() -> {
            Optional<UUID> lease = store.endIfDeserted(id, reason);
            lease.ifPresent(leases::releaseHeld);
            boolean ended = lease.isPresent() || store.endIfLeaseOver(id);
            if (ended) {
                store.notifyWaiting(id);
            }
            return ended;
        });
    }

    private MakeOutcome makeOrFindNow(Request request) {
        Optional<Communicator> living = store.findLiving(request);
        if (living.isPresent() && !request.by().mayUse(living.get().ownedBy())) {
            return new MakeOutcome.Foreign(); // a child of another's
        }
        if (living.isPresent() && makesWay(living.get())) {
            living = store.findLiving(request);
        }
        if (living.isPresent()) {
            return found(living.get(), request);
        }
        return refusedByParent(request).orElseGet(() -> make(request));
    }

    /**
     * A child that there is may be found for as long as it lives; made is one only of the living.
     */
    private Optional<MakeOutcome> refusedByParent(Request request) {
        if (request.parent() == null) {
            return Optional.empty();
        }
        Optional<Communicator> parent = store.find(request.parent());
        if (parent.isEmpty()) {
            return Optional.of(new MakeOutcome.NoSuchParent());
        }
        Communicator of = parent.get();
        if (!request.by().mayUse(of.ownedBy())) {
            return Optional.of(new MakeOutcome.Foreign());
        }
        if (of.endedAt() != null) {
            return Optional.of(new MakeOutcome.ParentEnded(of.endedAt(), of.endReason()));
        }
        if (!of.job().equals(request.job())) {
            return Optional.of(new MakeOutcome.NoChild("job", "must be the parent's job"));
        }
        return request.size() <= of.size()
                ? Optional.empty()
                : Optional.of(
                        new MakeOutcome.NoChild(
                                "size", "must be at most the parent's " + of.size()));
    }

    /** Takes the name from a communicator that is over, or that no rank can join any more. */
    private boolean makesWay(Communicator communicator) {
        Instant now = store.now();
        List<Member> all = members.all(communicator.id());
        long living = all.stream().filter(it -> it.isAlive(now)).count();
        if (hasNoLease(communicator) || (living == 0 && !all.isEmpty())) {
            // The sweeper has not seen it yet; the caller need not wait for that.
            endIfOver(communicator.id(), "deserted");
            return true;
        }
        if (communicator.complete() && living < communicator.size()) {
            store.passNameOn(communicator.id());
            return true;
        }
        return false;
    }

    private boolean hasNoLease(Communicator communicator) {
        Optional<Lease> lease = lease(communicator);
        return lease.isEmpty() || lease.get().state() != LeaseState.ACTIVE;
    }

    private static MakeOutcome found(Communicator living, Request request) {
        return living.size() == request.size()
                ? new MakeOutcome.Found(living, false)
                : new MakeOutcome.SizeMismatch(living.size());
    }

    /** A child is its parent's owner's, also when an operator makes it. */
    private String ownerOfNew(Request request) {
        return Optional.ofNullable(request.parent())
                .flatMap(store::find)
                .map(Communicator::ownedBy)
                .orElse(request.by().owner());
    }

    private MakeOutcome make(Request request) {
        Duration duration = settings.leaseDuration(request.leaseDuration());
        Communicator fresh =
                new Communicator(
                        UUID.randomUUID(),
                        request.job(),
                        request.name(),
                        request.parent(),
                        request.size(),
                        settings.newToken(),
                        ownerOfNew(request),
                        null,
                        store.now(),
                        null,
                        null,
                        null);
        if (!store.insert(fresh, duration)) {
            return store.findLiving(request)
                    .map(it -> found(it, request))
                    .orElseGet(() -> make(request));
        }
        GrantRequest wanted =
                new GrantRequest(
                        request.job(),
                        request.name(),
                        null,
                        Map.of(),
                        settings.scope(request.scope()),
                        1,
                        duration);
        return switch (leases.grant(request.by(), wanted, null)) {
            case GrantOutcome.Granted granted -> {
                store.setLease(fresh.id(), granted.lease().id());
                yield new MakeOutcome.Found(store.find(fresh.id()).orElseThrow(), true);
            }
            case GrantOutcome.Refused refused -> {
                store.delete(fresh.id());
                yield new MakeOutcome.NoGroup(refused);
            }
        };
    }
}
