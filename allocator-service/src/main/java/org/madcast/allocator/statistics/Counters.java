package org.madcast.allocator.statistics;

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
        @PositiveOrZero long broadcasts,
        @PositiveOrZero long messageBytes,
        @PositiveOrZero long datagramsSent,
        @PositiveOrZero long datagramsReceived,
        @PositiveOrZero long fragmentsUseful,
        @PositiveOrZero long fragmentsDuplicate,
        @PositiveOrZero long fragmentsLost,
        @PositiveOrZero long repairsSent,
        @PositiveOrZero long repairsReceived,
        @PositiveOrZero long repairRequestsSent,
        @PositiveOrZero long foreign,
        @PositiveOrZero long repairP99Ns) {

    /** Lost fragments in percent of those that the rank needed. */
    public double lossPercent() {
        return fragmentsUseful == 0 ? 0 : 100.0 * fragmentsLost / fragmentsUseful;
    }
}
