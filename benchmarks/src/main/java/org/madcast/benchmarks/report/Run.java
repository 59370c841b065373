package org.madcast.benchmarks.report;

import java.util.Locale;
import java.util.Map;
import org.madcast.benchmarks.report.Measurement.Origin;

/**
 * A row of {@code madcast bench --json}, or of another system measured likewise. Times are the last
 * receiver's, in microseconds; NaN where something was not measured.
 *
 * @param variant the algorithm with its segment, as it was measured
 * @param calls how many calls one behind the other a time was taken over
 * @param floorUs of the bare network in the same run
 */
record Run(
        String system,
        String variant,
        int ranks,
        String rate,
        double lossPercent,
        int sizeBytes,
        int calls,
        double lastUs,
        double p95Us,
        double floorUs,
        double repairP99Us,
        Origin origin) {

    static Run of(Map<String, Object> row, Origin origin) {
        String system = Json.string(row, "system");
        return new Run(
                system.isEmpty() ? "madcast" : system,
                Json.string(row, "algorithm"),
                (int) Json.number(row, "ranks"),
                Json.string(row, "rate"),
                Json.number(row, "lossPercent"),
                (int) Json.number(row, "sizeBytes"),
                row.containsKey("calls") ? (int) Json.number(row, "calls") : 1,
                Json.number(row, "lastMedianUs"),
                Json.number(row, "lastP95Us"),
                Json.number(row, "floorLastMedianUs"),
                Json.number(row, "repairP99Us"),
                origin);
    }

    /** The algorithm without its segment. */
    String algorithm() {
        int slash = variant.indexOf('/');
        return system.equals("openmpi") && slash >= 0 ? variant.substring(0, slash) : variant;
    }

    boolean isOurs() {
        return system.equals("madcast");
    }

    double timesFloor() {
        return lastUs / floorUs;
    }

    /** The bare network's result that was measured beside this one. */
    Run floor() {
        return new Run(
                system,
                "floor",
                ranks,
                rate,
                lossPercent,
                sizeBytes,
                calls,
                floorUs,
                floorUs,
                floorUs,
                Double.NaN,
                origin);
    }

    /** Number of hosts, rate and loss: what makes two runs comparable. */
    String setting() {
        return "%d hosts, %s%s"
                .formatted(
                        ranks,
                        rate.equals("none") ? "links without a limit" : rate + " a link",
                        lossPercent > 0 ? ", " + Measurement.format(lossPercent) + " % loss" : "");
    }

    static String milliseconds(double us) {
        if (Double.isNaN(us)) {
            return "-";
        }
        return String.format(
                Locale.ROOT, us < 1_000 ? "%.3f" : us < 10_000 ? "%.2f" : "%.1f", us / 1e3);
    }

    static String size(int bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return bytes / (1 << 20) + " MiB";
        }
        return bytes >= 1024 && bytes % 1024 == 0 ? bytes / 1024 + " KiB" : bytes + " B";
    }
}
