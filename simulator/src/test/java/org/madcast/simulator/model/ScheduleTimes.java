package org.madcast.simulator.model;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.madcast.client.schedule.Schedule;
import org.madcast.client.schedule.Step;

/**
 * Runs schedules of all ranks: each has one cable each way, which carries one message after the
 * other, and its rounds begin when all of the one before has been sent and has come.
 */
final class ScheduleTimes {

    private final CollectiveModel model;
    private final double combineNs;
    private final List<Schedule> schedules;
    private final int[] round;
    private final double[] startNs;
    private final double[] roundEndNs;
    private final double[] outNs;
    private final double[] inNs;
    private final boolean[] sent;
    private final Map<Long, ArrayDeque<double[]>> underWay = new HashMap<>();

    ScheduleTimes(CollectiveModel model, double combineNs, List<Schedule> schedules) {
        this.model = model;
        this.combineNs = combineNs;
        this.schedules = schedules;
        int ranks = schedules.size();
        round = new int[ranks];
        startNs = new double[ranks];
        roundEndNs = new double[ranks];
        outNs = new double[ranks];
        inNs = new double[ranks];
        sent = new boolean[ranks];
    }

    /** Until the last rank is done. */
    double ns() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int rank = 0; rank < schedules.size(); rank++) {
                while (round[rank] < schedules.get(rank).rounds().size() && advance(rank)) {
                    moved = true;
                }
            }
        }
        double last = 0;
        for (int rank = 0; rank < schedules.size(); rank++) {
            if (round[rank] < schedules.get(rank).rounds().size()) {
                throw new IllegalStateException("rank " + rank + " waits forever");
            }
            last = Math.max(last, startNs[rank]);
        }
        return last;
    }

    /** True when a round has ended. */
    private boolean advance(int rank) {
        List<Step> steps = schedules.get(rank).rounds().get(round[rank]);
        if (!sent[rank]) {
            sent[rank] = true;
            begin(rank, steps);
        }
        Map<Integer, Integer> needed = new HashMap<>();
        for (Step step : steps) {
            if (step instanceof Step.Receive receive) {
                needed.merge(receive.peer(), 1, Integer::sum);
            }
        }
        for (Map.Entry<Integer, Integer> from : needed.entrySet()) {
            if (way(from.getKey(), rank).size() < from.getValue()) {
                return false;
            }
        }
        double end = roundEndNs[rank];
        for (Step step : steps) {
            if (step instanceof Step.Receive receive) {
                double[] message = way(receive.peer(), rank).remove();
                inNs[rank] = Math.max(message[0], inNs[rank] + message[1]);
                end = Math.max(end, inNs[rank]);
            }
        }
        startNs[rank] = end;
        sent[rank] = false;
        round[rank]++;
        return true;
    }

    private void begin(int rank, List<Step> steps) {
        double now = startNs[rank];
        for (Step step : steps) {
            if (step instanceof Step.Combine combine) {
                now += combineNs * combine.from().count();
            }
        }
        outNs[rank] = Math.max(outNs[rank], now);
        for (Step step : steps) {
            if (step instanceof Step.Send send) {
                long bytes = send.data().count();
                double arrives = outNs[rank] + model.messageNs(bytes);
                outNs[rank] += model.loadNs(bytes);
                way(rank, send.peer()).add(new double[] {arrives, model.loadNs(bytes)});
            }
        }
        roundEndNs[rank] = Math.max(now, outNs[rank]);
    }

    private ArrayDeque<double[]> way(int from, int to) {
        return underWay.computeIfAbsent((long) from << 32 | to, _ -> new ArrayDeque<>());
    }
}
