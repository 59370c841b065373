package org.madcast.allocator.store;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether something can be written, as the watch found it last; part of readiness. It sends no
 * query, so it answers at once also while nothing else does.
 */
@Component("store")
class StoreHealth implements HealthIndicator {

    private final StoreGate gate;

    StoreHealth(StoreGate gate) {
        this.gate = gate;
    }

    @Override
    public Health health() {
        @Nullable StoreTrouble trouble = gate.trouble();
        return trouble == null || !trouble.stopsWriting()
                ? Health.up().build()
                : Health.down().withDetail("reason", trouble.words()).build();
    }
}
