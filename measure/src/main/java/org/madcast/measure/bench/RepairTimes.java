package org.madcast.measure.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.madcast.client.DurationDistribution;

/** A rank's repair times in one word of a line: {@code EDGE-NS:COUNT,...}, or {@code -}. */
final class RepairTimes {

    private static final String NONE = "-";

    private RepairTimes() {}

    static String written(DurationDistribution times) {
        return times.count() == 0
                ? NONE
                : times.counts().entrySet().stream()
                        .map(bucket -> bucket.getKey() + ":" + bucket.getValue())
                        .collect(Collectors.joining(","));
    }

    static DurationDistribution read(String word) {
        Map<Long, Long> counts = new TreeMap<>();
        if (!word.equals(NONE)) {
            for (String bucket : word.split(",", -1)) {
                int colon = bucket.indexOf(':');
                counts.put(
                        Long.parseLong(bucket.substring(0, colon)),
                        Long.parseLong(bucket.substring(colon + 1)));
            }
        }
        return DurationDistribution.of(counts);
    }
}
