package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.madcast.client.DurationDistribution;
import org.madcast.client.schedule.Schedule;
import org.madcast.client.schedule.Step;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.RunResult;
import org.madcast.netsim.Simulation;

/**
 * One collective operation by messages, of ranks that have met: the library's schedules and the
 * engine of its messages, on connections that are open. For one thread.
 */
final class SimulatedCollective {

    private static final long LONGEST_CALL_NS = 24L * 3600 * 1_000_000_000;

    private final JobSettings settings;
    private final Simulation simulation;
    private final long[] doneNs;
    private int pending;

    private SimulatedCollective(JobSettings settings, SimulatedWay way, long bytes) {
        this.settings = settings;
        int ranks = settings.ranks();
        doneNs = new long[ranks];
        pending = ranks;
        List<MessageNode> nodes =
                IntStream.range(0, ranks).mapToObj(rank -> new MessageNode(rank, ranks)).toList();
        simulation = SimulatedHosts.withoutLoss(settings, nodes);
        long elementBytes = way.elementBytes();
        List<Schedule> schedules = new ArrayList<>();
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            Schedule schedule = way.schedule(ranks, rank, bytes);
            schedules.add(schedule);
            longest = Math.max(longest, longest(schedule));
        }
        MemorySegment memory = MemorySegment.ofArray(new byte[length(longest * elementBytes)]);
        RandomStream random = RandomStream.of(settings.seed(), "calls");
        for (int rank = 0; rank < ranks; rank++) {
            int self = rank;
            ScheduleCall call =
                    new ScheduleCall(
                            schedules.get(rank),
                            nodes.get(rank).endpoint(),
                            memory,
                            elementBytes,
                            (ns, action) -> compute(self, ns, action),
                            () -> end(self));
            long lateNs = rank == 0 ? 0 : random.nextLong(settings.skewNs() + 1);
            simulation.at(lateNs, () -> compute(self, overheadNs(), call::advance));
        }
    }

    private static int length(long bytes) {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new SimulationFailure("a message of " + bytes + " bytes is too long to simulate");
        }
        return (int) bytes;
    }

    private static long longest(Schedule schedule) {
        return schedule.rounds().stream()
                .flatMap(List::stream)
                .mapToLong(step ->
                        switch (step) {
                            case Step.Send send -> send.data().count();
                            case Step.Receive receive -> receive.into().count();
                            case Step.Copy _, Step.Combine _ -> 0;
                        })
                .max()
                .orElse(0);
    }

    /**
     * Carries out the operation once.
     *
     * @param bytes the size of a rank's part
     * @throws SimulationFailure when a call does not end
     */
    static Outcome run(JobSettings settings, SimulatedWay way, long bytes) {
        SimulatedCollective job = new SimulatedCollective(settings, way, bytes);
        RunResult result = job.simulation.runUntil(() -> job.pending == 0, LONGEST_CALL_NS);
        if (result != RunResult.DONE) {
            throw new SimulationFailure(
                    "%s of %d bytes does not end".formatted(way.operation().label(), bytes));
        }
        return Outcome.of(
                0,
                job.doneNs,
                Outcome.ALL,
                job.simulation.counters(0).sentWireBytes(),
                0,
                DurationDistribution.EMPTY,
                0);
    }

    private long overheadNs() {
        return settings.costs().overheadNs();
    }

    private void compute(int rank, long ns, Runnable action) {
        simulation.compute(
                rank,
                ns,
                () -> {
                    action.run();
                    simulation.touch(rank);
                });
    }

    private void end(int rank) {
        simulation.compute(
                rank,
                overheadNs(),
                () -> {
                    doneNs[rank] = simulation.nowNs();
                    pending--;
                });
    }
}
