package org.madcast.measure.bench;

import java.util.List;

/**
 * What was measured.
 *
 * @param rows one for each cell and number of ranks that a repetition has ended of
 * @param clocks how good the clocks were
 * @param place the hosts in words; empty in a lab
 */
public record BenchResult(List<Row> rows, ClockQuality clocks, String place) {

    /** Of a lab, whose hosts share a clock. */
    public static BenchResult ofLab(List<Row> rows) {
        return new BenchResult(rows, new ClockQuality(), "");
    }
}
