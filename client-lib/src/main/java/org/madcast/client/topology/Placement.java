package org.madcast.client.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Chooses places for ranks, so that those that exchange much share a host or have near ones. First
 * greedily: one host after the other, each the nearest to those before, takes the ranks that
 * exchange most with those that it has. Then pairs of ranks change places while that gains
 * something. The same is done from the order of ranks, and the better result is taken, which is
 * therefore never worse than that order. The same arguments give the same places everywhere. For
 * one thread.
 */
public final class Placement {

    /** Where to stop with large jobs, in looks at an exchange. */
    private static final long MOST_LOOKS = 100_000_000;

    /**
     * What two different ranks exchange, both ways together.
     *
     * @param weight such as bytes, above 0
     */
    public record Exchange(int one, int other, double weight) {}

    /** How far hosts are apart: 0 on the same host, symmetrical. */
    public interface Distance {

        /** From one host to another. */
        double between(int host, int other);
    }

    private record Candidate(int rank, double here, double elsewhere) {}

    private final int ranks;
    private final int[] hostOfPlace;
    private final Distance distance;
    private final int[][] partners;
    private final double[][] weights;

    /** More than what adding numbers in another order changes. */
    private final double leastGain;

    private long looks;

    private Placement(int ranks, List<Exchange> exchanges, int[] hostOfPlace, Distance distance) {
        this.ranks = ranks;
        this.hostOfPlace = hostOfPlace.clone();
        this.distance = distance;
        int[] degrees = new int[ranks];
        for (Exchange each : exchanges) {
            degrees[each.one()]++;
            degrees[each.other()]++;
        }
        partners = new int[ranks][];
        weights = new double[ranks][];
        Arrays.setAll(partners, rank -> new int[degrees[rank]]);
        Arrays.setAll(weights, rank -> new double[degrees[rank]]);
        for (Exchange each : exchanges) {
            add(each.one(), each.other(), --degrees[each.one()], each.weight);
            add(each.other(), each.one(), --degrees[each.other()], each.weight);
        }
        leastGain = 1e-9 * exchanges.stream().mapToDouble(Exchange::weight).sum();
    }

    private void add(int rank, int partner, int at, double weight) {
        partners[rank][at] = partner;
        weights[rank][at] = weight;
    }

    /**
     * The place of each of as many ranks as there are places.
     *
     * @param exchanges of ranks from 0 to the number of places - 1
     * @param hostOfPlace the host of each place, from 0 on
     */
    public static int[] places(List<Exchange> exchanges, int[] hostOfPlace, Distance distance) {
        int ranks = hostOfPlace.length;
        for (Exchange each : exchanges) {
            if (Math.min(each.one, each.other) < 0 || Math.max(each.one, each.other) >= ranks) {
                throw new IllegalArgumentException(
                        each + ", but there are %d places".formatted(ranks));
            }
        }
        Placement placement = new Placement(ranks, exchanges, hostOfPlace, distance);
        int[] inOrder = placement.improved(hostOfPlace.clone());
        int[] greedy = placement.improved(placement.greedy());
        return placement.placesOn(
                placement.cost(greedy) < placement.cost(inOrder) ? greedy : inOrder);
    }

    /**
     * New numbers for ranks, so that those numbers that exchange much are near: each rank stays
     * where it is, and takes the part of its new number.
     *
     * @param order where the ranks are
     * @param exchanges of the numbers, from 0 to the number of ranks - 1
     * @return the new number of each rank
     */
    public static int[] numbers(RankOrder order, List<Exchange> exchanges) {
        Map<Integer, Integer> hosts = new LinkedHashMap<>();
        int[] hostOfRank = new int[order.size()];
        Arrays.setAll(
                hostOfRank, rank -> hosts.computeIfAbsent(order.host(rank), _ -> hosts.size()));
        int[] rankAt =
                places(exchanges, hostOfRank, distance(order.tree(), List.copyOf(hosts.keySet())));
        int[] numbers = new int[rankAt.length];
        for (int number = 0; number < rankAt.length; number++) {
            numbers[rankAt[number]] = number;
        }
        return numbers;
    }

    /**
     * How long two hosts occupy the cables between them with a byte, in units of the fastest cable.
     *
     * @param nodes the hosts, as nodes of the tree
     */
    public static Distance distance(SwitchTree tree, List<Integer> nodes) {
        long fastest =
                tree.cables().stream().mapToLong(SwitchTree.Cable::bitsPerSecond).max().orElse(1);
        double[] upwards = new double[tree.nodes()]; // of the cable to a node's parent
        for (SwitchTree.Cable cable : tree.cables()) {
            int lower = tree.parent(cable.one()) == cable.other() ? cable.one() : cable.other();
            upwards[lower] = (double) fastest / cable.bitsPerSecond();
        }
        int[] depths = new int[tree.nodes()];
        for (int node = 0; node < depths.length; node++) {
            for (int up = tree.parent(node); up != SwitchTree.NONE; up = tree.parent(up)) {
                depths[node]++;
            }
        }
        int[] at = nodes.stream().mapToInt(Integer::intValue).toArray();
        return (host, other) -> {
            double sum = 0;
            int near = at[host];
            int far = at[other];
            while (near != far) {
                if (depths[near] >= depths[far]) {
                    sum += upwards[near];
                    near = tree.parent(near);
                } else {
                    sum += upwards[far];
                    far = tree.parent(far);
                }
            }
            return sum;
        };
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
        int[] hostOf = new int[ranks];
        Arrays.fill(hostOf, -1);
        double[] open = new double[ranks]; // what a rank exchanges with those without host
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
                    if (hostOf[one] != hostOf[other] && gain(hostOf, one, other) > leastGain) {
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
