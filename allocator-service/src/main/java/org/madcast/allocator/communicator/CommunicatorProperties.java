package org.madcast.allocator.communicator;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How communicators live and end.
 *
 * @param leaseDuration how long a communicator's lease runs when the job does not say, and how long
 *     a member counts as alive after it was last heard of
 * @param arrivalTimeout how long a communicator without a living member waits for one
 * @param longestWait the longest long poll
 * @param pollInterval how often a waiting request looks by itself, should a notification be lost
 * @param retention how long an ended communicator can be looked at
 * @param scope the scope when the job does not say
 */
@ConfigurationProperties("madcast.communicator")
public record CommunicatorProperties(
        @DefaultValue("60s") Duration leaseDuration,
        @DefaultValue("60s") Duration arrivalTimeout,
        @DefaultValue("30s") Duration longestWait,
        @DefaultValue("2s") Duration pollInterval,
        @DefaultValue("24h") Duration retention,
        @DefaultValue("default") String scope) {}
