package org.madcast.allocator.statistics;

import java.util.EnumMap;
import java.util.Map;

/** One rank's sums over an interval. Not for several threads. */
public final class RankSums {

    private final Map<RankCount, Long> values = new EnumMap<>(RankCount.class);
    private long durations;
    private long durationNs;

    /** What was summed. */
    public long get(RankCount count) {
        return values.getOrDefault(count, 0L);
    }

    void add(RankCount count, long value) {
        if (value != 0) {
            values.merge(count, value, Long::sum);
        }
    }

    void add(RankSums other) {
        other.values.forEach(this::add);
        addDurations(other.durations, other.durationNs);
    }

    void addDurations(long count, long sumNs) {
        durations += count;
        durationNs += sumNs;
    }

    /** How many broadcasts were timed. */
    public long durations() {
        return durations;
    }

    /** How long they took together, in nanoseconds. */
    public long durationNs() {
        return durationNs;
    }

    /** Lost fragments in percent of those that the rank needed. */
    public double lossPercent() {
        long useful = get(RankCount.FRAGMENTS_USEFUL);
        return useful == 0 ? 0 : 100.0 * get(RankCount.FRAGMENTS_LOST) / useful;
    }
}
