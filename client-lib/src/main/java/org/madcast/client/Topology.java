package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The ranks of a communicator as a {@link Grid} or a graph, in which each exchanges data with its
 * neighbours only (MPI's topologies and neighbourhood collectives). It is a view: it has no
 * context, connection or memory of its own, and is of use as long as the communicator is.
 *
 * <p>Each rank receives from its sources and sends to its destinations. A <i>place</i> is a number
 * in the order of these; a rank may be at several places. In a grid both are, for each dimension,
 * the rank below and then the one above. Buffers have a part for each place, also for one where no
 * rank is: it is left alone.
 *
 * <pre>{@code
 * Grid grid = new Grid(Grid.divide(world.size(), 0, 0), false, true);
 * Topology plate = Topology.of(world, grid);
 * plate.alltoall(Elements.of(borders), Elements.of(theirs));
 * }</pre>
 *
 * <p>All operations are collective calls of the communicator: what {@link Collectives} says of
 * order, threads, buffers and errors is true of them. A rank that sends to one that does not
 * receive from it, or the other way round, is not noticed: a receive waits until then.
 */
public final class Topology {

    private final Communicator ranks;
    private final int[] sources;
    private final int[] destinations;
    private final int[] order;

    /**
     * Two numbers of ranks that exchange something.
     *
     * @param weight how much, above 0
     */
    public record Link(int one, int other, double weight) {}

    private Topology(Communicator ranks, int[] sources, int[] destinations, int turned) {
        this.ranks = ranks;
        this.sources = sources;
        this.destinations = destinations;
        this.order =
                IntStream.range(0, sources.length)
                        .map(i -> i ^ turned)
                        .filter(place -> sources[place] != Grid.NOBODY)
                        .toArray();
    }

    /**
     * A grid (MPI_Cart_create). Ranks keep their numbers.
     *
     * @throws IllegalArgumentException when it has not as many places as there are ranks
     */
    public static Topology of(Communicator ranks, Grid grid) {
        if (grid.size() != ranks.size()) {
            throw new IllegalArgumentException(
                    "a grid of %s has %d places, but there are %d ranks"
                            .formatted(Arrays.toString(grid.dims()), grid.size(), ranks.size()));
        }
        int[] neighbours = grid.neighbours(ranks.rank());
        // What comes from below was sent upwards.
        return new Topology(ranks, neighbours, neighbours, 1);
    }

    /**
     * New numbers for the ranks, so that neighbours in a grid are near each other in the network:
     * on one host, else on one switch, else over the fastest cables. Where no {@linkplain
     * Communicator#knowsSwitches switches} are known, ranks keep theirs. It sends nothing, and
     * gives the same on every rank.
     *
     * <pre>{@code
     * int[] numbers = Topology.numbers(world, grid);
     * Communicator near = world.split(0, numbers[world.rank()]).orElseThrow();
     * Topology plate = Topology.of(near, grid);
     * }</pre>
     *
     * @param grid of no more places than there are ranks; those with higher numbers have none
     * @return the new number of each rank
     */
    public static int[] numbers(Communicator ranks, Grid grid) {
        if (grid.size() > ranks.size()) {
            throw new IllegalArgumentException(
                    "a grid of %s has %d places, but there are %d ranks"
                            .formatted(Arrays.toString(grid.dims()), grid.size(), ranks.size()));
        }
        List<Link> edges = new ArrayList<>();
        for (int place = 0; place < grid.size(); place++) {
            for (int other : grid.neighbours(place)) {
                if (other != Grid.NOBODY) {
                    edges.add(new Link(place, other, 1));
                }
            }
        }
        return ranks.numbers(edges);
    }

    /**
     * A graph, of which each rank names its own edges (MPI_Dist_graph_create_adjacent). It sends
     * nothing.
     *
     * @param sources the ranks that this one receives from
     * @param destinations the ranks that it sends to
     * @throws IllegalArgumentException when one is no rank
     */
    public static Topology of(Communicator ranks, int[] sources, int[] destinations) {
        return new Topology(
                ranks,
                checked("source", sources, ranks.size()),
                checked("destination", destinations, ranks.size()),
                0);
    }

    private static int[] checked(String what, int[] ranks, int size) {
        for (int rank : ranks) {
            if (rank < 0 || rank >= size) {
                throw new IllegalArgumentException(
                        "%s %d is outside 0 to %d".formatted(what, rank, size - 1));
            }
        }
        return ranks.clone();
    }

    /** The rank at each place to receive from, {@link Grid#NOBODY} beyond an edge; a copy. */
    public int[] sources() {
        return sources.clone();
    }

    /** The rank at each place to send to, {@link Grid#NOBODY} beyond an edge; a copy. */
    public int[] destinations() {
        return destinations.clone();
    }

    /**
     * The places of the sources that exist, in the order in which an {@linkplain
     * Collectives#exchangeInit exchange} must receive from them: where a rank is a source twice,
     * what it sends first comes first. A copy.
     */
    public int[] receiveOrder() {
        return order.clone();
    }

    private List<Edge> out(List<MemorySegment> parts) {
        check("sent", parts, destinations.length);
        List<Edge> edges = new ArrayList<>();
        for (int place = 0; place < destinations.length; place++) {
            if (destinations[place] != Grid.NOBODY) {
                edges.add(new Edge(destinations[place], parts.get(place)));
            }
        }
        return edges;
    }

    private List<Edge> in(List<MemorySegment> parts) {
        check("received", parts, sources.length);
        return Arrays.stream(order)
                .mapToObj(place -> new Edge(sources[place], parts.get(place)))
                .toList();
    }

    private static void check(String what, List<?> parts, int places) {
        if (parts.size() != places) {
            throw new IllegalArgumentException(
                    "%s has %d parts for %d neighbours".formatted(what, parts.size(), places));
        }
    }

    private List<MemorySegment> same(MemorySegment data) {
        return Collections.nCopies(destinations.length, data);
    }

    private static List<MemorySegment> parts(String what, MemorySegment all, Parts parts) {
        long[] counts = parts.counts();
        long[] places = parts.displacements();
        List<MemorySegment> made = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (places[i] > all.byteSize() || counts[i] > all.byteSize() - places[i]) {
                throw new IllegalArgumentException(
                        "%s has %d bytes; part %d has %d from %d on"
                                .formatted(what, all.byteSize(), i, counts[i], places[i]));
            }
            made.add(all.asSlice(places[i], counts[i]));
        }
        return made;
    }

    private static List<MemorySegment> even(
            String what, MemorySegment all, int places, int elementBytes) {
        if (places > 0 && all.byteSize() % ((long) places * elementBytes) != 0) {
            throw new IllegalArgumentException(
                    "%s has %d bytes, which are no %d equal parts of elements of %d bytes"
                            .formatted(what, all.byteSize(), places, elementBytes));
        }
        long[] counts = new long[places];
        Arrays.fill(counts, places == 0 ? 0 : all.byteSize() / places);
        return parts(what, all, Parts.packed(counts));
    }

    private List<MemorySegment> gathered(MemorySegment all) {
        return even("gathered", all, sources.length, 1);
    }

    private List<MemorySegment> gathered(Elements data, Elements all) {
        data.checkSameType(all);
        return even("gathered", all.memory(), sources.length, all.type().bytes());
    }

    /**
     * This rank's data to every destination, and the data of every source. (MPI_Neighbor_allgather
     * and MPI_Neighbor_allgather_init)
     *
     * @param gathered as many equal parts as there are sources, by place
     */
    public Collective allgatherInit(MemorySegment data, MemorySegment gathered) {
        return alltoallwInit(same(data), gathered(gathered));
    }

    /** Runs to its end (MPI_Neighbor_allgather; see {@link #allgatherInit}). */
    public void allgather(MemorySegment data, MemorySegment gathered) {
        alltoallw(same(data), gathered(gathered));
    }

    /** Begins (MPI_Ineighbor_allgather; see {@link #allgatherInit}). */
    public CompletableFuture<Void> iallgather(MemorySegment data, MemorySegment gathered) {
        return ialltoallw(same(data), gathered(gathered));
    }

    /** As {@link #allgather(MemorySegment, MemorySegment)} (MPI_Neighbor_allgather). */
    public void allgather(Elements data, Elements gathered) {
        alltoallw(same(data.memory()), gathered(data, gathered));
    }

    /** As {@link #iallgather(MemorySegment, MemorySegment)} (MPI_Ineighbor_allgather). */
    public CompletableFuture<Void> iallgather(Elements data, Elements gathered) {
        return ialltoallw(same(data.memory()), gathered(data, gathered));
    }

    /**
     * This rank's data to every destination, and the data of every source, each in its part.
     * (MPI_Neighbor_allgatherv_init)
     *
     * @param parts where the data of each source go, by place
     */
    public Collective allgathervInit(MemorySegment data, MemorySegment gathered, Parts parts) {
        return alltoallwInit(same(data), parts("gathered", gathered, parts));
    }

    /** Runs to its end (MPI_Neighbor_allgatherv; see {@link #allgathervInit}). */
    public void allgatherv(MemorySegment data, MemorySegment gathered, Parts parts) {
        alltoallw(same(data), parts("gathered", gathered, parts));
    }

    /** Begins (MPI_Ineighbor_allgatherv; see {@link #allgathervInit}). */
    public CompletableFuture<Void> iallgatherv(
            MemorySegment data, MemorySegment gathered, Parts parts) {
        return ialltoallw(same(data), parts("gathered", gathered, parts));
    }

    /** With packed parts of these lengths, by place (MPI_Neighbor_allgatherv). */
    public void allgatherv(Elements data, Elements gathered, int[] counts) {
        data.checkSameType(gathered);
        allgatherv(data.memory(), gathered.memory(), data.packed(counts));
    }

    /** With packed parts of these lengths, by place (MPI_Ineighbor_allgatherv). */
    public CompletableFuture<Void> iallgatherv(Elements data, Elements gathered, int[] counts) {
        data.checkSameType(gathered);
        return iallgatherv(data.memory(), gathered.memory(), data.packed(counts));
    }

    /**
     * To every destination a part of this rank's data, and from every source a part of its data.
     * (MPI_Neighbor_alltoall_init)
     *
     * @param data as many equal parts as there are destinations, by place
     * @param received as many equal parts as there are sources, by place
     */
    public Collective alltoallInit(MemorySegment data, MemorySegment received) {
        return alltoallwInit(sent(data, 1), received(received, 1));
    }

    private List<MemorySegment> sent(MemorySegment data, int elementBytes) {
        return even("data", data, destinations.length, elementBytes);
    }

    private List<MemorySegment> received(MemorySegment all, int elementBytes) {
        return even("received", all, sources.length, elementBytes);
    }

    /** Runs to its end (MPI_Neighbor_alltoall; see {@link #alltoallInit}). */
    public void alltoall(MemorySegment data, MemorySegment received) {
        alltoallw(sent(data, 1), received(received, 1));
    }

    /** Begins (MPI_Ineighbor_alltoall; see {@link #alltoallInit}). */
    public CompletableFuture<Void> ialltoall(MemorySegment data, MemorySegment received) {
        return ialltoallw(sent(data, 1), received(received, 1));
    }

    /** As {@link #alltoall(MemorySegment, MemorySegment)} (MPI_Neighbor_alltoall). */
    public void alltoall(Elements data, Elements received) {
        data.checkSameType(received);
        int bytes = data.type().bytes();
        alltoallw(sent(data.memory(), bytes), received(received.memory(), bytes));
    }

    /** As {@link #ialltoall(MemorySegment, MemorySegment)} (MPI_Ineighbor_alltoall). */
    public CompletableFuture<Void> ialltoall(Elements data, Elements received) {
        data.checkSameType(received);
        int bytes = data.type().bytes();
        return ialltoallw(sent(data.memory(), bytes), received(received.memory(), bytes));
    }

    /**
     * To every destination a part of this rank's data, and from every source a part of its data.
     * (MPI_Neighbor_alltoallv_init)
     *
     * @param sent which part goes to each destination, by place
     * @param receivedParts where what each source sends goes, by place
     */
    public Collective alltoallvInit(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        return alltoallwInit(parts("data", data, sent), parts("received", received, receivedParts));
    }

    /** Runs to its end (MPI_Neighbor_alltoallv; see {@link #alltoallvInit}). */
    public void alltoallv(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        alltoallw(parts("data", data, sent), parts("received", received, receivedParts));
    }

    /** Begins (MPI_Ineighbor_alltoallv; see {@link #alltoallvInit}). */
    public CompletableFuture<Void> ialltoallv(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        return ialltoallw(parts("data", data, sent), parts("received", received, receivedParts));
    }

    /** With packed parts of these lengths, by place (MPI_Neighbor_alltoallv). */
    public void alltoallv(Elements data, int[] counts, Elements received, int[] receivedCounts) {
        data.checkSameType(received);
        alltoallv(
                data.memory(), data.packed(counts), received.memory(), data.packed(receivedCounts));
    }

    /** With packed parts of these lengths, by place (MPI_Ineighbor_alltoallv). */
    public CompletableFuture<Void> ialltoallv(
            Elements data, int[] counts, Elements received, int[] receivedCounts) {
        data.checkSameType(received);
        return ialltoallv(
                data.memory(), data.packed(counts), received.memory(), data.packed(receivedCounts));
    }

    /**
     * To every destination a message, and one from every source, each in memory of its own: such as
     * rows of an array in which the borders of the others have rows, too.
     * (MPI_Neighbor_alltoallw_init)
     *
     * @param sent what goes to each destination, by place
     * @param received where what each source sends goes, by place; these overlap neither each other
     *     nor what is sent
     */
    public Collective alltoallwInit(List<MemorySegment> sent, List<MemorySegment> received) {
        return ranks.exchangeInit(out(sent), in(received));
    }

    /** Runs to its end (MPI_Neighbor_alltoallw; see {@link #alltoallwInit}). */
    public void alltoallw(List<MemorySegment> sent, List<MemorySegment> received) {
        ranks.exchange(out(sent), in(received));
    }

    /** Begins (MPI_Ineighbor_alltoallw; see {@link #alltoallwInit}). */
    public CompletableFuture<Void> ialltoallw(
            List<MemorySegment> sent, List<MemorySegment> received) {
        return ranks.iexchange(out(sent), in(received));
    }
}
