package org.madcast.allocator.statistics;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the service answers to reports.
 *
 * @param longestRootDelay a root is never advised to wait longer; 0 switches the tuner off
 */
@ConfigurationProperties("madcast.statistics")
public record StatisticsProperties(@DefaultValue("50ms") Duration longestRootDelay) {}
