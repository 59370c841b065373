package org.madcast.allocator.statistics;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest that is known of a rank.
 *
 * @param rank its number
 * @param receivedAt when it reported
 * @param counters since the communicator was made
 * @param rejected datagrams that it rejected, by reason
 * @param socketPath how it sends and receives
 * @param dropped its reports that were never sent
 */
public record RankStatistics(
        int rank,
        Instant receivedAt,
        Counters counters,
        Map<String, Long> rejected,
        @Nullable String socketPath,
        long dropped) {}
