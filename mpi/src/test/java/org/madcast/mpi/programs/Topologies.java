package org.madcast.mpi.programs;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import mpi.CartComm;
import mpi.CartParms;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.ShiftParms;

/** Cartesian, graph and distributed graph topologies, and the exchange between neighbours. */
public final class Topologies {

    private static Intracomm world;
    private static int rank;
    private static int size;

    private Topologies() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        dimensions();
        ring();
        line();
        grid();
        partOfTheRanks();
        mpiJava();
        graph();
        adjacent();
        general();
        objectsOnARing();
        objectsOnAGraph();
        wrongArguments();
        MPI.Finalize();
        Checks.end();
    }

    private static void divides(int nodes, int[] given, int... expected) {
        int[] dims = given.clone();
        CartComm.createDims(nodes, dims);
        Checks.equal(nodes + " nodes", expected, dims);
        int[] same = given.clone();
        Cartcomm.Dims_create(nodes, same);
        Checks.equal(nodes + " nodes", expected, same);
    }

    private static void dimensions() {
        divides(6, new int[2], 3, 2);
        divides(7, new int[2], 7, 1);
        divides(16, new int[2], 4, 4);
        divides(24, new int[3], 4, 3, 2);
        divides(36, new int[3], 4, 3, 3);
        divides(64, new int[3], 4, 4, 4);
        divides(12, new int[] {0, 3}, 4, 3);
        divides(6, new int[] {0, 3, 0}, 2, 3, 1);
        divides(1, new int[2], 1, 1);
        divides(1000, new int[4], 8, 5, 5, 5);
        Checks.fails("no way", MPI.ERR_DIMS, () -> CartComm.createDims(7, new int[] {0, 2}));
        Checks.fails("negative", MPI.ERR_DIMS, () -> CartComm.createDims(7, new int[] {-7}));
    }

    private static int ring(int distance) {
        return Math.floorMod(rank + distance, size);
    }

    /** Also with one rank, which is both of its neighbours, and with two. */
    private static void ring() {
        CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, true);
        Checks.equal("kind", MPI.CART, ring.getTopology());
        ShiftParms shift = ring.shift(0, 1);
        Checks.equal("source", ring(-1), shift.getRankSource());
        Checks.equal("destination", ring(1), shift.rank_dest);
        Checks.equal("far", ring(5), ring.shift(0, 5).getRankDest());
        Checks.equal("wrapped", ring(2), ring.getRank(new int[] {rank + 2}));
        Checks.equal("wrapped", ring(-2), ring.getRank(new int[] {rank - 2}));
        int[] got = new int[2];
        ring.neighborAllGather(new int[] {rank}, 1, MPI.INT, got, 1, MPI.INT);
        Checks.equal("neighborAllGather", new int[] {ring(-1), ring(1)}, got);
        // What goes down comes from above.
        int[] out = {10 * rank, 10 * rank + 1};
        ring.neighborAllToAll(out, 1, MPI.INT, got, 1, MPI.INT);
        Checks.equal("neighborAllToAll", new int[] {10 * ring(-1) + 1, 10 * ring(1)}, got);
        Comm copy = ring.dup();
        Checks.that("class of a duplicate", copy instanceof CartComm);
        Checks.equal("kind of a duplicate", MPI.CART, copy.getTopology());
        copy.free();
        ring.free();
    }

    private static void line() {
        CartComm line = world.createCart(new int[] {size}, new boolean[] {false}, false);
        ShiftParms shift = line.shift(0, 1);
        Checks.equal("source", rank == 0 ? MPI.PROC_NULL : rank - 1, shift.getRankSource());
        Checks.equal("end", rank == size - 1 ? MPI.PROC_NULL : rank + 1, shift.getRankDest());
        int[] got = {-7, -7};
        line.neighborAllToAll(new int[] {rank, rank + 100}, 1, MPI.INT, got, 1, MPI.INT);
        int below = rank == 0 ? -7 : rank + 99;
        int above = rank == size - 1 ? -7 : rank + 1;
        Checks.equal("neighborAllToAll", new int[] {below, above}, got);
        int[] counts = {1, 2};
        int[] places = {0, 1};
        int[] uneven = {-7, -7, -7};
        int[] back = {2, 1};
        line.neighborAllToAllv(
                new int[] {5, 6, 7},
                back,
                new int[] {0, 2},
                MPI.INT,
                uneven,
                counts,
                places,
                MPI.INT);
        Checks.equal("from below", rank == 0 ? -7 : 7, uneven[0]);
        Checks.equal("from above", rank == size - 1 ? -7 : 6, uneven[2]);
        Checks.fails("outside", MPI.ERR_ARG, () -> line.getRank(new int[] {size}));
        Checks.fails("direction", MPI.ERR_DIMS, () -> line.shift(1, 1));
    }

    private static void grid() {
        int[] dims = new int[2];
        CartComm.createDims(size, dims);
        CartComm grid = world.createCart(dims, new boolean[] {true, false}, false);
        CartParms parms = grid.getTopo();
        Checks.equal("dimensions", 2, parms.getDimCount());
        Checks.equal("dims", dims, parms.dims);
        Checks.that("periods", parms.getPeriod(0) && !parms.getPeriod(1));
        Checks.equal("row", rank / dims[1], parms.getCoord(0));
        for (int r = 0; r < size; r++) {
            Checks.equal("rank", r, grid.getRank(grid.getCoords(r)));
        }
        CartComm row = grid.sub(new boolean[] {false, true});
        Checks.equal("row's size", dims[1], row.getSize());
        Checks.equal("row's rank", rank % dims[1], row.getRank());
        Checks.that("row's period", !row.getTopo().getPeriod(0));
        CartComm column = grid.sub(new boolean[] {true, false});
        Checks.equal("column's rank", rank / dims[1], column.getRank());
        CartComm alone = grid.sub(new boolean[2]);
        Checks.equal("no dimension", 1, alone.getSize());
        Checks.equal("no dimension", 0, alone.getTopo().getDimCount());
        Datatype pair = Datatype.createVector(2, 1, 2, MPI.INT);
        pair.commit();
        IntBuffer in = MPI.newIntBuffer(8);
        Request begun =
                grid.iNeighborAllGather(
                        MPI.newIntBuffer(3).put(0, rank).put(2, -rank), 1, pair, in, 2, MPI.INT);
        begun.waitFor();
        int down = grid.shift(0, 1).getRankDest();
        Checks.equal("iNeighborAllGather", -down, in.get(3));
    }

    private static void partOfTheRanks() {
        boolean[] periods = {true};
        CartComm part = world.createCart(new int[] {1}, periods, false);
        Checks.equal("part", rank > 0, part.isNull());
        Cartcomm other = world.Create_cart(new int[] {1}, periods, false);
        Checks.equal("part", rank > 0, other == null);
        Checks.fails(
                "too large",
                MPI.ERR_DIMS,
                () -> world.createCart(new int[] {size + 1}, periods, false));
        CartComm all = world.createCart(new int[] {size}, periods, false);
        Checks.equal("map", rank == 0 ? 0 : MPI.UNDEFINED, all.map(new int[] {1}, periods));
    }

    private static void mpiJava() {
        Cartcomm ring = world.Create_cart(new int[] {size}, new boolean[] {true}, false);
        Checks.equal("kind", MPI.CART, ring.Topo_test());
        Checks.equal("rank", ring(1), ring.Rank(new int[] {rank + 1}));
        Checks.equal("coordinates", new int[] {rank}, ring.Coords(rank));
        Checks.equal("source", ring(-1), ring.Shift(0, 1).rank_source);
        Checks.equal("grid", new int[] {size}, ring.Get().dims);
        Checks.equal("sub", 1, ring.Sub(new boolean[] {false}).Size());
        Checks.that("clone", ring.clone().Get().periods[0]);
        Checks.equal("map", rank, ring.Map(new int[] {size}, new boolean[1]));
        Graphcomm star = world.Create_graph(index(), edges(), false);
        Checks.equal("kind", MPI.GRAPH, star.Topo_test());
        Checks.equal("neighbours", size - 1, star.Neighbours(0).length);
        Checks.equal("index", index(), star.Get().index);
        Checks.equal("map", rank, star.Map(index(), edges()));
        Checks.equal("none", MPI.UNDEFINED, world.Topo_test());
    }

    /** A star: rank 0 has all others as neighbours. */
    private static int[] index() {
        int[] index = new int[size];
        Arrays.setAll(index, r -> size - 1 + r);
        return index;
    }

    private static int[] edges() {
        int[] edges = new int[2 * (size - 1)];
        Arrays.setAll(edges, i -> i < size - 1 ? i + 1 : 0);
        return edges;
    }

    private static void graph() {
        GraphComm star = world.createGraph(index(), edges(), true);
        Checks.equal("kind", MPI.GRAPH, star.getTopology());
        GraphParms parms = star.getDims();
        Checks.equal("nodes", size, parms.getIndexCount());
        Checks.equal("edges", 2 * (size - 1), parms.getEdgeCount());
        Checks.equal("neighbours", rank == 0 ? size - 1 : 1, star.getNeighbors(rank).length);
        int[] got = new int[size];
        star.neighborAllGather(new int[] {rank + 1}, 1, MPI.INT, got, 1, MPI.INT);
        int[] expected = new int[size];
        Arrays.setAll(expected, i -> rank == 0 ? (i < size - 1 ? i + 2 : 0) : i == 0 ? 1 : 0);
        Checks.equal("neighborAllGather", expected, got);
        Checks.that("clone", star.clone().getDims().getIndex(0) == size - 1);
        Checks.fails("distributed", MPI.ERR_TOPOLOGY, () -> star.getDistGraphNeighbors());
    }

    /** Each rank has two edges to the next one, of which the second is the heavier. */
    private static void adjacent() {
        int[] from = {ring(-1), ring(-1)};
        int[] to = {ring(1), ring(1)};
        int[] weights = {1, 2};
        GraphComm ring =
                world.createDistGraphAdjacent(from, weights, to, weights, MPI.INFO_NULL, false);
        Checks.equal("kind", MPI.DIST_GRAPH, ring.getTopology());
        DistGraphNeighbors edges = ring.getDistGraphNeighbors();
        Checks.that("weighted", edges.isWeighted());
        Checks.equal("in", 2, edges.getInDegree());
        Checks.equal("weight", 2, edges.getSourceWeight(1));
        Checks.equal("destination", ring(1), edges.getDestination(0));
        int[] got = new int[2];
        ring.neighborAllToAll(new int[] {rank, -rank}, 1, MPI.INT, got, 1, MPI.INT);
        Checks.equal("neighborAllToAll", new int[] {ring(-1), -ring(-1)}, got);
        GraphComm plain = world.createDistGraphAdjacent(from, to, MPI.INFO_NULL, false);
        Checks.that("not weighted", !plain.getDistGraphNeighbors().isWeighted());
    }

    /** Rank 0 names all edges: from each rank to the next, weighted by the source. */
    private static void general() {
        int[] sources = new int[rank == 0 ? size : 0];
        Arrays.setAll(sources, r -> r);
        int[] degrees = new int[sources.length];
        Arrays.fill(degrees, 1);
        int[] destinations = new int[sources.length];
        Arrays.setAll(destinations, r -> (r + 1) % size);
        GraphComm ring =
                world.createDistGraph(
                        sources, degrees, destinations, sources, MPI.INFO_NULL, false);
        DistGraphNeighbors edges = ring.getDistGraphNeighbors();
        Checks.equal("out", 1, edges.getOutDegree());
        Checks.equal("source", ring(-1), edges.getSource(0));
        Checks.equal("weight", ring(-1), edges.getSourceWeight(0));
        Checks.equal("weight", rank, edges.getDestinationWeight(0));
        int[] got = new int[1];
        ring.neighborAllGatherv(
                new int[] {rank}, 1, MPI.INT, got, new int[] {1}, new int[1], MPI.INT);
        Checks.equal("neighborAllGatherv", ring(-1), got[0]);
        Checks.equal("duplicate", ring(-1), ring.dup().getDistGraphNeighbors().getSource(0));
        GraphComm plain =
                world.createDistGraph(sources, degrees, destinations, MPI.INFO_NULL, false);
        Checks.that("not weighted", !plain.getDistGraphNeighbors().isWeighted());
    }

    /** What goes down comes from above, with one rank and with two, too. */
    private static void objectsOnARing() {
        CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false);
        Object[] got = new Object[2];
        ring.neighborAllGather(new Object[] {List.of(rank)}, 1, MPI.OBJECT, got, 1, MPI.OBJECT);
        Checks.equal("neighborAllGather", new Object[] {List.of(ring(-1)), List.of(ring(1))}, got);
        String[] out = {"down " + rank, "up " + rank};
        String[] in = new String[2];
        ring.neighborAllToAll(out, 1, MPI.OBJECT, in, 1, MPI.OBJECT);
        Checks.equal("neighborAllToAll", new String[] {"up " + ring(-1), "down " + ring(1)}, in);
        int[] after = new int[2];
        ring.neighborAllGather(new int[] {rank}, 1, MPI.INT, after, 1, MPI.INT);
        Checks.equal("data after objects", new int[] {ring(-1), ring(1)}, after);
    }

    /** Rank 0 sends each other one as many objects as its number, and none comes back. */
    private static void objectsOnAGraph() {
        int[] others = new int[rank == 0 ? size - 1 : 0];
        Arrays.setAll(others, i -> i + 1);
        int[] from = rank == 0 ? new int[0] : new int[1];
        GraphComm star = world.createDistGraphAdjacent(from, others, MPI.INFO_NULL, false);
        int[] places = new int[others.length];
        Object[] out = new Object[size];
        Arrays.setAll(out, i -> "object " + i);
        Object[] in = new Object[size];
        star.neighborAllToAllv(
                out,
                others,
                places,
                MPI.OBJECT,
                in,
                rank == 0 ? new int[0] : new int[] {rank},
                from,
                MPI.OBJECT);
        Object[] expected = new Object[size];
        System.arraycopy(out, 0, expected, 0, rank);
        Checks.equal("neighborAllToAllv", expected, in);
    }

    private static void wrongArguments() {
        int[] one = new int[1];
        Checks.fails(
                "no topology",
                MPI.ERR_TOPOLOGY,
                () -> world.neighborAllGather(one, 1, MPI.INT, one, 1, MPI.INT));
        Checks.fails(
                "index",
                MPI.ERR_TOPOLOGY,
                () -> world.createGraph(new int[] {1}, new int[] {1}, false));
        Checks.fails(
                "periods",
                MPI.ERR_DIMS,
                () -> world.createCart(new int[] {1}, new boolean[2], false));
        Checks.fails(
                "source",
                MPI.ERR_RANK,
                () ->
                        world.createDistGraphAdjacent(
                                new int[] {size}, new int[0], MPI.INFO_NULL, false));
    }
}
