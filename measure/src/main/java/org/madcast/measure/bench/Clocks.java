package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.madcast.agent.cluster.Cluster;
import org.madcast.measure.bench.ClockTree.Pair;
import org.madcast.measure.bench.LaunchedRanks.Heard;

/**
 * The clocks of the ranks of a launch, compared with that of rank 0 (seed 004, section IV.2.4). Two
 * clocks drift apart in a straight line, so each comparison after the first gives a rate, too, and
 * tells how wrong the prediction of the ones before was. For one thread.
 */
final class Clocks {

    /** How long a comparison is good for. */
    private static final long FRESH_NS = 2_000_000_000;

    /** Over less than this a difference of two comparisons is not yet a rate. */
    private static final long SHORTEST_BASE_NS = 1_000_000_000;

    /**
     * One comparison of a rank's clock with that of rank 0.
     *
     * @param atNs when, on the clock of rank 0
     * @param offsetNs the rank's clock minus that of rank 0
     */
    record Comparison(long atNs, long offsetNs) {}

    private final Cluster cluster;
    private final LaunchedRanks crew;
    private final boolean synchronised;
    private final List<List<Comparison>> points = new ArrayList<>();
    private final ClockQuality quality;
    private int[] ports = {};
    private final Map<Integer, List<Long>> usualTripsNs = new HashMap<>();
    private long comparedNs;
    private long originNs;
    private long originHeardNs;

    Clocks(ClockKind kind, Cluster cluster, LaunchedRanks crew, ClockQuality quality) {
        this.cluster = cluster;
        this.crew = crew;
        this.synchronised = kind == ClockKind.SYNCHRONISED;
        this.quality = quality;
        for (int rank = 0; rank < cluster.size(); rank++) {
            points.add(new ArrayList<>());
        }
    }

    /** Opens the ranks' ports and compares once in vain, since what runs first is slow. */
    void open() throws InterruptedException {
        ports = new int[cluster.size()];
        crew.tell("clock-open");
        for (Heard opened : crew.hearAll("clock")) {
            ports[opened.rank()] = (int) opened.number(1);
        }
        if (synchronised) {
            compare();
            points.forEach(List::clear);
            compare();
        }
    }

    /** Where a rank's port is, as words of a line. */
    String port(int rank) {
        return cluster.address(rank) + " " + ports[rank];
    }

    /** The usual round trips between a rank and all others, for times that it takes by itself. */
    List<Long> usualTripsNs(int from) throws InterruptedException {
        if (!usualTripsNs.containsKey(from)) {
            List<Long> tripsNs = new ArrayList<>();
            for (int to = 0; to < cluster.size(); to++) {
                if (to == from) {
                    tripsNs.add(0L);
                } else {
                    crew.tell(from, "clock " + port(to));
                    tripsNs.add(crew.hear("difference", 1).getFirst().number(3));
                }
            }
            usualTripsNs.put(from, tripsNs);
        }
        return usualTripsNs.getOrDefault(from, List.of());
    }

    /** Compares again when the last comparison is old. */
    void refresh() throws InterruptedException {
        if (synchronised && System.nanoTime() - comparedNs > FRESH_NS) {
            compare();
        }
    }

    /** Compares a last time, which tells how good the ones before were. */
    void end() throws InterruptedException {
        if (synchronised) {
            compare();
        }
    }

    private void compare() throws InterruptedException {
        int ranks = cluster.size();
        long[] differencesNs = new long[ranks];
        long[] tripsNs = new long[ranks];
        long[] atNs = new long[ranks];
        for (List<Pair> round : ClockTree.rounds(ranks)) {
            round.forEach(pair -> crew.tell(pair.client(), "clock " + port(pair.server())));
            for (Heard heard : crew.hear("difference", round.size())) {
                Pair pair =
                        round.stream()
                                .filter(it -> it.client() == heard.rank())
                                .findAny()
                                .orElseThrow();
                differencesNs[pair.server()] = heard.number(1);
                tripsNs[pair.server()] = heard.number(2);
                atNs[pair.server()] = heard.number(4);
            }
        }
        for (int rank = 1; rank < ranks; rank++) {
            int client = ClockTree.clientOf(rank, ranks);
            long offsetNs = differencesNs[rank];
            long boundNs = tripsNs[rank] / 2;
            long momentNs = atNs[rank];
            for (int at = client; at != 0; at = ClockTree.clientOf(at, ranks)) {
                offsetNs += differencesNs[at];
                boundNs += tripsNs[at] / 2;
                momentNs -= differencesNs[at];
            }
            Comparison point = new Comparison(momentNs, offsetNs);
            List<Comparison> earlier = points.get(rank);
            if (!earlier.isEmpty()) {
                quality.predicted(Math.abs(predict(earlier, momentNs) - offsetNs));
            }
            quality.compared(tripsNs[rank], boundNs);
            earlier.add(point);
        }
        comparedNs = System.nanoTime();
        quality.round();
    }

    /** Takes what rank 0 says its clock shows. */
    void rank0Says(long nowNs) {
        originNs = nowNs;
        originHeardNs = System.nanoTime();
    }

    /** What time it is at rank 0, or a little later. */
    long nowNs() {
        return synchronised ? originNs + System.nanoTime() - originHeardNs : System.nanoTime();
    }

    /** What a rank's clock shows when that of rank 0 shows this. */
    long atRankNs(int rank, long rank0Ns) {
        long offsetNs = offsetNs(rank, rank0Ns);
        if (synchronised && cluster.sharesClock() && rank > 0) {
            quality.truth(Math.abs(offsetNs));
        }
        return rank0Ns + offsetNs;
    }

    /** What the clock of rank 0 shows when a rank's shows this. */
    long atRank0Ns(int rank, long rankNs) {
        return rankNs - offsetNs(rank, rankNs - offsetNs(rank, rankNs));
    }

    private long offsetNs(int rank, long rank0Ns) {
        return !synchronised || rank == 0 ? 0 : predict(points.get(rank), rank0Ns);
    }

    /** On the line through the first and the last comparison. */
    static long predict(List<Comparison> points, long rank0Ns) {
        if (points.isEmpty()) {
            return 0;
        }
        Comparison first = points.getFirst();
        Comparison last = points.getLast();
        long baseNs = last.atNs() - first.atNs();
        if (baseNs < SHORTEST_BASE_NS) {
            return last.offsetNs();
        }
        double rate = (double) (last.offsetNs() - first.offsetNs()) / baseNs;
        return last.offsetNs() + Math.round(rate * (rank0Ns - last.atNs()));
    }
}
