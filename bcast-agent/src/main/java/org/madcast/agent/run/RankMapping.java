package org.madcast.agent.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.madcast.agent.profile.Traffic;

/**
 * Chooses places for ranks, so that those that exchange much share a host or have near ones. First
 * greedily: one host after the other, each the nearest to those before, takes the ranks that
 * exchange most with those that it has. Then pairs of ranks change places while that gains
 * something. The same is done from the order of ranks, and the better result is taken, which is
 * therefore never worse than that order. For one thread.
 */
final class RankMapping {

    /** What a message costs beside its bytes: about the headers of a datagram. */
    private static final int MESSAGE_BYTES = 100;

    /** Where to stop with large jobs, in looks at an exchange. */
    private static final long MOST_LOOKS = 100_000_000;

    /** How far hosts are apart: 0 on the same host, symmetrical. */
    interface Distance {
        double between(int host, int other);
    }

    private record Candidate(int rank, double here, double elsewhere) {}

    private final Traffic traffic;
    private final int[] hostOfPlace;
    private final Distance distance;
    private final int[][] partners;
    private final double[][] weights;
    private long looks;

    private RankMapping(Traffic traffic, int[] hostOfPlace, Distance distance) {
        this.traffic = traffic;
        this.hostOfPlace = hostOfPlace.clone();
        this.distance = distance;
        int[] degrees = new int[traffic.ranks()];
        for (Traffic.Exchange each : traffic.exchanges()) {
            degrees[each.one()]++;
            degrees[each.other()]++;
        }
        partners = new int[traffic.ranks()][];
        weights = new double[traffic.ranks()][];
        Arrays.setAll(partners, rank -> new int[degrees[rank]]);
        Arrays.setAll(weights, rank -> new double[degrees[rank]]);
        for (Traffic.Exchange each : traffic.exchanges()) {
            double weight = each.bytes() + (double) MESSAGE_BYTES * each.messages();
            add(each.one(), each.other(), --degrees[each.one()], weight);
            add(each.other(), each.one(), --degrees[each.other()], weight);
        }
    }

    private void add(int rank, int partner, int at, double weight) {
        partners[rank][at] = partner;
        weights[rank][at] = weight;
    }

    /**
     * The place of each rank.
     *
     * @param hostOfPlace the host of each place, of which there are as many as ranks
     */
    static int[] places(Traffic traffic, int[] hostOfPlace, Distance distance) {
        if (hostOfPlace.length != traffic.ranks()) {
            throw new IllegalArgumentException(
                    "%d places for %d ranks".formatted(hostOfPlace.length, traffic.ranks()));
        }
        RankMapping mapping = new RankMapping(traffic, hostOfPlace, distance);
        int[] inOrder = mapping.improved(hostOfPlace.clone());
        int[] greedy = mapping.improved(mapping.greedy());
        return mapping.placesOn(mapping.cost(greedy) < mapping.cost(inOrder) ? greedy : inOrder);
    }

    /** What all exchanges cost when ranks are on these hosts. */
    private double cost(int[] hostOf) {
        double sum = 0;
        for (int rank = 0; rank < hostOf.length; rank++) {
            sum += cost(hostOf, rank, hostOf[rank], rank);
        }
        return sum / 2;
    }

    /** What the exchanges of a rank cost if it were on this host; but for those with another. */
    private double cost(int[] hostOf, int rank, int host, int without) {
        double sum = 0;
        looks += partners[rank].length;
        for (int i = 0; i < partners[rank].length; i++) {
            int partner = partners[rank][i];
            if (partner != without) {
                sum += weights[rank][i] * distance.between(host, hostOf[partner]);
            }
        }
        return sum;
    }

    private int[] greedy() {
        int hosts = Arrays.stream(hostOfPlace).max().orElse(-1) + 1;
        int[] free = new int[hosts];
        Arrays.stream(hostOfPlace).forEach(host -> free[host]++);
        int[] hostOf = new int[traffic.ranks()];
        Arrays.fill(hostOf, -1);
        double[] open =
                new double[traffic.ranks()]; // what a rank exchanges with those without host
        Arrays.setAll(open, rank -> Arrays.stream(weights[rank]).sum());
        double[] distances = new double[hosts]; // to all hosts that are full
        for (int filled = 0; filled < hosts; filled++) {
            int host = nearest(free, distances);
            fill(host, free[host], hostOf, open);
            free[host] = 0;
            for (int other = 0; other < hosts; other++) {
                distances[other] += distance.between(host, other);
            }
        }
        return hostOf;
    }

