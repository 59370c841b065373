package org.madcast.measure.bench;

import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How good the clocks of a measurement were. One thread adds; any thread may read. */
public final class ClockQuality {

    private final List<Long> tripsNs = new ArrayList<>();
    private final List<Long> predictedNs = new ArrayList<>();
    private final List<Long> truthNs = new ArrayList<>();
    private long boundNs;
    private int rounds;
    private volatile ClockKind kind = ClockKind.SHARED;

    void kind(ClockKind used) {
        kind = used;
    }

    synchronized void compared(long tripNs, long ofRankNs) {
        tripsNs.add(tripNs);
        boundNs = Math.max(boundNs, ofRankNs);
    }

    /** By how much a prediction was wrong. */
    synchronized void predicted(long byNs) {
        predictedNs.add(byNs);
    }

    /** By how much a clock is off, where the hosts really share one. */
    synchronized void truth(long byNs) {
        truthNs.add(byNs);
    }

    synchronized void round() {
        rounds++;
    }

    private static double us(List<Long> valuesNs, double part) {
        return Row.quantile(valuesNs.stream().mapToDouble(Long::doubleValue), part) / 1e3;
    }

    /** In words, no line longer than 80 characters. */
    synchronized List<String> lines() {
        if (kind == ClockKind.SHARED) {
            return List.of();
        }
        if (kind == ClockKind.OWN) {
            return List.of(
                    "clock: each rank's own. A receiver's time is the root's until its answer,",
                    "       less half of a usual round trip; one broadcast for each receiver");
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "clock: compared %d times, by shortest round trips of %.1f us",
                        rounds,
                        us(tripsNs, 0.5)));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "       off from prediction by %.1f us (p95 %.1f), never by more than %.1f us",
                        us(predictedNs, 0.5),
                        us(predictedNs, 0.95),
                        boundNs / 1e3));
        if (!truthNs.isEmpty()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "       off from the clock that the hosts share by %.1f us (p95 %.1f, max"
                                    + " %.1f)",
                            us(truthNs, 0.5),
                            us(truthNs, 0.95),
                            us(truthNs, 1)));
        }
        return lines;
    }

    /** The same as JSON. */
    synchronized JsonObject json() {
        JsonObject json = new JsonObject();
        json.put("kind", kind.label());
        if (kind == ClockKind.SYNCHRONISED) {
            json.put("comparisons", rounds);
            json.put("roundTripUs", us(tripsNs, 0.5));
            json.put("errorMedianUs", us(predictedNs, 0.5));
            json.put("errorP95Us", us(predictedNs, 0.95));
            json.put("boundUs", boundNs / 1e3);
            if (!truthNs.isEmpty()) {
                json.put("trueErrorMedianUs", us(truthNs, 0.5));
                json.put("trueErrorP95Us", us(truthNs, 0.95));
                json.put("trueErrorMaxUs", us(truthNs, 1));
            }
        }
        return json;
    }
}
