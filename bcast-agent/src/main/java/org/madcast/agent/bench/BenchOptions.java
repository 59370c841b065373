package org.madcast.agent.bench;

import java.util.List;
import java.util.Optional;
import org.madcast.lab.LinkRate;

/**
 * What is measured.
 *
 * @param system whose broadcasts they are, such as {@code madcast}
 * @param rate what a link carries, empty for no limit
 * @param cells one for each row of the result; a floor measures the bare network for its size
 * @param launches how often all processes are started anew
 * @param repetitions how often each cell is timed in a launch
 * @param warmUps how often each cell runs as if it were timed before
 * @param burst how many broadcasts one behind the other a cell begins with, at most: thousands
 *     where code is yet to be compiled
 * @param seed decides the order
 */
public record BenchOptions(
        String system,
        int hosts,
        Optional<LinkRate> rate,
        double lossPercent,
        List<Cell> cells,
        int launches,
        int repetitions,
        int warmUps,
        int burst,
        long seed) {

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
                system,
                hosts,
                rate,
                lossPercent,
                others,
                launches,
                repetitions,
                warmUps,
                burst,
                seed);
    }

    /** The same measurement, so often. */
    public BenchOptions times(int newLaunches, int newRepetitions, int newWarmUps) {
        return new BenchOptions(
                system,
                hosts,
                rate,
                lossPercent,
                cells,
                newLaunches,
                newRepetitions,
                newWarmUps,
                burst,
                seed);
    }
}
