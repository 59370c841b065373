package org.madcast.allocator.lease;

import org.madcast.allocator.lease.LeaseChanges.Claim;
import org.madcast.allocator.lease.LeaseChanges.Renewal;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.store.CommitTogether;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.SqlTime;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Gathers concurrent grants, renewals and releases, each kind into batches that are committed
 * together (decision 14). From any thread.
 */
@Component
class LeaseBatcher implements SmartLifecycle {

    private final CommitTogether<Grant, GrantOutcome> grants;
    private final CommitTogether<Renewal, RenewalOutcome> renewals;
    private final CommitTogether<Claim, RenewalOutcome> releases;
    private volatile boolean running;

    LeaseBatcher(
            LeaseGrants grants,
            LeaseChanges changes,
            RetryingTransaction transaction,
            SqlTime time) {
        // Side by side: in turn each would have more together, but a processor would often wait.
        this.grants =
                new CommitTogether<>(
                        "lease-grants",
                        transaction,
                        batch -> grants.grant(batch, time.beginByIndex()));
        this.renewals =
                new CommitTogether<>(
                        "lease-renewals",
                        transaction,
                        batch -> changes.renew(batch, time.beginByIndex()));
        this.releases =
                new CommitTogether<>(
                        "lease-releases",
                        transaction,
                        batch -> changes.release(batch, time.beginByIndex()));
    }

    GrantOutcome grant(Grant grant) {
        return grants.submit(grant);
    }

    RenewalOutcome renew(Renewal renewal) {
        return renewals.submit(renewal);
    }

    RenewalOutcome release(Claim claim) {
        return releases.submit(claim);
    }

    @Override
    public void start() {
        grants.start();
        renewals.start();
        releases.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        grants.stop();
        renewals.stop();
        releases.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Begins before a request can come, and ends after the last one. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
