package org.madcast.allocator.madcap;

import java.util.Optional;
import org.madcast.allocator.madcap.MadcapLeases.RequestInfo;
import org.madcast.allocator.store.CommitTogether;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * DISCOVERs, REQUESTs and RELEASEs of many clients, committed together; empty answers are for what
 * has to be decided alone. From any thread.
 */
@Component
@Lazy(false) // nobody would start its threads later
class MadcapCommit implements SmartLifecycle {

    private final CommitTogether<RequestInfo, MadcapOutcome> offers;
    private final CommitTogether<RequestInfo, MadcapOutcome> requests;
    private final CommitTogether<RequestInfo, MadcapOutcome> releases;
    private final boolean enabled;
    private volatile boolean running;

    MadcapCommit(MadcapBatch batch, RetryingTransaction transaction, MadcapProperties properties) {
        this.offers = new CommitTogether<>("madcap-offers", transaction, batch::offer);
        this.requests = new CommitTogether<>("madcap-requests", transaction, batch::request);
        this.releases = new CommitTogether<>("madcap-releases", transaction, batch::release);
        this.enabled = properties.enabled();
    }

    Optional<MadcapOutcome> offer(RequestInfo asked) {
        return offers.submit(asked);
    }

    Optional<MadcapOutcome> request(RequestInfo asked) {
        return requests.submit(asked);
    }

    Optional<MadcapOutcome> release(RequestInfo asked) {
        return releases.submit(asked);
    }

    @Override
    public void start() {
        if (enabled) {
            offers.start();
            requests.start();
            releases.start();
            running = true;
        }
    }

    @Override
    public void stop() {
        running = false;
        offers.stop();
        requests.stop();
        releases.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
