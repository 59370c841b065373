package org.madcast.client.schedule;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who has heard from whom, directly or not, when ranks run schedules: what a barrier is about. */
final class HeardFrom {

    private HeardFrom() {}

    /** Adds to each rank's set whom it has heard from at the end. */
    static void run(List<Schedule> schedules, BitSet[] heard) {
        int size = schedules.size();
        Map<Long, ArrayDeque<BitSet>> channels = new HashMap<>();
        int[] round = new int[size];
        boolean[] started = new boolean[size];
        for (boolean moved = true; moved; ) {
            moved = false;
            for (int rank = 0; rank < size; rank++) {
                if (round[rank] == schedules.get(rank).rounds().size()) {
                    continue;
                }
                List<Step> steps = schedules.get(rank).rounds().get(round[rank]);
                if (!started[rank]) {
                    started[rank] = true;
                    moved = true;
                    for (Step step : steps) {
                        if (step instanceof Step.Send(int peer, _)) {
                            channel(channels, rank, peer, size).add((BitSet) heard[rank].clone());
                        }
                    }
                }
                int sender = rank;
                boolean ready =
                        steps.stream()
                                .filter(Step.Receive.class::isInstance)
                                .map(it -> ((Step.Receive) it).peer())
                                .noneMatch(it -> channel(channels, it, sender, size).isEmpty());
                if (ready) {
                    for (Step step : steps) {
                        if (step instanceof Step.Receive(int peer, _)) {
                            heard[rank].or(channel(channels, peer, rank, size).removeFirst());
                        }
                    }
                    round[rank]++;
                    started[rank] = false;
                    moved = true;
                }
            }
        }
    }

    private static ArrayDeque<BitSet> channel(
            Map<Long, ArrayDeque<BitSet>> channels, int from, int to, int size) {
        return channels.computeIfAbsent((long) from * size + to, _ -> new ArrayDeque<>());
    }
}
