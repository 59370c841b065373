package org.madcast.mpi.programs;

import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.CartComm;
import mpi.Cartcomm;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.Graphcomm;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Topologies that may reorder four ranks, of which 0 and 2, and 1 and 3, are on one switch; with
 * the argument {@code unknown} the ranks do not know that.
 */
public final class Reordered {

    private static final boolean[] ANY = {true, true};
    private static Intracomm world;
    private static int rank;
    private static boolean known;

    private Reordered() {}

    public static void main(String[] args) {
        String[] rest = MPI.Init(args);
        known = rest.length == 0;
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        line();
        twoOfFour();
        graph();
        adjacent();
        general();
        MPI.Finalize();
        Checks.end();
    }

    /** Of each new number the rank that has it. */
    private static int[] ranksOf(Intracomm made) {
        int[] ranks = new int[made.getSize()];
        int[] own = {rank};
        made.allGather(own, 1, MPI.INT, ranks, 1, MPI.INT);
        int[] sorted = Arrays.stream(ranks).sorted().distinct().toArray();
        Checks.equal("each rank once", made.getSize(), sorted.length);
        return ranks;
    }

    /** Those with the numbers of a pair are on one switch. */
    private static void near(String what, int[] ranks, int one, int other) {
        if (known) {
            Checks.that(what, Math.floorMod(ranks[one] - ranks[other], 2) == 0);
        } else {
            Checks.equal(what, IntStream.range(0, ranks.length).boxed().toList(), boxed(ranks));
        }
    }

    private static Object boxed(int[] ranks) {
        return Arrays.stream(ranks).boxed().toList();
    }

    /** Two pairs beside each other: one edge of three is between the switches. */
    private static void line() {
        int[] dims = {4};
        boolean[] open = {false};
        CartComm line = world.createCart(dims, open, true);
        int[] ranks = ranksOf(line);
        near("a line", ranks, 0, 1);
        near("a line's end", ranks, 2, 3);
        int[] kept = ranksOf(world.createCart(dims, open, false));
        Checks.equal("order kept", new int[] {0, 1, 2, 3}, kept);
        Cartcomm other = world.Create_cart(dims, open, true);
        Checks.equal("of both APIs", ranks, ranksOf(other));
        Checks.equal("nothing is better", line.getRank(), line.map(dims, open));
        int[] value = {rank};
        int[] from = {-1, -1};
        line.neighborAllGather(value, 1, MPI.INT, from, 1, MPI.INT);
        int self = line.getRank();
        Checks.equal("from below", self > 0 ? ranks[self - 1] : -1, from[0]);
        Checks.equal("from above", self < 3 ? ranks[self + 1] : -1, from[1]);
    }

    /** A grid of fewer places than ranks leaves the others out. */
    private static void twoOfFour() {
        Cartcomm two = world.Create_cart(new int[] {2, 1}, ANY, true);
        int[] in = {two == null ? 0 : 1};
        int[] all = new int[4];
        world.allGather(in, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal("two ranks", 2, Arrays.stream(all).sum());
        if (two != null) {
            near("two ranks", ranksOf(two), 0, 1);
        }
    }

    /** 0 beside 3, and 1 beside 2. */
    private static void graph() {
        int[] index = {1, 2, 3, 4};
        int[] edges = {3, 2, 1, 0};
        GraphComm graph = world.createGraph(index, edges, true);
        int[] ranks = ranksOf(graph);
        near("a graph", ranks, 0, 3);
        near("a graph's other pair", ranks, 1, 2);
        Graphcomm other = world.Create_graph(index, edges, true);
        Checks.equal("of both APIs", ranks, ranksOf(other));
    }

    /** A ring with weights: 1 and 2 exchange most, and so do 3 and 0. */
    private static void adjacent() {
        int[] from = {(rank + 3) % 4};
        int[] to = {(rank + 1) % 4};
        int[] in = {rank % 2 == 0 ? 90 : 1};
        int[] out = {rank % 2 == 1 ? 90 : 1};
        GraphComm graph = world.createDistGraphAdjacent(from, in, to, out, MPI.INFO_NULL, true);
        check("adjacent", graph);
    }

    /** The same, of which rank 0 names all. */
    private static void general() {
        int[] nodes = rank == 0 ? new int[] {0, 1, 2, 3} : new int[0];
        int[] degrees = rank == 0 ? new int[] {1, 1, 1, 1} : new int[0];
        int[] to = rank == 0 ? new int[] {1, 2, 3, 0} : new int[0];
        int[] weights = rank == 0 ? new int[] {1, 90, 1, 90} : new int[0];
        GraphComm graph = world.createDistGraph(nodes, degrees, to, weights, MPI.INFO_NULL, true);
        check("general", graph);
    }

    private static void check(String what, GraphComm graph) {
        int[] ranks = ranksOf(graph);
        near(what, ranks, 1, 2);
        near(what, ranks, 3, 0);
        DistGraphNeighbors neighbours = graph.getDistGraphNeighbors();
        int self = graph.getRank();
        Checks.equal(what, (self + 3) % 4, neighbours.getSource(0));
        Checks.equal(what, (self + 1) % 4, neighbours.getDestination(0));
        Checks.equal(what, self % 2 == 0 ? 90 : 1, neighbours.getSourceWeight(0));
        int[] value = {rank};
        int[] received = {-1};
        graph.neighborAllGather(value, 1, MPI.INT, received, 1, MPI.INT);
        Checks.equal(what, ranks[(self + 3) % 4], received[0]);
    }
}
