package org.madcast.client;

import java.util.Map;

/**
 * One rank's counters since its communicator was made. A snapshot: it does not change.
 *
 * @param broadcasts broadcasts that this rank completed
 * @param messageBytes their bytes
 * @param datagramsSent datagrams of every type sent, multicast and unicast
 * @param datagramsReceived datagrams of every type received
 * @param fragmentsUseful received fragments that were new
 * @param fragmentsDuplicate received fragments that this rank owned already
 * @param fragmentsLost fragments that this rank had to ask for
 * @param repairsSent fragments sent again on request, unicast or multicast
 * @param repairsReceived fragments that arrived as a repair and were new
 * @param rejected datagrams that were rejected, by reason
 * @param repairTimes the times from noticing a loss to its repair
 * @param repairRequestsSent datagrams that asked for repairs
 * @param multicastSent of the datagrams sent, those to the group; the others were unicast
 * @param multicastReceived of the datagrams received, those to the group
 */
public record CommunicatorStatistics(
        long broadcasts,
        long messageBytes,
        long datagramsSent,
        long datagramsReceived,
        long fragmentsUseful,
        long fragmentsDuplicate,
        long fragmentsLost,
        long repairsSent,
        long repairsReceived,
        Map<String, Long> rejected,
        DurationDistribution repairTimes,
        long repairRequestsSent,
        long multicastSent,
        long multicastReceived) {

    /**
     * 99th percentile of the time from noticing a loss to its repair, in nanoseconds; 0 when
     * nothing was repaired.
     */
    public long repairP99Ns() {
        return repairTimes.percentileNs(99);
    }
}
