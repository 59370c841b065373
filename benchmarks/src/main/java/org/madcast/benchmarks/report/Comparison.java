package org.madcast.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs of several runs of one session, side by side, by their times. What the bare network can do
 * is taken from the run in which it was fastest: a system whose idle threads keep the processors
 * busy slows down the floor that is measured beside it, and must not look better for that.
 */
final class Comparison {

    /** A line of the chart: what stands for a system at each size. */
    record Contender(String name, List<Run> candidates) {

        /** The best candidate at a size. */
        Optional<Run> at(int sizeBytes) {
            return candidates.stream()
                    .filter(result -> result.sizeBytes() == sizeBytes)
                    .min(Comparator.comparingDouble(Run::lastUs));
        }
    }

    private final List<Run> results;

    Comparison(List<Run> results) {
        this.results = results;
        if (results.stream().anyMatch(result -> Double.isNaN(result.floorUs()))) {
            throw new IllegalArgumentException(
                    "comparison: a result has no floor; measure again with --floor");
        }
        if (results.stream().map(result -> result.ranks() + " " + result.rate()).distinct().count()
                != 1) {
            throw new IllegalArgumentException(
                    "comparison: the results are of different numbers of hosts or rates");
        }
    }

    List<Run> results() {
        return results;
    }

    /** The bare network's time at a size, of the run in which it was fastest. */
    double floorUs(int sizeBytes) {
        return results.stream()
                .filter(result -> result.sizeBytes() == sizeBytes)
                .mapToDouble(Run::floorUs)
                .min()
                .orElse(Double.NaN);
    }

    /** The result's time divided by the fastest time of the bare network at its size. */
    double timesFloor(Run result) {
        return result.lastUs() / floorUs(result.sizeBytes());
    }

    /** The chart: a line for each contender, in multiples of the bare network's time. */
    LineChart chart() {
        List<LineChart.Line> lines =
                contenders().stream()
                        .map(contender ->
                                new LineChart.Line(
                                        contender.name(),
                                        contender.candidates().getFirst().isOurs(),
                                        sizesBytes().stream()
                                                .map(contender::at)
                                                .map(best -> best.map(this::timesFloor))
                                                .toList()))
                        .toList();
        return new LineChart(
                "Broadcast to "
                        + results.getFirst().setting()
                        + ": last receiver's time / bare multicast's",
                sizesBytes().stream().map(Run::size).toList(),
                "x",
                lines);
    }

    /** The floors of the runs, a line for each system. */
    List<Contender> floors() {
        return results.stream()
                .map(Run::system)
                .distinct()
                .map(system -> new Contender(system, floorsOf(system)))
                .toList();
    }

    private List<Run> floorsOf(String system) {
        return results.stream()
                .filter(result -> result.system().equals(system))
                .map(Run::floor)
                .toList();
    }

    List<Integer> sizesBytes() {
        return results.stream().map(Run::sizeBytes).distinct().sorted().toList();
    }

    /** System and algorithm of every line of the table, ours first. */
    List<Contender> lines() {
        return results.stream()
                .sorted(Comparator.comparing(result -> !result.isOurs()))
                .map(result -> result.system() + " " + result.algorithm())
                .distinct()
                .map(name -> new Contender(name, named(name)))
                .toList();
    }

    private List<Run> named(String name) {
        return results.stream()
                .filter(result -> name.equals(result.system() + " " + result.algorithm()))
                .toList();
    }

    /** Each of our algorithms, and each rival as it comes and at its best. */
    List<Contender> contenders() {
        Stream<Contender> ours =
                lines().stream().filter(line -> line.candidates().getFirst().isOurs());
        Stream<Contender> rivals =
                results.stream()
                        .filter(result -> !result.isOurs())
                        .map(Run::system)
                        .distinct()
                        .flatMap(this::asItComesAndAtItsBest);
        return Stream.concat(ours, rivals).toList();
    }

    private Stream<Contender> asItComesAndAtItsBest(String system) {
        List<Run> all = results.stream().filter(result -> result.system().equals(system)).toList();
        List<Run> defaults =
                all.stream().filter(result -> result.algorithm().equals("default")).toList();
        return Stream.of(
                        new Contender(system + " default", defaults),
                        new Contender(system + " best", all))
                .filter(contender -> !contender.candidates().isEmpty());
    }
}
