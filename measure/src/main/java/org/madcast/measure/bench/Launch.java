package org.madcast.measure.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleConsumer;
import org.madcast.client.DurationDistribution;
import org.madcast.measure.bench.LaunchedRanks.Heard;

/** One launch of all ranks: runs the schedule and keeps what was timed, by cell. */
final class Launch {

    /** Long enough that every rank hears of the start before it comes. */
    private static final long LEAD_NS = 8_000_000;

    private static final long LEAD_PER_RANK_NS = 500_000;
    private static final long FLOOR_PATIENCE_NS = 400_000_000;

    private static final int WARM_UP_BYTES = 2 << 20;

    private static final int FLOOR_WARM_UP = -1;

    private final BenchOptions options;
    private final LaunchedRanks crew;
    private final Map<Cell, List<Sample>> samples = new ConcurrentHashMap<>();

    Launch(BenchOptions options, LaunchedRanks crew) {
        this.options = options;
        this.crew = crew;
    }

    /** Runs all trials. */
    void run(List<Trial> schedule, DoubleConsumer progress) throws InterruptedException {
        warmUp();
        for (int i = 0; i < schedule.size(); i++) {
            Trial trial = schedule.get(i);
            Sample sample = time(trial);
            if (!trial.warmUp()) {
                samples.computeIfAbsent(trial.cell(), _ -> new CopyOnWriteArrayList<>())
                        .add(sample);
            }
            progress.accept((i + 1.0) / schedule.size());
        }
        crew.tell("quit");
    }

    /**
     * Broadcasts of every kind one behind the other, until the ranks' code is compiled: a small
     * message runs through interpreted code twenty times slower than it ever will again. Larger
     * ones get some seconds, in which what is done once a call is called often enough, too.
     */
    private void warmUp() throws InterruptedException {
        for (Cell cell : options.cells()) {
            if (cell.isFloor()) {
                for (int i = 0; i < options.compilers().floorWarmUps(); i++) {
                    time(new Trial(new Cell(Cell.FLOOR, WARM_UP_BYTES), true, FLOOR_WARM_UP));
                }
            } else {
                warmUp(cell);
            }
        }
    }

    private void warmUp(Cell cell) throws InterruptedException {
        int fitting = WARM_UP_BYTES / Math.max(1, cell.sizeBytes());
        int atOnce = Math.clamp(fitting, 1, options.burst());
        Compilers compilers = options.compilers();
        long longestNs = compilers.warmUpNs(cell.sizeBytes(), options.lossPercent() > 0);
        long cells = options.cells().stream().filter(other -> !other.isFloor()).count();
        long leastNs = compilers.leastWarmUpNs() / cells;
        int enough = Math.min(compilers.warmUpCalls(), options.burst());
        long startNs = System.nanoTime();
        long tookNs;
        int calls = 0;
        do {
            crew.tell("warm " + cell.algorithm() + " " + cell.sizeBytes() + " " + atOnce);
            List<Heard> _ = crew.hearAll("warm");
            calls += atOnce;
            tookNs = System.nanoTime() - startNs;
        } while (tookNs < leastNs || (calls < enough && tookNs < longestNs));
    }

    /** What was timed, by cell; any thread may read it, also before the end. */
    Map<Cell, List<Sample>> samples() {
        return samples;
    }

    private Sample time(Trial trial) throws InterruptedException {
        Counters before = prepare(trial);
        long startNs = System.nanoTime() + LEAD_NS + LEAD_PER_RANK_NS * options.hosts();
        long deadlineNs = startNs + floorPatienceNs(trial.cell().sizeBytes());
        int calls = trial.cell().isFloor() ? 1 : options.calls();
        crew.tell("go " + startNs + " " + deadlineNs + " " + calls);
        List<Heard> exits = crew.hearAll("exit");
        Counters after = prepare(new Trial(new Cell(Cell.FLOOR, 0), true, trial.number()));
        return sample(trial.cell(), exits, startNs, after.minus(before));
    }

    /** Twice as long as the link needs, and some more. */
    private long floorPatienceNs(int sizeBytes) {
        long bits = sizeBytes * 8L;
        return FLOOR_PATIENCE_NS
                + options.rate()
                        .map(rate -> bits * 2_000_000_000 / rate.bitsPerSecond())
                        .orElse(0L);
    }

    private Counters prepare(Trial trial) throws InterruptedException {
        Cell cell = trial.cell();
        crew.tell("prepare " + cell.algorithm() + " " + cell.sizeBytes() + " " + trial.number());
        long rootTxBytes = 0;
        long repairs = 0;
        DurationDistribution times = DurationDistribution.EMPTY;
        for (Heard ready : crew.hearAll("ready")) {
            repairs += ready.number(2);
            times = times.plus(RepairTimes.read(ready.words().get(3)));
            if (ready.rank() == 0) {
                rootTxBytes = ready.number(1);
            }
        }
        return new Counters(rootTxBytes, repairs, times);
    }

    /** Where several calls are timed together, all times are of one of them. */
    private Sample sample(Cell cell, List<Heard> exits, long startNs, Counters counters) {
        Optional<MeasuredCall> call = MeasuredCall.of(cell.algorithm());
        int durations =
                (cell.isFloor() ? 1 : options.calls())
                        * call.map(MeasuredCall::durations).orElse(1);
        long lastNs = 0;
        long latestNs = Long.MIN_VALUE;
        long earliestNs = Long.MAX_VALUE;
        double sumNs = 0;
        int corrupt = 0;
        boolean complete = true;
        for (Heard exit : exits) {
            long durationNs = exit.number(1) - startNs;
            if (exit.rank() != 0 || call.isPresent()) {
                lastNs = Math.max(lastNs, durationNs);
            }
            latestNs = Math.max(latestNs, durationNs);
            earliestNs = Math.min(earliestNs, durationNs);
            sumNs += durationNs;
            corrupt += exit.words().get(2).equals("corrupt") ? 1 : 0;
            complete &= !exit.words().get(2).equals("missing");
        }
        return new Sample(
                lastNs / durations,
                sumNs / exits.size() / durations,
                (latestNs - earliestNs) / durations,
                counters.rootTxBytes() / durations,
                counters.repairs(),
                counters.repairTimes(),
                corrupt,
                complete);
    }

    private record Counters(long rootTxBytes, long repairs, DurationDistribution repairTimes) {

        Counters minus(Counters earlier) {
            return new Counters(
                    rootTxBytes - earlier.rootTxBytes,
                    repairs - earlier.repairs,
                    repairTimes.minus(earlier.repairTimes));
        }
    }
}
