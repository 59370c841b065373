package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleConsumer;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.client.DurationDistribution;
import org.madcast.measure.bench.LaunchedRanks.Heard;
import org.madcast.measure.bench.Timed.Counters;
import org.madcast.measure.bench.Timed.Exit;

/** One launch of all ranks: runs the schedule and keeps what was timed, by cell. */
final class Launch {

    /** Long enough that every rank hears of the start before it comes. */
    private static final long LEAD_NS = 8_000_000;

    private static final long LEAD_PER_RANK_NS = 500_000;
    private static final long FLOOR_PATIENCE_NS = 400_000_000;

    /** Where no rate is known. */
    private static final long SLOW_NS_PER_BIT = 20;

    private static final int WARM_UP_BYTES = 2 << 20;

    private static final int FLOOR_WARM_UP = -1;

    /** So often a receiver's answer may get lost. */
    private static final int MOST_LOST_ANSWERS = 100;

    private final BenchOptions options;
    private final LaunchedRanks crew;
    private final ClockKind kind;
    private final Clocks clocks;
    private final Lateness lateness;
    private final boolean far;
    private final int ranks;
    private long preparedNs;
    private long answers;
    private final Map<Cell, List<Sample>> samples = new ConcurrentHashMap<>();

    /** Of these ranks, whose hosts have the clocks of this cluster. */
    Launch(
            BenchOptions options,
            Cluster cluster,
            LaunchedRanks crew,
            ClockQuality quality,
            long seed) {
        this.options = options;
        this.crew = crew;
        this.kind = options.method().clock(cluster.sharesClock());
        this.far = !cluster.sharesClock();
        this.ranks = cluster.size();
        this.lateness = new Lateness(options.method().skewNs(), seed);
        quality.kind(kind);
        clocks = new Clocks(kind, cluster, crew, quality);
    }

