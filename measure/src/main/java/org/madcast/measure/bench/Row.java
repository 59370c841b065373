package org.madcast.measure.bench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.madcast.client.DurationDistribution;

/**
 * One row of the result: the statistics of each launch's repetitions, then their medians over the
 * launches; maxima and counts are over all of them. Times are in microseconds.
 *
 * @param ranks how many there were
 * @param floorLastMedianUs of the bare network in the same launches, NaN when it was not measured
 *     or never carried everything
 * @param repairP99Us over the repairs of all ranks in all repetitions; 0 when there were none
 * @param floorIncomplete how often the bare network lost something
 * @param byRank the times of each rank; empty where they are not known
 * @param overlap of a call that was overlapped with a computation; else empty
 */
public record Row(
        Cell cell,
        int ranks,
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
        int corrupt,
        List<OfRank> byRank,
        List<Overlap> overlap) {

    /** The times of one rank. */
    public record OfRank(double medianUs, double p95Us, double maxUs) {

        private JsonObject json(int rank) {
            JsonObject json = new JsonObject();
            json.put("rank", rank);
            json.put("medianUs", medianUs);
            json.put("p95Us", p95Us);
            json.put("maxUs", maxUs);
            return json;
        }
    }

    /**
     * What a computation hid of a call, medians.
     *
     * @param aloneUs how long the call alone holds a rank up
     * @param heldUs how long it does with a computation of its length
     * @param wholeUs until the last rank has ended call and computation
     * @param hidden the part of the call's time that the computation hid
     */
    public record Overlap(double aloneUs, double heldUs, double wholeUs, double hidden) {}

    static Row of(Cell cell, int ranks, List<Launch> launches) {
        List<List<Sample>> samples = launches.stream().map(launch -> of(launch, cell)).toList();
        Cell floor = new Cell(Cell.FLOOR, cell.sizeBytes());
        return of(
                cell, ranks, samples, launches.stream().map(launch -> of(launch, floor)).toList());
    }

    /**
     * The row of these samples.
     *
     * @param samples of the cell, a list for each launch
     * @param floors of the bare network, a list for each launch; empty where it was not measured
     */
    public static Row of(
            Cell cell, int ranks, List<List<Sample>> samples, List<List<Sample>> floors) {
        List<List<Sample>> whole =
                floors.stream()
                        .map(list -> list.stream().filter(Sample::complete).toList())
                        .filter(list -> !list.isEmpty())
                        .toList();
        return new Row(
                cell,
                ranks,
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
                samples.stream().flatMap(List::stream).mapToInt(Sample::corrupt).sum(),
                byRank(samples),
                overlap(samples));
    }

    private static List<OfRank> byRank(List<List<Sample>> samples) {
        int known =
                samples.stream()
                        .flatMap(List::stream)
                        .mapToInt(sample -> sample.rankNs().size())
                        .min()
                        .orElse(0);
        return IntStream.range(0, known)
                .mapToObj(rank -> ofRank(samples, sample -> sample.rankNs().get(rank) / 1e3))
                .toList();
    }

    private static OfRank ofRank(List<List<Sample>> samples, ToDoubleFunction<Sample> us) {
        return new OfRank(over(samples, us, 0.5), over(samples, us, 0.95), over(samples, us, 1));
    }

    private static List<Overlap> overlap(List<List<Sample>> samples) {
        List<List<Sample>> overlapped =
                samples.stream()
                        .map(list ->
                                list.stream().filter(it -> !it.overlapped().isEmpty()).toList())
                        .toList();
        if (overlapped.stream().allMatch(List::isEmpty)) {
            return List.of();
        }
        return List.of(
                new Overlap(
                        over(overlapped, it -> it.overlapped().getFirst().aloneNs() / 1e3, 0.5),
                        over(overlapped, it -> it.overlapped().getFirst().heldNs() / 1e3, 0.5),
                        over(overlapped, it -> it.overlapped().getFirst().wholeNs() / 1e3, 0.5),
                        over(overlapped, it -> it.overlapped().getFirst().hidden(), 0.5)));
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
        json.put("ranks", ranks);
        json.put("root", cell.root());
        json.put("sizeBytes", cell.sizeBytes());
        json.put("rate", options.rate().map(Object::toString).orElse("none"));
        json.put("lossPercent", options.lossPercent());
        json.put("launches", options.amount().launches());
        json.put("repetitions", options.amount().repetitions());
        json.put("calls", options.amount().calls());
        json.put("mode", options.method().mode().label());
        json.put("skewUs", options.method().skewNs() / 1e3);
        putTimes(json);
        for (Overlap it : overlap) {
            json.put("aloneUs", it.aloneUs());
            json.put("heldUs", it.heldUs());
            json.put("wholeUs", it.wholeUs());
            json.put("hidden", it.hidden());
            json.put("computing", options.method().idle() ? "idle" : "busy");
        }
        if (options.method().perRank()) {
            JsonArray each = new JsonArray();
            for (int rank = 0; rank < byRank.size(); rank++) {
                each.add(byRank.get(rank).json(rank));
            }
            json.put("byRank", each);
        }
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
