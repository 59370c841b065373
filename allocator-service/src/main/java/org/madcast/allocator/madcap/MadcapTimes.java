package org.madcast.allocator.madcap;

import java.time.Duration;
import java.time.Instant;
import org.madcast.allocator.madcap.LeaseTerms.Decision;
import org.madcast.allocator.scope.Scope;
import org.madcast.madcap.Message;
import org.springframework.stereotype.Component;

/** How long what is kept, by the settings and the scope. Pure but for the settings. */
@Component
class MadcapTimes {

    private final MadcapProperties properties;

    MadcapTimes(MadcapProperties properties) {
        this.properties = properties;
    }

    /** How long an offer's addresses are held. */
    Duration offerHold() {
        return properties.offerHold();
    }

    /** What a request is to get in a scope. */
    Decision decide(Message message, Scope scope, Instant now) {
        long longest =
                Math.min(
                        properties.longestLease().toSeconds(),
                        scope.longestLease().minus(extra(scope)).toSeconds());
        LeaseTerms.Limits limits =
                new LeaseTerms.Limits(longest, properties.quota().addressesPerLease());
        return LeaseTerms.decide(message, limits, now.getEpochSecond());
    }

    /** For how long addresses are kept for a lease, from now. */
    Duration lasting(Scope scope, LeaseTerms terms) {
        return Duration.ofSeconds(terms.delaySeconds() + terms.leaseSeconds()).plus(extra(scope));
    }

    /** The extra allocation time; less where the scope's longest lease is short. */
    private Duration extra(Scope scope) {
        Duration most = scope.longestLease().dividedBy(2);
        Duration wanted = properties.extraAllocation();
        return wanted.compareTo(most) < 0 ? wanted : most;
    }
}
