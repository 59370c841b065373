package org.madcast.benchmarks.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/**
 * Results of several runs, side by side. Runs are compared by what they took in times of the bare
 * network's time in the same run, since a machine drifts between runs.
 */
final class Comparison {

    /** A line of the chart: what stands for a system at each size. */
    record Contender(String name, List<Result> candidates) {

        /** The best candidate at a size. */
        Optional<Result> at(int sizeBytes) {
            return candidates.stream()
                    .filter(result -> result.sizeBytes() == sizeBytes)
                    .min(Comparator.comparingDouble(Result::timesFloor));
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
