package org.madcast.allocator.communicator;

import java.util.List;
import java.util.UUID;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Ends communicators whose ranks never came, all died, or whose lease is over, and forgets those
 * that ended long ago. Replicas share the work: each passes over what another has claimed.
 */
@Component
class CommunicatorSweeper {

    private static final int BATCH = 100;

    private final CommunicatorStore store;
    private final CommunicatorService communicators;
    private final RetryingTransaction transaction;
    private final CommunicatorProperties properties;

    CommunicatorSweeper(
            CommunicatorStore store,
            CommunicatorService communicators,
            RetryingTransaction transaction,
            CommunicatorProperties properties) {
        this.store = store;
        this.communicators = communicators;
        this.transaction = transaction;
        this.properties = properties;
    }

    /** One round. */
    @Scheduled(fixedDelayString = "${madcast.communicator.sweep-interval:3s}")
    void sweep() {
        int ended;
        do {
            ended = transaction.call(this::endBatch);
        } while (ended == BATCH);
        store.forget(properties.retention(), BATCH);
    }

    private int endBatch() {
        List<UUID> deserted = store.claimDeserted(properties.arrivalTimeout(), BATCH);
        deserted.forEach(id -> communicators.endIfOver(id, "deserted"));
        return deserted.size();
    }
}
