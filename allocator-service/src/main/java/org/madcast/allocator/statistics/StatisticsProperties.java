package org.madcast.allocator.statistics;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the service answers to reports.
 *
 * @param rootDelay how long every root is advised to wait before it sends
 */
@ConfigurationProperties("madcast.statistics")
public record StatisticsProperties(@DefaultValue("0ms") Duration rootDelay) {}
