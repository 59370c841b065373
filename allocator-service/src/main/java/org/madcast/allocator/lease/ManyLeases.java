package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.madcast.allocator.store.SqlTime;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * Leases that the service itself holds for others, many at a time in few statements. Joins the
 * caller's transaction. From any thread.
 */
@Service
public class ManyLeases {

    private final LeaseBatch batch;
    private final ApplicationEventPublisher events;

    ManyLeases(LeaseBatch batch, ApplicationEventPublisher events) {
        this.batch = batch;
        this.events = events;
    }

    /**
     * Grants simple leases: separate addresses, from now on.
     *
     * @param now when the transaction began, by {@link SqlTime#beginByIndex}
     * @return in the requests' order; empty for what has to be granted alone. What is refused may
     *     be granted alone too, and is told as refused only there
     */
    public List<Optional<GrantOutcome>> grant(List<GrantRequest> requests, Instant now) {
        List<LeaseBatch.Grant> grants =
                requests.stream().map(it -> new LeaseBatch.Grant(it, null)).toList();
        List<Optional<GrantOutcome>> outcomes = batch.grant(grants, now);
        for (int i = 0; i < requests.size(); i++) {
            String scope = requests.get(i).scope();
            outcomes.get(i)
                    .filter(it -> it instanceof GrantOutcome.Granted)
                    .ifPresent(it -> events.publishEvent(LeaseEvent.of(scope, it)));
        }
        return outcomes;
    }

    /**
     * Gives leases another time to run, from now. The transaction fails when another lease is in
     * the way.
     *
     * @param now when the transaction began, by {@link SqlTime#beginByIndex}
     * @return which; the others have to be renewed alone
     */
    public Set<UUID> renew(Map<UUID, Duration> durations, Instant now) {
        return batch.extend(durations, now);
    }

    /**
     * Ends leases that run.
     *
     * @return which; the others have to be released alone
     */
    public Set<UUID> release(Set<UUID> ids) {
        Map<UUID, String> released = batch.releaseHeld(ids);
        released.values().forEach(it -> events.publishEvent(new LeaseEvent.Released(it)));
        return released.keySet();
    }
}
