package org.madcast.measure.bench;

import java.util.List;
import java.util.stream.IntStream;
import org.madcast.client.DurationDistribution;

/**
 * What the ranks said of one trial.
 *
 * @param exits by rank
 * @param counters what was sent and repaired meanwhile
 */
record Timed(List<Exit> exits, Counters counters) {

    /**
     * The end of a rank's calls.
     *
     * @param durationNs until then, from the trial's start
     * @param beganNs when the rank began, on its own clock
     * @param furtherNs see {@link BenchRank}
     * @param how {@code ok}, {@code corrupt} or {@code missing}
     */
    record Exit(double durationNs, long beganNs, long furtherNs, String how) {

        /** Before a rank has said anything. */
        static final Exit NONE = new Exit(0, 0, 0, "missing");

        Exit lasting(double otherNs) {
            return new Exit(otherNs, beganNs, furtherNs, how);
        }

        private boolean is(String word) {
            return how.equals(word);
        }
    }

    /** What all ranks count. */
    record Counters(long rootTxBytes, long repairs, DurationDistribution repairTimes) {

        static final Counters NONE = new Counters(0, 0, DurationDistribution.EMPTY);

        Counters minus(Counters earlier) {
            return new Counters(
                    rootTxBytes - earlier.rootTxBytes,
                    repairs - earlier.repairs,
                    repairTimes.minus(earlier.repairTimes));
        }

        /** Of one of so many broadcasts. */
        Counters over(int broadcasts) {
            return new Counters(rootTxBytes / broadcasts, repairs / broadcasts, repairTimes);
        }

        Counters plus(Counters other) {
            return new Counters(
                    rootTxBytes + other.rootTxBytes,
                    repairs + other.repairs,
                    repairTimes.plus(other.repairTimes));
        }
    }

    /** Until the last receiver was done; of other calls than a broadcast, the last rank. */
    double lastNs(Cell cell) {
        boolean call = MeasuredCall.of(cell.algorithm()).isPresent();
        return IntStream.range(0, exits.size())
                .filter(rank -> call || rank != cell.root())
                .mapToDouble(rank -> exits.get(rank).durationNs())
                .max()
                .orElse(0);
    }

    int corrupt() {
        return (int) exits.stream().filter(exit -> exit.is("corrupt")).count();
    }

    double meanFurtherNs() {
        return exits.stream().mapToLong(Exit::furtherNs).average().orElse(0);
    }

    /**
     * The sample of it.
     *
     * @param durations how many calls were timed together: all times are of one of them
     * @param overlapped the same call in a computation; empty if it was not
     */
    Sample sample(Cell cell, int durations, List<Sample.Overlapped> overlapped) {
        List<Double> rankNs = exits.stream().map(exit -> exit.durationNs() / durations).toList();
        double latestNs = rankNs.stream().mapToDouble(it -> it).max().orElse(0);
        double earliestNs = rankNs.stream().mapToDouble(it -> it).min().orElse(0);
        return new Sample(
                Math.round(lastNs(cell) / durations),
                rankNs.stream().mapToDouble(it -> it).average().orElse(0),
                Math.round(latestNs - earliestNs),
                counters.rootTxBytes() / durations,
                counters.repairs(),
                counters.repairTimes(),
                corrupt(),
                exits.stream().noneMatch(exit -> exit.is("missing")),
                rankNs,
                overlapped);
    }
}
