package org.madcast.allocator.statistics;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.madcast.allocator.statistics.BroadcastSite.Arrivals;
import org.madcast.allocator.statistics.BroadcastSite.DurationNs;

/** One site's sums over an interval, of all ranks together. Not for several threads. */
public final class SiteSums {

    private long count;
    private long bytes;
    private long sumNs;
    private long maxNs;
    private long lostLate;
    private long lostLateNs;
    private long lostEarly;
    private long lostEarlyNs;
    private long rootDelayMicros;
    private final SortedMap<Integer, Long> buckets = new TreeMap<>();
    private final SortedMap<Integer, Long> early = new TreeMap<>();
    private final SortedMap<Integer, Long> late = new TreeMap<>();

    void add(BroadcastSite site) {
        DurationNs durations = site.durationNs();
        addTotals(site.count(), site.bytes(), durations.sum(), durations.max());
        Long delay = site.rootDelayMicros();
        addRootDelay(delay == null ? 0 : delay);
        if (site.buckets() != null) {
            merge(buckets, site.buckets());
        } else {
            addUnknown(site.count(), durations);
        }
        Arrivals arrivals = site.arrivals();
        if (arrivals != null) {
            merge(early, arrivals.early());
            merge(late, arrivals.late());
            addLostLate(arrivals.lostLate(), arrivals.lostLateNs());
            addLostEarly(arrivals.lostEarly(), arrivals.lostEarlyNs());
        }
    }

    /** A rank without a histogram: half of its broadcasts at its median, the others at its p99. */
    private void addUnknown(long many, DurationNs durations) {
        if (many > 0) {
            long above = many / 2;
            buckets.merge(Buckets.of(durations.p50()), many - above, Sum::of);
            if (above > 0) {
                buckets.merge(Buckets.of(durations.p99()), above, Sum::of);
            }
        }
    }

    /** Adds what was summed elsewhere. */
    public void add(SiteSums other) {
        addTotals(other.count, other.bytes, other.sumNs, other.maxNs);
        addLostLate(other.lostLate, other.lostLateNs);
        addLostEarly(other.lostEarly, other.lostEarlyNs);
        addRootDelay(other.rootDelayMicros);
        merge(buckets, other.buckets);
        merge(early, other.early);
        merge(late, other.late);
    }

    void addTotals(long moreCount, long moreBytes, long moreNs, long max) {
        count = Sum.of(count, moreCount);
        bytes = Sum.of(bytes, moreBytes);
        sumNs = Sum.of(sumNs, moreNs);
        maxNs = Math.max(maxNs, max);
    }

    void addLostLate(long many, long costNs) {
        lostLate = Sum.of(lostLate, many);
        lostLateNs = Sum.of(lostLateNs, costNs);
    }

    void addLostEarly(long many, long costNs) {
        lostEarly = Sum.of(lostEarly, many);
        lostEarlyNs = Sum.of(lostEarlyNs, costNs);
    }

    void addRootDelay(long micros) {
        rootDelayMicros = Math.max(rootDelayMicros, micros);
    }

    private static void merge(Map<Integer, Long> into, Map<Integer, Long> from) {
        from.forEach((bucket, many) -> into.merge(bucket, many, Sum::of));
    }

    /** Broadcasts, counted by each rank that completed them. */
    public long count() {
        return count;
    }

    /** Their bytes. */
    public long bytes() {
        return bytes;
    }

    /** How long they took together, in nanoseconds. */
    public long sumNs() {
        return sumNs;
    }

    /** The longest, in nanoseconds. */
    public long maxNs() {
        return maxNs;
    }

    /** Late receivers that had to ask for what they had missed. */
    public long lostLate() {
        return lostLate;
    }

    /** What asking cost them together, in nanoseconds. */
    public long lostLateNs() {
        return lostLateNs;
    }

    /** Early receivers that had to ask for what was lost on its way. */
    public long lostEarly() {
        return lostEarly;
    }

    /** What asking cost them together, in nanoseconds. */
    public long lostEarlyNs() {
        return lostEarlyNs;
    }

    /** The longest time that a root waited before it sent, in microseconds. */
    public long rootDelayMicros() {
        return rootDelayMicros;
    }

    /** Their durations by {@link Buckets}. */
    public SortedMap<Integer, Long> buckets() {
        return buckets;
    }

    /** Receivers that called before the root, by how long. */
    public SortedMap<Integer, Long> early() {
        return early;
    }

    /** Receivers that called after the root, by how long. */
    public SortedMap<Integer, Long> late() {
        return late;
    }
}
