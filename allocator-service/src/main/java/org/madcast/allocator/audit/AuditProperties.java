package org.madcast.allocator.audit;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What was done, by whom.
 *
 * @param retention how long it is known who did what, and who had which group
 * @param sweepInterval how often what is older is removed
 * @param webhookInterval how often new entries are sent to webhooks
 * @param webhookPatience how long an entry that a webhook does not accept is sent again
 */
@ConfigurationProperties("madcast.audit")
public record AuditProperties(
        @DefaultValue("365d") Duration retention,
        @DefaultValue("1m") Duration sweepInterval,
        @DefaultValue("1s") Duration webhookInterval,
        @DefaultValue("3d") Duration webhookPatience) {

    /** Refuses to keep nothing. */
    public AuditProperties {
        if (!retention.isPositive()) {
            throw new IllegalArgumentException("madcast.audit.retention must be positive");
        }
    }
}
