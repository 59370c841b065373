package org.madcast.allocator.tuning;

import java.util.List;

/**
 * What the ranks of one site saw since the last observation, with one delay in force.
 *
 * @param arrivals when receivers called, against when the data came
 * @param lostLateNs how long the calls of receivers took, all together, that called late and had to
 *     ask for what they had missed
 * @param lostEarlyNs the same of receivers that were there in time, from when the data came
 * @param calls completed calls of all ranks, the root's too
 * @param callsNs how long they took, all together, without what roots waited before them
 */
public record Observation(
        List<Arrival> arrivals, long lostLateNs, long lostEarlyNs, long calls, long callsNs) {

    /**
     * Receivers that called at about the same time.
     *
     * @param afterDataNs negative when they called before the data came
     * @param count how many
     */
    public record Arrival(long afterDataNs, long count) {}

    /** Keeps the arrivals as they are. */
    public Observation {
        arrivals = List.copyOf(arrivals);
    }
}
