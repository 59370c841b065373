package org.madcast.client.report;

import java.util.Map;
import java.util.function.Supplier;

/**
 * What a rank reports of one place in its program, and what the service advises for it. From any
 * thread, with no lock and no allocation but for the first broadcast of each algorithm and size
 * class.
 */
public final class SiteReporter {

    private final String name;
    private final BroadcastTimings timings;
    private final Supplier<Map<String, Integer>> advice;

    SiteReporter(String name, Supplier<Map<String, Integer>> advice) {
        this.name = name;
        this.timings = new BroadcastTimings(name);
        this.advice = advice;
    }

    BroadcastTimings timings() {
        return timings;
    }

    /**
     * Counts a broadcast that this rank completed.
     *
     * @param algorithm the algorithm's label
     * @param sizeBytes the message's size
     * @param durationNs how long the call took
     */
    public void recordBroadcast(String algorithm, long sizeBytes, long durationNs) {
        timings.record(algorithm, sizeBytes, durationNs);
    }

    /**
     * Counts when this rank, as a receiver, called a broadcast that it completed.
     *
     * @param algorithm the algorithm's label
     * @param sizeBytes the message's size
     * @param afterDataNs how long after the data had come; negative when it waited for them
     * @param askedNs how long the call took if it had to ask for what it missed, else 0
     */
    public void recordArrival(String algorithm, long sizeBytes, long afterDataNs, long askedNs) {
        timings.recordArrival(algorithm, sizeBytes, afterDataNs, askedNs);
    }

    /**
     * Notes how long this rank, as a root, waited before it sent.
     *
     * @param algorithm the algorithm's label
     * @param sizeBytes the message's size
     */
    public void recordRootDelay(String algorithm, long sizeBytes, long delayMicros) {
        timings.recordRootDelay(algorithm, sizeBytes, delayMicros);
    }

    /**
     * The root delay that the service advised last for messages of this size at this place, in
     * microseconds; 0 at first.
     */
    public int rootDelayMicros(long sizeBytes) {
        Map<String, Integer> advised = advice.get();
        if (advised.isEmpty()) {
            return 0;
        }
        String size = BroadcastTimings.sizeClassLabel(sizeBytes);
        Integer other = advised.getOrDefault("", 0);
        return advised.getOrDefault(name.isEmpty() ? size : size + " " + name, other);
    }
}
