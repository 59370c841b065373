package org.madcast.allocator.communicator;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Component;

/** Ends communicators on request. From any thread. */
@Component
class CommunicatorEnding {

    private final CommunicatorStore store;
    private final LeaseService leases;
    private final RetryingTransaction transaction;
    private final AuditLog audit;

    CommunicatorEnding(
            CommunicatorStore store,
            LeaseService leases,
            RetryingTransaction transaction,
            AuditLog audit) {
        this.store = store;
        this.leases = leases;
        this.transaction = transaction;
        this.audit = audit;
    }

    /** What came of ending a communicator. */
    enum End {
        ENDED,
        NO_SUCH_COMMUNICATOR,
        /** It is another's. */
        FOREIGN
    }

    /**
     * Ends a communicator, also one with members, and releases its lease; one that has ended stays
     * so.
     */
    End end(Requester by, UUID id) {
        return transaction.call(() -> {
            Optional<Communicator> found = store.find(id);
            if (found.isEmpty()) {
                return End.NO_SUCH_COMMUNICATOR;
            }
            if (!by.mayUse(found.get().ownedBy())) {
                return End.FOREIGN;
            }
            if (store.end(id, "ended by " + Actor.current().name())) {
                Optional.ofNullable(found.get().leaseId()).ifPresent(leases::releaseHeld);
                audit.record(
                        AuditKind.COMMUNICATOR_ENDED,
                        found.get().job(),
                        Map.of("communicator", found.get().name(), "id", id.toString()));
                store.notifyWaiting(id);
            }
            return End.ENDED;
        });
    }
}
