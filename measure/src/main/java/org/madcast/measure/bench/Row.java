package org.madcast.measure.bench;

import com.grack.nanojson.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.madcast.client.DurationDistribution;

/**
 * One row of the result: the statistics of each launch's repetitions, then their medians over the
 * launches; maxima and counts are over all of them. Times are in microseconds.
 *
 * @param floorLastMedianUs of the bare network in the same launches, NaN when it was not measured
 *     or never carried everything
 * @param repairP99Us over the repairs of all ranks in all repetitions; 0 when there were none
 * @param floorIncomplete how often the bare network lost something
 */
public record Row(
        Cell cell,
        double lastMedianUs,
        double lastP95Us,
        double lastMaxUs,
        double meanMedianUs,
        double skewMedianUs,
        double floorLastMedianUs,
        int floorIncomplete,
        double rootTxBytes,
        long repairs,
        double repairP99Us,
        int corrupt) {

    static Row of(Cell cell, List<Launch> launches) {
        List<List<Sample>> samples = launches.stream().map(launch -> of(launch, cell)).toList();
        Cell floor = new Cell(Cell.FLOOR, cell.sizeBytes());
        return of(cell, samples, launches.stream().map(launch -> of(launch, floor)).toList());
    }

    /**
     * The row of these samples.
     *
     * @param samples of the cell, a list for each launch
     * @param floors of the bare network, a list for each launch; empty where it was not measured
     */
    public static Row of(Cell cell, List<List<Sample>> samples, List<List<Sample>> floors) {
        List<List<Sample>> whole =
                floors.stream()
                        .map(list -> list.stream().filter(Sample::complete).toList())
                        .filter(list -> !list.isEmpty())
                        .toList();
        return new Row(
                cell,
                over(samples, sample -> sample.lastNs() / 1e3, 0.5),
                over(samples, sample -> sample.lastNs() / 1e3, 0.95),
                samples.stream().flatMap(List::stream).mapToLong(Sample::lastNs).max().orElse(0)
                        / 1e3,
                over(samples, sample -> sample.meanNs() / 1e3, 0.5),
                over(samples, sample -> sample.skewNs() / 1e3, 0.5),
                over(whole, sample -> sample.lastNs() / 1e3, 0.5),
                (int)
                        floors.stream()
                                .flatMap(List::stream)
                                .filter(sample -> !sample.complete())
                                .count(),
                over(samples, Sample::rootTxBytes, 0.5),
                samples.stream().flatMap(List::stream).mapToLong(Sample::repairs).sum(),
                samples.stream()
                                .flatMap(List::stream)
                                .map(Sample::repairTimes)
                                .reduce(DurationDistribution.EMPTY, DurationDistribution::plus)
                                .percentileNs(99)
                        / 1e3,
                samples.stream().flatMap(List::stream).mapToInt(Sample::corrupt).sum());
    }

    /** False as long as no repetition of it has ended. */
    public boolean isMeasured() {
        return !Double.isNaN(lastMedianUs);
    }

    private static List<Sample> of(Launch launch, Cell cell) {
        return launch.samples().getOrDefault(cell, List.of());
    }

    private static double over(
            List<List<Sample>> launches, ToDoubleFunction<Sample> value, double quantile) {
        return quantile(
                launches.stream()
                        .filter(list -> !list.isEmpty())
                        .mapToDouble(list -> quantile(list.stream().mapToDouble(value), quantile)),
                0.5);
    }

    /**
     * The smallest value that at least this part of the values does not exceed; for an even number
     * of values the median is the mean of the two in the middle. NaN of nothing.
     */
    static double quantile(DoubleStream values, double part) {
        double[] sorted = values.toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return Double.NaN;
        }
        if (part == 0.5 && sorted.length % 2 == 0) {
            return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
        }
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    JsonObject json(BenchOptions options) {
        JsonObject json = new JsonObject();
        json.put("system", options.system());
        json.put("algorithm", cell.algorithm());
        json.put("ranks", options.hosts());
        json.put("sizeBytes", cell.sizeBytes());
        json.put("rate", options.rate().map(Object::toString).orElse("none"));
        json.put("lossPercent", options.lossPercent());
        json.put("launches", options.launches());
        json.put("repetitions", options.repetitions());
        json.put("calls", options.calls());
        putTimes(json);
        return json;
    }

    /** Adds what was measured, without how. */
    public void putTimes(JsonObject json) {
        json.put("lastMedianUs", lastMedianUs);
        json.put("lastP95Us", lastP95Us);
        json.put("lastMaxUs", lastMaxUs);
        json.put("meanMedianUs", meanMedianUs);
        json.put("skewMedianUs", skewMedianUs);
        json.put("floorLastMedianUs", Double.isNaN(floorLastMedianUs) ? null : floorLastMedianUs);
        json.put("floorIncomplete", floorIncomplete);
        json.put("rootTxBytes", rootTxBytes);
        json.put("repairs", repairs);
        json.put("repairP99Us", repairP99Us);
        json.put("corrupt", corrupt);
    }
}
