package org.madcast.allocator.statistics;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.PositiveOrZero;

/**
 * What a rank counted since its communicator was made.
 *
 * @param broadcasts broadcasts that it completed
 * @param messageBytes their bytes
 * @param datagramsSent datagrams of every type sent
 * @param datagramsReceived datagrams of every type received
 * @param fragmentsUseful received fragments that were new
 * @param fragmentsDuplicate received fragments that it had already
 * @param fragmentsLost fragments that it had to ask for
 * @param repairsSent fragments that it sent again because somebody asked
 * @param repairsReceived fragments that came as a repair and were new
 * @param repairRequestsSent datagrams that asked for repairs
 * @param foreign datagrams of other communicators
 * @param repairP99Ns 99th percentile of the time from noticing a loss to its repair, nanoseconds
 */
public record Counters(
        @PositiveOrZero @Max(MOST) long broadcasts,
        @PositiveOrZero @Max(MOST_BYTES) long messageBytes,
        @PositiveOrZero @Max(MOST) long datagramsSent,
        @PositiveOrZero @Max(MOST) long datagramsReceived,
        @PositiveOrZero @Max(MOST) long fragmentsUseful,
        @PositiveOrZero @Max(MOST) long fragmentsDuplicate,
        @PositiveOrZero @Max(MOST) long fragmentsLost,
        @PositiveOrZero @Max(MOST) long repairsSent,
        @PositiveOrZero @Max(MOST) long repairsReceived,
        @PositiveOrZero @Max(MOST) long repairRequestsSent,
        @PositiveOrZero @Max(MOST) long foreign,
        @PositiveOrZero @Max(MOST) long repairP99Ns) {

    /** The most that a report may count of anything: more nobody can reach, and sums must end. */
    public static final long MOST = 1L << 53;

    /** The most bytes, which fast networks come nearer to. */
    public static final long MOST_BYTES = 1L << 60;

    /** Lost fragments in percent of those that the rank needed. */
    public double lossPercent() {
        return fragmentsUseful == 0 ? 0 : 100.0 * fragmentsLost / fragmentsUseful;
    }
}
