package org.madcast.measure.bench;

import java.util.List;
import java.util.Optional;
import org.madcast.lab.LabSpec;
import org.madcast.lab.LinkRate;

/**
 * What is measured.
 *
 * @param system whose broadcasts they are, such as {@code madcast}
 * @param lab the links of a lab and what these lose; of real hosts nothing is known
 * @param ranks how many ranks, each number for itself
 * @param cells one for each row of the result; a floor measures the bare network for its size
 * @param compilers how ranks that are JVMs are compiled
 * @param seed decides the order, and how much later each rank calls
 */
public record BenchOptions(
        String system,
        LabSpec lab,
        List<Integer> ranks,
        List<Cell> cells,
        Amount amount,
        Compilers compilers,
        Method method,
        long seed) {

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
        return new BenchOptions(system, lab, ranks, others, amount, compilers, method, seed);
    }

    /** The same measurement in another lab, of as many ranks as it has hosts. */
    public BenchOptions withLab(LabSpec other) {
        List<Integer> all = List.of(other.hosts());
        return new BenchOptions(system, other, all, cells, amount, compilers, method, seed);
    }

    /** The same measurement on hosts of whose links nothing is known. */
    BenchOptions onRealHosts() {
        LabSpec none = LabSpec.ofHosts(1);
        return new BenchOptions(system, none, ranks, cells, amount, compilers, method, seed);
    }

    /** The same measurement of so many ranks. */
    public BenchOptions withRanks(List<Integer> others) {
        return new BenchOptions(system, lab, others, cells, amount, compilers, method, seed);
    }

    /** The same measurement of ranks that are compiled in this way. */
    public BenchOptions withCompilers(Compilers others) {
        return new BenchOptions(system, lab, ranks, cells, amount, others, method, seed);
    }

    /** The same calls timed in another way, so many of them together. */
    public BenchOptions by(Method other, int calls) {
        Amount changed = amount.withCalls(calls);
        return new BenchOptions(system, lab, ranks, cells, changed, compilers, other, seed);
    }

    /** The same measurement, so often. */
    public BenchOptions times(int launches, int repetitions, int warmUps) {
        Amount other = new Amount(launches, repetitions, warmUps, amount.burst(), amount.calls());
        return new BenchOptions(system, lab, ranks, cells, other, compilers, method, seed);
    }
}
