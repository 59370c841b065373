package org.madcast.benchmarks.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/**
 * Results of several runs of one session, side by side, by their times. What the bare network can
 * do is taken from the run in which it was fastest: a system whose idle threads keep the processors
 * busy slows down the floor that is measured beside it, and must not look better for that.
 */
final class Comparison {

    /** A line of the chart: what stands for a system at each size. */
    record Contender(String name, List<Result> candidates) {

        /** The best candidate at a size. */
        Optional<Result> at(int sizeBytes) {
            return candidates.stream()
                    .filter(result -> result.sizeBytes() == sizeBytes)
                    .min(Comparator.comparingDouble(Result::lastUs));
        }
    }

    private final List<Result> results;

    Comparison(List<Result> results) {
        this.results = results;
        if (results.stream().anyMatch(result -> Double.isNaN(result.floorUs()))) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "a result has no floor to compare by; measure again with --floor");
        }
        if (results.stream().map(result -> result.ranks() + " " + result.rate()).distinct().count()
                != 1) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "the results are of different numbers of hosts or rates");
        }
    }

    List<Result> results() {
        return results;
    }

    /** The bare network's time at a size, of the run in which it was fastest. */
    double floorUs(int sizeBytes) {
        return results.stream()
                .filter(result -> result.sizeBytes() == sizeBytes)
                .mapToDouble(Result::floorUs)
                .min()
                .orElse(Double.NaN);
    }

    /** How often the bare network's time a result is. */
    double timesFloor(Result result) {
        return result.lastUs() / floorUs(result.sizeBytes());
    }

    /** The floors of the runs, a line for each system. */
    List<Contender> floors() {
        return results.stream()
                .map(Result::system)
                .distinct()
                .map(system -> new Contender(system, floorsOf(system)))
                .toList();
    }

    private List<Result> floorsOf(String system) {
        return results.stream()
                .filter(result -> result.system().equals(system))
                .map(Result::floor)
                .toList();
    }

    List<Integer> sizesBytes() {
        return results.stream().map(Result::sizeBytes).distinct().sorted().toList();
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

    private List<Result> named(String name) {
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
                        .map(Result::system)
                        .distinct()
                        .flatMap(this::asItComesAndAtItsBest);
        return Stream.concat(ours, rivals).toList();
    }

    private Stream<Contender> asItComesAndAtItsBest(String system) {
        List<Result> all =
                results.stream().filter(result -> result.system().equals(system)).toList();
        List<Result> defaults =
                all.stream().filter(result -> result.algorithm().equals("default")).toList();
        return Stream.of(
                        new Contender(system + " default", defaults),
                        new Contender(system + " best", all))
                .filter(contender -> !contender.candidates().isEmpty());
    }
}
