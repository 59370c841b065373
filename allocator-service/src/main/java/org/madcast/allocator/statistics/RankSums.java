package org.madcast.allocator.statistics;

/** One rank's sums over an interval. Not for several threads. */
public final class RankSums {

    private static final int COUNTS = RankCount.values().length;

    /** In the order of the constants: there are many of these at a time, and they are small. */
    private final long[] values = new long[COUNTS];

    private long durations;
    private long durationNs;

    /** What was summed. */
    public long get(RankCount count) {
        return values[count.index()];
    }

    void add(RankCount count, long value) {
        values[count.index()] = Sum.of(values[count.index()], value);
    }

    void add(RankSums other) {
        for (int i = 0; i < COUNTS; i++) {
            values[i] = Sum.of(values[i], other.values[i]);
        }
        addDurations(other.durations, other.durationNs);
    }

    void addDurations(long count, long sumNs) {
        durations = Sum.of(durations, count);
        durationNs = Sum.of(durationNs, sumNs);
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
