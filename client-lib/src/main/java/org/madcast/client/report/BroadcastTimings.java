package org.madcast.client.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;

/**
 * Of one place in the program, a histogram for each algorithm and size class. A size class holds
 * the sizes from a power of two to the next, and one more the empty messages. A histogram is made
 * when the first broadcast of its kind is recorded; from then on recording allocates nothing. Any
 * thread may record while one other drains.
 */
final class BroadcastTimings {

    private static final int SIZE_CLASSES = 65;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private final String name;
    private final String[] labels;
    private final AtomicReferenceArray<@Nullable ReportedDurations> histograms;
    private final AtomicReferenceArray<@Nullable ArrivalTimings> arrivals;

    /** The longest delay of a root since the last report, plus one; 0 when it was no root. */
    private final AtomicLongArray rootDelays;

    BroadcastTimings(String name) {
        this.name = name;
        List<String> names = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            names.add(algorithm.label());
        }
        names.add("other");
        labels = names.toArray(String[]::new);
        histograms = new AtomicReferenceArray<>(labels.length * SIZE_CLASSES);
        arrivals = new AtomicReferenceArray<>(labels.length * SIZE_CLASSES);
        rootDelays = new AtomicLongArray(labels.length * SIZE_CLASSES);
    }

    /** Counts one broadcast; what is no label of an algorithm counts as "other". */
    void record(String algorithm, long sizeBytes, long durationNs) {
        int cell = row(algorithm) * SIZE_CLASSES + sizeClass(sizeBytes);
        ReportedDurations histogram = histograms.get(cell);
        if (histogram == null) {
            histogram = create(cell);
        }
        histogram.record(sizeBytes, durationNs);
    }

    /**
     * Counts when a receiver called.
     *
     * @param afterDataNs how long after the data had come; negative when it waited for them
     * @param askedNs how long its call took if it had to ask for what it missed, else 0
     */
    void recordArrival(String algorithm, long sizeBytes, long afterDataNs, long askedNs) {
        int cell = row(algorithm) * SIZE_CLASSES + sizeClass(sizeBytes);
        ArrivalTimings timings = arrivals.get(cell);
        if (timings == null) {
            ArrivalTimings created = new ArrivalTimings();
            ArrivalTimings winner = arrivals.compareAndExchange(cell, null, created);
            timings = winner == null ? created : winner;
        }
        timings.record(afterDataNs, askedNs);
    }

    /** Notes how long a root waited before it sent. */
    void recordRootDelay(String algorithm, long sizeBytes, long delayMicros) {
        int cell = row(algorithm) * SIZE_CLASSES + sizeClass(sizeBytes);
        long _ = rootDelays.accumulateAndGet(cell, delayMicros + 1, Math::max);
    }

    private ReportedDurations create(int cell) {
        ReportedDurations created = new ReportedDurations();
        ReportedDurations winner = histograms.compareAndExchange(cell, null, created);
        return winner == null ? created : winner;
    }

    private int row(String algorithm) {
        int row = 0;
        while (row < labels.length - 1 && !labels[row].equals(algorithm)) {
            row++;
        }
        return row;
    }

    private static int sizeClass(long sizeBytes) {
        return 64 - Long.numberOfLeadingZeros(Math.max(0, sizeBytes));
    }

    /** Such as {@code 64KiB..} for 64 KiB to less than 128 KiB. */
    static String sizeClassLabel(long sizeBytes) {
        return classLabel(sizeClass(sizeBytes));
    }

    private static String classLabel(int sizeClass) {
        if (sizeClass == 0) {
            return "0B";
        }
        int power = sizeClass - 1;
        return (1L << (power % 10)) + UNITS[power / 10] + "..";
    }

    /** Takes everything out, as the elements of a report. */
    List<Map<String, Object>> drain() {
        List<Map<String, Object>> elements = new ArrayList<>();
        for (int cell = 0; cell < histograms.length(); cell++) {
            ReportedDurations histogram = histograms.get(cell);
            if (histogram != null) {
                ReportedDurations.Drained drained = histogram.drain();
                if (drained.count() > 0) {
                    Map<String, Object> element =
                            element(labels[cell / SIZE_CLASSES], cell % SIZE_CLASSES, drained);
                    ArrivalTimings arrived = arrivals.get(cell);
                    if (arrived != null) {
                        element.put("arrivals", arrived.drain());
                    }
                    long delay = rootDelays.getAndSet(cell, 0);
                    if (delay > 0) {
                        element.put("rootDelayMicros", delay - 1);
                    }
                    elements.add(element);
                }
            }
        }
        return elements;
    }

    private Map<String, Object> element(
            String algorithm, int sizeClass, ReportedDurations.Drained drained) {
        Map<String, Object> durations = new LinkedHashMap<>();
        durations.put("p50", drained.p50Ns());
        durations.put("p99", drained.p99Ns());
        durations.put("max", drained.maxNs());
        durations.put("sum", drained.sumNs());
        Map<String, Object> element = new LinkedHashMap<>();
        element.put("sizeClass", classLabel(sizeClass));
        if (!name.isEmpty()) {
            element.put("label", name);
        }
        element.put("algorithm", algorithm);
        element.put("count", drained.count());
        element.put("bytes", drained.bytes());
        element.put("durationNs", durations);
        element.put("buckets", drained.buckets());
        return element;
    }
}
