package org.madcast.allocator.statistics;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.madcast.allocator.web.Fields;

/**
 * What a rank counted since its communicator was made. The annotations are for the OpenAPI
 * document.
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
        @Min(0) @Max(MOST) long broadcasts,
        @Min(0) @Max(MOST_BYTES) long messageBytes,
        @Min(0) @Max(MOST) long datagramsSent,
        @Min(0) @Max(MOST) long datagramsReceived,
        @Min(0) @Max(MOST) long fragmentsUseful,
        @Min(0) @Max(MOST) long fragmentsDuplicate,
        @Min(0) @Max(MOST) long fragmentsLost,
        @Min(0) @Max(MOST) long repairsSent,
        @Min(0) @Max(MOST) long repairsReceived,
        @Min(0) @Max(MOST) long repairRequestsSent,
        @Min(0) @Max(MOST) long foreign,
        @Min(0) @Max(MOST) long repairP99Ns) {

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
