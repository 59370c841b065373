package org.madcast.allocator.statistics;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one rank says about itself. Its counters run on from report to report; its broadcasts are
 * those since its last report.
 *
 * @param communicator its communicator
 * @param rank its number
 * @param instance its process
 * @param sequence counts the process's reports; one that is not above the last is ignored
 * @param counters since the communicator was made
 * @param rejected datagrams that it did not believe, by reason
 * @param socketPath how it sends and receives
 * @param dropped its reports that were never sent
 * @param broadcasts since its last report
 * @param foreignSenders who sent the datagrams that it counts as foreign, the latest few
 */
public record Report(
        UUID communicator,
        int rank,
        UUID instance,
        long sequence,
        Counters counters,
        Map<String, Long> rejected,
        @Nullable String socketPath,
        long dropped,
        List<BroadcastSite> broadcasts,
        List<String> foreignSenders) {

    /** The rank itself, when it brings its report with this secret. */
    public Reporter speaker(String secret) {
        return new Reporter(communicator, rank, instance, secret);
    }
}
