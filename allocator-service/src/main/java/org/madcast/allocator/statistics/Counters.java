package org.madcast.allocator.statistics;

import org.madcast.allocator.web.Fields;

/**
 * What a rank counted since its communicator was made.
 *
 * @param broadcasts completed broadcasts
 * @param messageBytes their bytes
 * @param datagramsSent datagrams of every type sent
 * @param datagramsReceived datagrams of every type received
 * @param fragmentsUseful received fragments that were new
 * @param fragmentsDuplicate received fragments that were not
 * @param fragmentsLost fragments that it requested
 * @param repairsSent fragments that it sent again on request
 * @param repairsReceived fragments that came as a repair and were new
 * @param repairRequestsSent datagrams that requested repairs
 * @param foreign datagrams of other communicators
 * @param repairP99Ns 99th percentile of the time from noticing a loss to its repair, nanoseconds
 */
public record Counters(
        long broadcasts,
        long messageBytes,
        long datagramsSent,
        long datagramsReceived,
        long fragmentsUseful,
        long fragmentsDuplicate,
        long fragmentsLost,
        long repairsSent,
        long repairsReceived,
        long repairRequestsSent,
        long foreign,
        long repairP99Ns) {

    /** The largest count of a report: no rank reaches it, and sums must not overflow. */
    public static final long MOST = 1L << 53;

    /** The largest number of bytes, which fast networks come nearer to. */
    public static final long MOST_BYTES = 1L << 60;

    /** Refuses counts that no rank can reach. */
    public Counters {
        Fields.upTo(MOST, "broadcasts", broadcasts);
        Fields.upTo(MOST_BYTES, "messageBytes", messageBytes);
        Fields.upTo(MOST, "datagramsSent", datagramsSent);
        Fields.upTo(MOST, "datagramsReceived", datagramsReceived);
        Fields.upTo(MOST, "fragmentsUseful", fragmentsUseful);
        Fields.upTo(MOST, "fragmentsDuplicate", fragmentsDuplicate);
        Fields.upTo(MOST, "fragmentsLost", fragmentsLost);
        Fields.upTo(MOST, "repairsSent", repairsSent);
        Fields.upTo(MOST, "repairsReceived", repairsReceived);
        Fields.upTo(MOST, "repairRequestsSent", repairRequestsSent);
        Fields.upTo(MOST, "foreign", foreign);
        Fields.upTo(MOST, "repairP99Ns", repairP99Ns);
    }

    /** Lost fragments in percent of those that the rank needed. */
    public double lossPercent() {
        return fragmentsUseful == 0 ? 0 : 100.0 * fragmentsLost / fragmentsUseful;
    }
}
