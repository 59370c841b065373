package org.madcast.allocator.lease;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.CommitTogether;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Grants and releases of concurrent requests, committed together (decision 20). What a batch cannot
 * decide (a repeated idempotency key, an obstructed group) its callers run alone. From any thread.
 */
@Component
@Lazy(false) // nobody would start its threads later
class GroupCommit implements SmartLifecycle {

    private final CommitTogether<LeaseBatch.Grant, GrantOutcome> grants;
    private final CommitTogether<LeaseBatch.Release, RenewalOutcome> releases;
    private volatile boolean running;

    GroupCommit(LeaseBatch batch, RetryingTransaction transaction) {
        // Side by side: in turn each would have more together, but a processor would often wait.
        this.grants = new CommitTogether<>("lease-grants", transaction, batch::grant);
        this.releases = new CommitTogether<>("lease-releases", transaction, batch::release);
    }

    /** Grants a simple lease in company; empty when it has to be granted alone. */
    Optional<GrantOutcome> grant(GrantRequest request, @Nullable String idempotencyKey) {
        return LeaseBatch.accepts(request)
                ? grants.submit(new LeaseBatch.Grant(request, idempotencyKey))
                : Optional.empty();
    }

    /** Releases a lease in company; empty when it has to be released alone. */
    Optional<RenewalOutcome> release(UUID id, @Nullable String secret) {
        return releases.submit(new LeaseBatch.Release(id, secret));
    }

    @Override
    public void start() {
        grants.start();
        releases.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        grants.stop();
        releases.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
