package org.madcast.measure.bench;

import java.util.List;
import java.util.Optional;
import org.madcast.lab.LabSpec;
import org.madcast.lab.LinkRate;

/**
 * What is measured.
 *
 * @param system whose broadcasts they are, such as {@code madcast}
 * @param lab the hosts, their links and what these lose
 * @param cells one for each row of the result; a floor measures the bare network for its size
 * @param launches how often all processes are started anew
 * @param repetitions how often each cell is timed in a launch
 * @param warmUps how often each cell runs as if it were timed before, at most; large messages fewer
 *     times
 * @param burst how many broadcasts one behind the other a cell begins with, at most: thousands
 *     where code is yet to be compiled
 * @param calls how many calls one behind the other a time is taken over
 * @param compilers how ranks that are JVMs are compiled
 * @param seed decides the order
 */
public record BenchOptions(
        String system,
        LabSpec lab,
        List<Cell> cells,
        int launches,
        int repetitions,
        int warmUps,
        int burst,
        int calls,
        Compilers compilers,
        long seed) {

    /** How many hosts. */
    public int hosts() {
        return lab.hosts();
    }

    /** What a link carries, empty for no limit. */
    public Optional<LinkRate> rate() {
        return lab.rate();
    }

    /** What every host loses of what arrives. */
    public double lossPercent() {
        return lab.lossPercent();
    }

    /** Without the floor, each once. */
    public List<String> algorithms() {
        return cells.stream()
                .filter(cell -> !cell.isFloor())
                .map(Cell::algorithm)
                .distinct()
                .toList();
    }

    /** The size of the largest message. */
    public int largestBytes() {
        return cells.stream().mapToInt(Cell::sizeBytes).max().orElse(0);
    }

    /** The same measurement of other cells. */
    public BenchOptions withCells(List<Cell> others) {
        return new BenchOptions(
                system, lab, others, launches, repetitions, warmUps, burst, calls, compilers, seed);
    }

    /** The same measurement in another lab. */
    public BenchOptions withLab(LabSpec other) {
        return new BenchOptions(
                system,
                other,
                cells,
                launches,
                repetitions,
                warmUps,
                burst,
                calls,
                compilers,
                seed);
    }

    /** The same measurement of ranks that are compiled in this way. */
    public BenchOptions withCompilers(Compilers others) {
        return new BenchOptions(
                system, lab, cells, launches, repetitions, warmUps, burst, calls, others, seed);
    }

    /** The same measurement, so often. */
    public BenchOptions times(int newLaunches, int newRepetitions, int newWarmUps) {
        return new BenchOptions(
                system,
                lab,
                cells,
                newLaunches,
                newRepetitions,
                newWarmUps,
                burst,
                calls,
                compilers,
                seed);
    }
}
