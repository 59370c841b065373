package org.madcast.measure.simulate;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Steps.Step;
import org.madcast.agent.terminal.Units;
import org.madcast.client.Algorithm;
import org.madcast.measure.bench.Cell;
import org.madcast.measure.bench.Row;
import org.madcast.measure.bench.Sample;
import org.madcast.simulator.BareNetwork;
import org.madcast.simulator.Outcome;
import org.madcast.simulator.SimulatedCall;
import org.madcast.simulator.SimulatedJob;
import org.madcast.simulator.SimulatedWay;

/**
 * Simulates all that the options ask for: of broadcasts a job for each algorithm, in it all sizes.
 * One thread runs it; any thread may read the rows, also before the end.
 */
final class SimulatedBench {

    private final SimulateOptions options;
    private final Map<Cell, List<Sample>> samples = new ConcurrentHashMap<>();

    SimulatedBench(SimulateOptions options) {
        this.options = options;
    }

    /** Simulates everything. */
    void run(Steps steps) {
        if (options.floor()) {
            Step step = steps.begin("the bare network");
            for (int sizeBytes : options.sizesBytes()) {
                Outcome outcome = BareNetwork.send(options.job(), sizeBytes);
                add(new Cell(Cell.FLOOR, sizeBytes), outcome);
            }
            step.done("the bare network");
        }
        for (SimulatedKind kind : options.kinds()) {
            switch (kind) {
                case SimulatedKind.Broadcast(Algorithm algorithm) -> run(algorithm, steps);
                case SimulatedKind.Collective collective -> run(collective, steps);
            }
        }
    }

    private void run(Algorithm algorithm, Steps steps) {
        try (SimulatedJob job = new SimulatedJob(options.job())) {
            for (int sizeBytes : options.sizesBytes()) {
                long eventsBefore = job.eventCount();
                run(
                        new Cell(algorithm.label(), sizeBytes),
                        _ -> job.broadcast(algorithm, sizeBytes),
                        () -> ": %d events".formatted(job.eventCount() - eventsBefore),
                        steps);
            }
        }
    }

    private void run(SimulatedKind.Collective collective, Steps steps) {
        for (int sizeBytes : options.sizesBytes()) {
            SimulatedWay way = collective.way(options.job().ranks(), sizeBytes);
            run(
                    new Cell(collective.label(), sizeBytes),
                    done -> SimulatedCall.run(options.job().again(done), way, sizeBytes),
                    () -> collective.algorithm() == null ? ": " + way.algorithm().label() : "",
                    steps);
        }
    }

    private void run(Cell cell, IntFunction<Outcome> call, Supplier<String> result, Steps steps) {
        String name = cell.algorithm() + ", " + Units.size(cell.sizeBytes());
        Step step = steps.begin(name);
        try {
            int repetitions = options.repetitions(cell.sizeBytes());
            for (int done = 0; done < repetitions; done++) {
                step.progress((double) done / repetitions);
                add(cell, call.apply(done));
            }
            step.done(name + result.get());
        } finally {
            step.abandon();
        }
    }

    private void add(Cell cell, Outcome outcome) {
        samples.computeIfAbsent(cell, _ -> new CopyOnWriteArrayList<>())
                .add(
                        new Sample(
                                outcome.lastNs(),
                                outcome.meanNs(),
                                outcome.skewNs(),
                                outcome.rootTxBytes(),
                                outcome.repairs(),
                                outcome.repairTimes(),
                                outcome.corrupt(),
                                outcome.complete(),
                                List.of(),
                                List.of()));
    }

    /** What is known so far, one row for each size and algorithm that was simulated. */
    List<Row> rows() {
        return options.cells().stream()
                .map(cell ->
                        Row.of(
                                cell,
                                options.job().ranks(),
                                List.of(of(cell)),
                                List.of(of(new Cell(Cell.FLOOR, cell.sizeBytes())))))
                .filter(Row::isMeasured)
                .toList();
    }

    private List<Sample> of(Cell cell) {
        return samples.getOrDefault(cell, List.of());
    }
}