    /** Runs all trials. */
    void run(List<Trial> schedule, DoubleConsumer progress) throws InterruptedException {
        if (kind != ClockKind.SHARED) {
            clocks.open();
        }
        warmUp();
        for (int i = 0; i < schedule.size(); i++) {
            Trial trial = schedule.get(i);
            Sample sample = sample(trial);
            if (!trial.warmUp()) {
                samples.computeIfAbsent(trial.cell(), _ -> new CopyOnWriteArrayList<>())
                        .add(sample);
            }
            progress.accept((i + 1.0) / schedule.size());
        }
        clocks.end();
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
                    Cell floor = new Cell(Cell.FLOOR, WARM_UP_BYTES);
                    Timed _ = time(new Trial(floor, true, FLOOR_WARM_UP));
                }
            } else {
                warmUp(cell);
            }
        }
    }

    private void warmUp(Cell cell) throws InterruptedException {
        int fitting = WARM_UP_BYTES / Math.max(1, cell.sizeBytes());
        int atOnce = Math.clamp(fitting, 1, options.amount().burst());
        Compilers compilers = options.compilers();
        long longestNs = compilers.warmUpNs(cell.sizeBytes(), options.lossPercent() > 0);
        long cells = options.cells().stream().filter(other -> !other.isFloor()).count();
        long leastNs = compilers.leastWarmUpNs() / cells;
        int enough = Math.min(compilers.warmUpCalls(), options.amount().burst());
        long startNs = System.nanoTime();
        long tookNs;
        int calls = 0;
        do {
            crew.tell(line("warm", cell, atOnce));
            List<Heard> _ = crew.hearAll("warm");
            calls += atOnce;
            tookNs = System.nanoTime() - startNs;
        } while (tookNs < leastNs || (calls < enough && tookNs < longestNs));
    }

    /** What was timed, by cell; any thread may read it, also before the end. */
    Map<Cell, List<Sample>> samples() {
        return samples;
    }

    private static String line(String word, Cell cell, int number) {
        return "%s %s %d %d %d"
                .formatted(word, cell.algorithm(), cell.sizeBytes(), number, cell.root());
    }

    private Sample sample(Trial trial) throws InterruptedException {
        clocks.refresh();
        Cell cell = trial.cell();
        if (options.method().mode() == Mode.OVERLAP && !cell.isFloor()) {
            return overlapped(trial);
        }
        Timed timed = kind == ClockKind.OWN && !isCall(cell) ? byAnswers(trial) : time(trial);
        return timed.sample(cell, durations(cell), List.of());
    }

    private static boolean isCall(Cell cell) {
        return MeasuredCall.of(cell.algorithm()).isPresent();
    }

    private int calls(Cell cell) {
        return cell.isFloor() ? 1 : options.amount().calls();
    }

    /** How many durations of a call lie between start and end. */
    private int durations(Cell cell) {
        return calls(cell)
                * MeasuredCall.of(cell.algorithm()).map(MeasuredCall::durations).orElse(1);
    }

    /** A call and the wait for its end, then the same with a computation as long between them. */
    private Sample overlapped(Trial trial) throws InterruptedException {
        Timed alone = overlap(trial, 0);
        Timed held = overlap(trial, alone.lastNs(trial.cell()));
        Sample.Overlapped overlapped =
                new Sample.Overlapped(
                        alone.meanFurtherNs(), held.meanFurtherNs(), held.lastNs(trial.cell()));
        return alone.sample(trial.cell(), 1, List.of(overlapped));
    }

    private Timed overlap(Trial trial, double computeNs) throws InterruptedException {
        Counters before = prepare(trial);
        long startNs = startNs();
        String rest = " " + Math.round(computeNs) + (options.method().idle() ? " idle" : " busy");
        for (int rank = 0; rank < ranks; rank++) {
            long lateNs = lateness.ofNs(trial, rank);
            crew.tell(rank, "overlap " + instant(rank, startNs, lateNs) + rest);
        }
        return ended(trial, startNs, before);
    }

    /**
     * A broadcast for each receiver, which answers the root when it is done (seed 000, section
     * 4.2): the root is the last that enters the call, and until the answer it needs no clock but
     * its own. A lost answer costs another broadcast.
     */
    private Timed byAnswers(Trial trial) throws InterruptedException {
        int root = trial.cell().root();
        List<Long> tripsNs = clocks.usualTripsNs(root);
        List<Exit> exits = new ArrayList<>(Collections.nCopies(ranks, Exit.NONE));
        Counters counters = Counters.NONE;
        for (int receiver = 0; receiver < ranks; receiver++) {
            if (receiver != root) {
                Timed timed = answered(trial, receiver);
                Exit timing = timed.exits().get(root);
                double tookNs = timing.furtherNs() - timing.beganNs() - tripsNs.get(receiver) / 2.0;
                exits.set(root, timing);
                exits.set(receiver, timed.exits().get(receiver).lasting(tookNs));
                counters = counters.plus(timed.counters());
            }
        }
        return new Timed(exits, counters.over(ranks - 1));
    }

    private Timed answered(Trial trial, int receiver) throws InterruptedException {
        int root = trial.cell().root();
        for (int lost = 0; lost < MOST_LOST_ANSWERS; lost++) {
            answers++;
            crew.tell(root, "await " + answers);
            crew.tell(receiver, "done " + clocks.port(root) + " " + answers);
            Timed timed = time(trial);
            if (timed.exits().get(root).furtherNs() >= 0) {
                return timed;
            }
        }
        throw new CommandFailure(
                ExitCode.RANK, "rank " + root + " hears no answers of rank " + receiver);
    }

    private Timed time(Trial trial) throws InterruptedException {
        Cell cell = trial.cell();
        Counters before = prepare(trial);
        long startNs = startNs();
        long patienceNs = floorPatienceNs(cell.sizeBytes());
        String flags =
                (options.method().skewNs() > 0 ? " all" : "")
                        + (kind == ClockKind.OWN && isCall(cell) ? " meet" : "");
        for (int rank = 0; rank < ranks; rank++) {
            String start = instant(rank, startNs, lateness.ofNs(trial, rank));
            String deadline = instant(rank, startNs, patienceNs);
            crew.tell(rank, "go " + start + " " + deadline + " " + calls(cell) + flags);
        }
        return ended(trial, startNs, before);
    }

    private Timed ended(Trial trial, long startNs, Counters before) throws InterruptedException {
        List<Exit> exits = new ArrayList<>(Collections.nCopies(ranks, Exit.NONE));
        for (Heard heard : crew.hearAll("exit")) {
            long endNs = heard.number(1);
            long beganNs = heard.words().size() > 3 ? heard.number(3) : startNs;
            long furtherNs = heard.words().size() > 4 ? heard.number(4) : 0;
            long durationNs =
                    kind == ClockKind.OWN
                            ? endNs - beganNs
                            : clocks.atRank0Ns(heard.rank(), endNs) - startNs;
            exits.set(heard.rank(), new Exit(durationNs, beganNs, furtherNs, heard.words().get(2)));
        }
        Counters after =
                prepare(
                        new Trial(
                                new Cell(Cell.FLOOR, 0, trial.cell().root()),
                                true,
                                trial.number()));
        return new Timed(exits, after.minus(before));
    }

    /** The next start, on the clock of rank 0: later than any rank hears of it. */
    private long startNs() {
        return clocks.nowNs() + leadNs();
    }

    private long leadNs() {
        return LEAD_NS + LEAD_PER_RANK_NS * ranks + (far ? 2 * preparedNs : 0);
    }

    /** An instant as a rank's clock shows it; from when it hears of it, where all clocks differ. */
    private String instant(int rank, long startNs, long laterNs) {
        return kind == ClockKind.OWN
                ? "+" + (leadNs() + laterNs)
                : Long.toString(clocks.atRankNs(rank, startNs + laterNs));
    }

    /** Twice as long as the link needs, and some more. */
    private long floorPatienceNs(int sizeBytes) {
        long bits = sizeBytes * 8L;
        return FLOOR_PATIENCE_NS
                + options.rate()
                        .map(rate -> bits * 2_000_000_000 / rate.bitsPerSecond())
                        .orElse(bits * SLOW_NS_PER_BIT);
    }

    private Counters prepare(Trial trial) throws InterruptedException {
        Cell cell = trial.cell();
        long toldNs = System.nanoTime();
        crew.tell(line("prepare", cell, trial.number()));
        long rootTxBytes = 0;
        long repairs = 0;
        DurationDistribution times = DurationDistribution.EMPTY;
        for (Heard ready : crew.hearAll("ready")) {
            repairs += ready.number(2);
            times = times.plus(RepairTimes.read(ready.words().get(3)));
            if (ready.rank() == cell.root()) {
                rootTxBytes = ready.number(1);
            }
            if (ready.rank() == 0 && ready.words().size() > 4) {
                clocks.rank0Says(ready.number(4));
            }
        }
        preparedNs = System.nanoTime() - toldNs;
        return new Counters(rootTxBytes, repairs, times);
    }
}
