package org.madcast.allocator.madcap;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.madcap.MadcapLeaseStore.Row;
import org.madcast.allocator.madcap.MadcapLeases.Asked;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.madcap.Feature;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Option;
import org.madcast.madcap.OptionKind;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** New leases for MADCAP, within its quotas. Joins the caller's transaction. From any thread. */
@Component
class MadcapGrants {

    /** Which groups of other layer-2 domains are in the way is seen only after a grant. */
    private static final int MOST_OBSTRUCTIONS = 256;

    private static final int SWEEP_BATCH = 1000;

    private final LeaseService leases;
    private final MadcapLeaseStore store;
    private final RetryingTransaction transaction;
    private final MadcapProperties properties;
    private volatile long addressesInUse;

    MadcapGrants(
            LeaseService leases,
            MadcapLeaseStore store,
            RetryingTransaction transaction,
            MadcapProperties properties) {
        this.leases = leases;
        this.store = store;
        this.transaction = transaction;
        this.properties = properties;
    }

    /** Takes a transaction back although its work has a result. */
    static final class Undone extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient MadcapOutcome outcome;

        Undone(MadcapOutcome outcome) {
            super(null, null, false, false);
            this.outcome = outcome;
        }
    }

    /** Runs work in a transaction, of which nothing stays when a quota was exceeded. */
    MadcapOutcome undoingRefusals(Supplier<MadcapOutcome> work) {
        try {
            return transaction.call(work);
        } catch (Undone undone) {
            return undone.outcome;
        }
    }

    /**
     * Leases as many addresses as there are between what is wanted at least and at most.
     *
     * @param lasting how long they are kept
     * @param held whether this is for an offer
     */
    MadcapOutcome grant(
            Asked asked, LeaseTerms terms, Instant now, Duration lasting, boolean held) {
        if (addressesInUse + terms.minimum() > properties.quota().addresses()) {
            return full(asked, terms, now, null);
        }
        int count = terms.desired();
        GrantOutcome outcome = grantWhole(asked, count, lasting);
        while (outcome instanceof GrantOutcome.PoolExhausted && count > terms.minimum()) {
            count = Math.max(terms.minimum(), count / 2);
            outcome = grantWhole(asked, count, lasting);
        }
        return switch (outcome) {
            case GrantOutcome.Granted granted ->
                    remembered(asked, terms, now, granted.lease(), held);
            case GrantOutcome.PoolExhausted exhausted ->
                    full(asked, terms, now, exhausted.nextFreeAt());
            case GrantOutcome.Refused _ ->
                    new MadcapOutcome.Refused(
                            new MadcapError.CouldNotBeCompleted(OptionKind.NO_OPTION));
        };
    }

    /** Ends what has expired, and counts what has not. */
    @Scheduled(fixedDelayString = "${madcast.madcap.sweep-interval:5s}")
    void sweep() {
        if (!properties.enabled()) {
            return;
        }
        int ended;
        do {
            ended = store.sweep(SWEEP_BATCH);
        } while (ended == SWEEP_BATCH);
        addressesInUse = store.countAddresses();
    }

    private MadcapOutcome remembered(
            Asked asked, LeaseTerms terms, Instant now, Lease lease, boolean held) {
        List<String> addresses = lease.groups().stream().map(MulticastGroup::address).toList();
        Instant startsAt = now.plusSeconds(terms.delaySeconds());
        Row row =
                new Row(
                        lease.id(),
                        asked.server(),
                        asked.client(),
                        asked.message().xid(),
                        asked.scope(),
                        startsAt,
                        startsAt.plusSeconds(terms.leaseSeconds()),
                        held,
                        addresses);
        if (!store.insert(row, asked.leaseId(), properties.quota().addressesPerClient())) {
            throw new Undone(
                    new MadcapOutcome.Refused(
                            new MadcapError.CouldNotBeCompleted(OptionKind.NO_OPTION)));
        }
        return new MadcapOutcome.Granted(
                AddressRanges.of(addresses),
                terms.leaseSeconds(),
                terms.startEpochSeconds(),
                now.getEpochSecond());
    }

    /** Grants addresses that the lease owns on all ports. */
    private GrantOutcome grantWhole(Asked asked, int count, Duration lasting) {
        GrantRequest request =
                new GrantRequest(
                        "madcap",
                        null,
                        asked.client().getHostAddress(),
                        Map.of("madcap-server", asked.server()),
                        asked.scope(),
                        count,
                        lasting);
        GrantOutcome outcome = leases.grant(request, null);
        for (int tries = 0; tries < MOST_OBSTRUCTIONS; tries++) {
            if (!(outcome instanceof GrantOutcome.Granted granted)) {
                return outcome;
            }
            if (!store.isObstructed(granted.lease().id())) {
                store.ownWhole(granted.lease().id());
                return outcome;
            }
            // Its groups rest now, so the next grant gets others.
            leases.releaseHeld(granted.lease().id());
            outcome = leases.grant(request, null);
        }
        if (outcome instanceof GrantOutcome.Granted granted) {
            leases.releaseHeld(granted.lease().id());
        }
        return new GrantOutcome.PoolExhausted(asked.scope(), null);
    }

    /** The pool has nothing left: the client may wait, if it knows how to. */
    private MadcapOutcome full(
            Asked asked, LeaseTerms terms, Instant now, @Nullable Instant nextFreeAt) {
        boolean mayWait =
                asked.message().features().supported().contains(Feature.RETRY_AFTER)
                        && asked.message().type() == org.madcast.madcap.MessageType.REQUEST;
        if (!mayWait) {
            OptionKind kind = OptionKind.NUMBER_OF_ADDRESSES;
            boolean named = asked.message().has(Option.NumberOfAddresses.class);
            return new MadcapOutcome.Refused(
                    new MadcapError.CouldNotBeCompleted(
                            named ? kind.code() : OptionKind.NO_OPTION));
        }
        Instant latest = now.plus(properties.retryAfter());
        Instant retryAt =
                Optional.ofNullable(nextFreeAt).filter(it -> it.isBefore(latest)).orElse(latest);
        return new MadcapOutcome.Later(
                terms.leaseSeconds(),
                Math.max(retryAt.getEpochSecond() + 1, now.getEpochSecond() + 1),
                now.getEpochSecond());
    }
}
