package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.madcap.MadcapLeaseStore.Row;
import org.madcast.allocator.madcap.MadcapLeases.RequestInfo;
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
            RequestInfo asked, LeaseTerms terms, Instant now, Duration lasting, boolean held) {
        if (addressesInUse + terms.minimum() > properties.quota().addresses()) {
            return full(asked, terms, now, null);
        }
        int count = terms.desired();
        GrantOutcome outcome = leases.grant(whole(asked, count, lasting), null);
        while (outcome instanceof GrantOutcome.PoolExhausted && count > terms.minimum()) {
            count = Math.max(terms.minimum(), count / 2);
            outcome = leases.grant(whole(asked, count, lasting), null);
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
            RequestInfo asked, LeaseTerms terms, Instant now, Lease lease, boolean held) {
        Row row = row(asked, terms, now, lease, held);
        if (!store.insert(row, asked.leaseId(), properties.quota().addressesPerClient())) {
            throw new Undone(
                    new MadcapOutcome.Refused(
                            new MadcapError.CouldNotBeCompleted(OptionKind.NO_OPTION)));
        }
        return terms.granted(row.addresses(), now);
    }

    /** What stands beside a lease that was just granted. */
    static Row row(RequestInfo asked, LeaseTerms terms, Instant now, Lease lease, boolean held) {
        Instant startsAt = now.plusSeconds(terms.delaySeconds());
        return new Row(
                lease.id(),
                asked.server(),
                asked.client(),
                asked.message().xid(),
                asked.scope(),
                startsAt,
                startsAt.plusSeconds(terms.leaseSeconds()),
                held,
                lease.groups().stream().map(MulticastGroup::address).sorted().toList());
    }

    /**
     * Whether the quotas allow what is desired.
     *
     * @param inUse how many addresses clients have
     */
    boolean allows(LeaseTerms terms, Map<InetAddress, Long> inUse, InetAddress client) {
        return addressesInUse + terms.desired() <= properties.quota().addresses()
                && inUse.getOrDefault(client, 0L) + terms.desired()
                        <= properties.quota().addressesPerClient();
    }

    /** What to ask of the lease table: addresses that the lease owns on all ports. */
    static GrantRequest whole(RequestInfo asked, int count, Duration lasting) {
        return new GrantRequest(
                "madcap",
                null,
                asked.client().getHostAddress(),
                Map.of("madcap-server", asked.server()),
                asked.scope(),
                Shape.whole(count),
                lasting,
                null);
    }

    /** The pool has nothing left: the client may wait, if it knows how to. */
    private MadcapOutcome full(
            RequestInfo asked, LeaseTerms terms, Instant now, @Nullable Instant nextFreeAt) {
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
