package org.madcast.allocator.tuning;

import java.util.List;

/**
 * What the ranks of one site saw since the last observation, with one delay in force.
 *
 * @param arrivals when receivers called, against when the data came
 * @param lostLate receivers that called late and had to ask for what they had missed
 * @param lostLateNs how long the calls of those took, all together
 * @param calls completed calls of all ranks, the root's too
 * @param callsNs how long they took, all together
 */
public record Observation(
        List<Arrival> arrivals, long lostLate, long lostLateNs, long calls, long callsNs) {

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