    /** Of the hosts with free places; of several the one that has most. */
    private static int nearest(int[] free, double[] distances) {
        return IntStream.range(0, free.length)
                .filter(host -> free[host] > 0)
                .boxed()
                .min(
                        Comparator.<Integer>comparingDouble(host -> distances[host])
                                .thenComparingInt(host -> -free[host]))
                .orElse(0);
    }

    private void fill(int host, int places, int[] hostOf, double[] open) {
        double[] here = new double[hostOf.length]; // what a rank exchanges with those of this host
        PriorityQueue<Candidate> candidates =
                new PriorityQueue<>(
                        Comparator.comparingDouble((Candidate it) -> -it.here)
                                .thenComparingDouble(Candidate::elsewhere)
                                .thenComparingInt(Candidate::rank));
        for (int taken = 0; taken < places; taken++) {
            Candidate next = candidates.poll();
            while (next != null && (hostOf[next.rank] >= 0 || next.here < here[next.rank])) {
                next = candidates.poll();
            }
            int rank = next == null ? first(hostOf, open) : next.rank;
            hostOf[rank] = host;
            for (int i = 0; i < partners[rank].length; i++) {
                int partner = partners[rank][i];
                open[partner] -= weights[rank][i];
                here[partner] += weights[rank][i];
                if (hostOf[partner] < 0) {
                    candidates.add(new Candidate(partner, here[partner], open[partner]));
                }
            }
        }
    }

    /** The first rank of a host: next to the ranks that have one, else the one with most to do. */
    private int first(int[] hostOf, double[] open) {
        int best = -1;
        double most = -1;
        boolean bestIsNext = false;
        for (int rank = 0; rank < hostOf.length; rank++) {
            if (hostOf[rank] < 0) {
                double all = Arrays.stream(weights[rank]).sum();
                boolean isNext = open[rank] < all;
                double value = isNext ? all - open[rank] : all;
                if (isNext == bestIsNext ? value > most : isNext) {
                    best = rank;
                    most = value;
                    bestIsNext = isNext;
                }
            }
        }
        return best;
    }

    /** Exchanges ranks of two hosts while that gains something. */
    private int[] improved(int[] hostOf) {
        looks = 0;
        boolean better = true;
        while (better && looks < MOST_LOOKS) {
            better = false;
            for (int one = 0; one < hostOf.length && looks < MOST_LOOKS; one++) {
                for (int other = one + 1; other < hostOf.length; other++) {
                    if (hostOf[one] != hostOf[other] && gain(hostOf, one, other) > 0.5) {
                        int host = hostOf[one];
                        hostOf[one] = hostOf[other];
                        hostOf[other] = host;
                        better = true;
                    }
                }
            }
        }
        return hostOf;
    }

    private double gain(int[] hostOf, int one, int other) {
        looks++;
        int from = hostOf[one];
        int to = hostOf[other];
        return cost(hostOf, one, from, other)
                - cost(hostOf, one, to, other)
                + cost(hostOf, other, to, one)
                - cost(hostOf, other, from, one);
    }

    /** On each host the ranks take its places in their order. */
    private int[] placesOn(int[] hostOf) {
        int[] places = new int[hostOf.length];
        List<List<Integer>> free = new ArrayList<>();
        for (int place = 0; place < hostOfPlace.length; place++) {
            while (free.size() <= hostOfPlace[place]) {
                free.add(new ArrayList<>());
            }
            free.get(hostOfPlace[place]).add(place);
        }
        int[] used = new int[free.size()];
        for (int rank = 0; rank < hostOf.length; rank++) {
            places[rank] = free.get(hostOf[rank]).get(used[hostOf[rank]]++);
        }
        return places;
    }
}
