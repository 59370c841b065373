package org.madcast.mpi.programs;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;

/**
 * Collective calls between two groups: the even ranks and the odd ones. A group's ranks have the
 * values 10 and up, or 20 and up.
 */
public final class BetweenGroups {

    private static Intercomm both;
    private static boolean even;
    private static int rank;
    private static int size;
    private static int peers;
    private static int value;

    private BetweenGroups() {}

    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        even = world.getRank() % 2 == 0;
        Intracomm own = world.split(even ? 0 : 1, 0);
        both = world.createIntercomm(own, 0, even ? 1 : 0, 7);
        both.setErrhandler(MPI.ERRORS_RETURN);
        rank = both.getRank();
        size = both.getSize();
        peers = both.getRemoteSize();
        value = (even ? 10 : 20) + rank;
        both.barrier();
        fromAndToOneRoot(true, 0);
        fromAndToOneRoot(false, (peersOfEven() - 1));
        toAll();
        reductions();
        requests();
        objectsOfOneRoot(true);
        objectsOfOneRoot(false);
        objectsToAll();
        objectReductions();
        mixed();
        MPI.Finalize();
        Checks.end();
    }

    private static int peersOfEven() {
        return even ? size : peers;
    }

    private static int peerValue(int peer) {
        return (even ? 20 : 10) + peer;
    }

    private static int[] peerValues() {
        int[] all = new int[peers];
        Arrays.setAll(all, BetweenGroups::peerValue);
        return all;
    }

    private static int sumOfPeers() {
        return Arrays.stream(peerValues()).sum();
    }

    /** The root is a rank of the odd group, or of the even one. */
    private static void fromAndToOneRoot(boolean odd, int rootRank) {
        boolean inGroup = odd != even;
        int root = inGroup ? (rank == rootRank ? MPI.ROOT : MPI.PROC_NULL) : rootRank;
        int[] data = {root == MPI.ROOT ? 5 : -1};
        both.bcast(data, 1, MPI.INT, root);
        Checks.equal("bcast", inGroup && root != MPI.ROOT ? -1 : 5, data[0]);
        int[] all = new int[peers];
        both.gather(new int[] {value}, 1, MPI.INT, all, 1, MPI.INT, root);
        Checks.equal("gather", root == MPI.ROOT ? peerValues() : new int[peers], all);
        int[] some = root == MPI.ROOT ? new int[peers] : new int[] {value};
        both.gather(some, 1, MPI.INT, root);
        Checks.equal("short gather", root == MPI.ROOT ? peerValues() : new int[] {value}, some);
        int[] part = {-1};
        both.scatter(peerValues(), 1, MPI.INT, part, 1, MPI.INT, root);
        Checks.equal("scatter", inGroup ? -1 : value, part[0]);
        int[] sum = {-1};
        both.reduce(new int[] {value}, sum, 1, MPI.INT, MPI.SUM, root);
        Checks.equal("reduce", root == MPI.ROOT ? sumOfPeers() : -1, sum[0]);
        Checks.fails("root", MPI.ERR_ROOT, () -> both.bcast(data, 1, MPI.INT, peers));
    }

    private static void toAll() {
        int[] all = new int[peers];
        both.allGather(new int[] {value}, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal("allGather", peerValues(), all);
        int[] out = new int[peers];
        Arrays.setAll(out, peer -> 100 * value + peer);
        both.allToAll(out, 1, MPI.INT, all, 1, MPI.INT);
        int[] expected = new int[peers];
        Arrays.setAll(expected, peer -> 100 * peerValue(peer) + rank);
        Checks.equal("allToAll", expected, all);
        int[] counts = new int[peers];
        Arrays.fill(counts, 1);
        int[] places = new int[peers];
        Arrays.setAll(places, peer -> peers - 1 - peer);
        both.allGatherv(new int[] {value}, 1, MPI.INT, all, counts, places, MPI.INT);
        Checks.equal("allGatherv", peerValue(0), all[peers - 1]);
    }

    private static void reductions() {
        int[] sum = new int[1];
        both.allReduce(new int[] {value}, sum, 1, MPI.INT, MPI.SUM);
        Checks.equal("allReduce", sumOfPeers(), sum[0]);
        Op digits =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int n, mpi.Datatype type) {
                                ((long[]) inOut)[0] += 100 * ((long[]) in)[0];
                            }
                        },
                        false);
        long[] order = new long[1];
        both.allReduce(new long[] {value}, order, 1, MPI.LONG, digits);
        long expected = 0;
        for (int peer = peers - 1; peer >= 0; peer--) {
            expected = peer == peers - 1 ? peerValue(peer) : expected + 100L * peerValue(peer);
        }
        Checks.equal("in the order of ranks", expected, order[0]);
        int[] data = new int[size * peers];
        Arrays.setAll(data, i -> i);
        int[] counts = new int[size];
        Arrays.fill(counts, peers);
        int[] part = new int[peers];
        both.reduceScatter(data, part, counts, MPI.INT, MPI.SUM);
        Checks.equal("reduceScatter", rank * peers * peers, part[0]);
    }

    private static void requests() {
        IntBuffer own = MPI.newIntBuffer(1).put(0, value);
        IntBuffer all = MPI.newIntBuffer(peers);
        IntBuffer most = MPI.newIntBuffer(1);
        Request[] begun = {
            both.iAllGather(own, 1, MPI.INT, all, 1, MPI.INT),
            both.iBarrier(),
            both.iAllReduce(own, most, 1, MPI.INT, MPI.MAX)
        };
        Request.waitAll(begun);
        Checks.equal("iAllGather", peerValue(peers - 1), all.get(peers - 1));
        Checks.equal("iAllReduce", peerValue(peers - 1), most.get(0));
    }

    private static Object[] peerObjects() {
        Object[] all = new Object[peers];
        Arrays.setAll(all, peer -> List.of("rank", peerValue(peer)));
        return all;
    }

    /** Ranks beside the root name no type: they do not know that it is objects. */
    private static void objectsOfOneRoot(boolean odd) {
        boolean inGroup = odd != even;
        int root = inGroup ? (rank == size - 1 ? MPI.ROOT : MPI.PROC_NULL) : peers - 1;
        boolean idle = root == MPI.PROC_NULL;
        Object own = List.of("rank", value);
        Object[] data = {root == MPI.ROOT ? Map.of("key", "x".repeat(100_000)) : null, "stays"};
        both.bcast(idle ? null : data, idle ? 0 : 1, idle ? MPI.INT : MPI.OBJECT, root);
        Object sent = Map.of("key", "x".repeat(100_000));
        Checks.equal("bcast", new Object[] {idle ? null : sent, "stays"}, data);
        Object[] all = new Object[peers];
        both.gather(new Object[] {own}, 1, MPI.OBJECT, all, 1, MPI.OBJECT, root);
        Checks.equal("gather", root == MPI.ROOT ? peerObjects() : new Object[peers], all);
        Object[] part = {null, null};
        both.scatter(peerObjects(), 1, MPI.OBJECT, part, 1, MPI.OBJECT, root);
        Checks.equal("scatter", new Object[] {inGroup ? null : own, null}, part);
    }

    private static void objectsToAll() {
        Object[] all = new Object[peers];
        both.allGather(new Object[] {List.of("rank", value)}, 1, MPI.OBJECT, all, 1, MPI.OBJECT);
        Checks.equal("allGather", peerObjects(), all);
        String[] out = new String[peers];
        Arrays.setAll(out, peer -> value + " to " + peer);
        String[] in = new String[peers];
        both.allToAll(out, 1, MPI.OBJECT, in, 1, MPI.OBJECT);
        String[] expected = new String[peers];
        Arrays.setAll(expected, peer -> peerValue(peer) + " to " + rank);
        Checks.equal("allToAll", expected, in);
        int[] counts = new int[peers];
        int[] places = new int[peers];
        Arrays.setAll(counts, peer -> peer % 2);
        Arrays.setAll(places, peer -> peers - 1 - peer);
        Object[] own = rank % 2 == 0 ? new Object[0] : new Object[] {value};
        Object[] uneven = new Object[peers];
        both.allGatherv(own, own.length, MPI.OBJECT, uneven, counts, places, MPI.OBJECT);
        Object[] found = new Object[peers];
        Arrays.setAll(found, at -> (peers - 1 - at) % 2 == 0 ? null : peerValue(peers - 1 - at));
        Checks.equal("allGatherv", found, uneven);
    }

    /** Not commutative: texts one behind the other. */
    private static void objectReductions() {
        Op join =
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(Object in, Object inOut, int n, mpi.Datatype type) {
                                for (int i = 0; i < n; i++) {
                                    ((Object[]) inOut)[i] =
                                            "" + ((Object[]) in)[i] + ((Object[]) inOut)[i];
                                }
                            }
                        },
                        false);
        StringBuilder expected = new StringBuilder();
        for (int peer = 0; peer < peers; peer++) {
            expected.append(peerValue(peer));
        }
        Object[] result = new Object[1];
        both.allReduce(new Object[] {"" + value}, result, 1, MPI.OBJECT, join);
        Checks.equal("allReduce", expected.toString(), result[0]);
        int root = even ? 0 : rank == 0 ? MPI.ROOT : MPI.PROC_NULL;
        Object[] reduced = new Object[1];
        both.reduce(new Object[] {"" + value}, reduced, 1, MPI.OBJECT, join, root);
        Checks.equal("reduce", root == MPI.ROOT ? expected.toString() : null, reduced[0]);
        int[] counts = new int[size];
        Arrays.fill(counts, peers);
        Object[] data = new Object[size * peers];
        Arrays.setAll(data, i -> "" + i);
        Object[] part = new Object[peers];
        both.reduceScatter(data, part, counts, MPI.OBJECT, join);
        Object[] parts = new Object[peers];
        Arrays.setAll(parts, i -> ("" + (rank * peers + i)).repeat(peers));
        Checks.equal("reduceScatter", parts, part);
    }

    /** Data go one way and objects the other, in one call. */
    private static void mixed() {
        Object[] objects = new Object[even ? peers : size];
        Arrays.fill(objects, "object " + value);
        int[] numbers = new int[even ? size : peers];
        Arrays.fill(numbers, value);
        if (even) {
            int[] got = new int[peers];
            both.allToAll(objects, 1, MPI.OBJECT, got, 1, MPI.INT);
            Checks.equal("numbers", peerValues(), got);
        } else {
            Object[] got = new Object[peers];
            both.allToAll(numbers, 1, MPI.INT, got, 1, MPI.OBJECT);
            Checks.equal("objects", "object " + peerValue(0), got[0]);
        }
        both.barrier();
    }
}
