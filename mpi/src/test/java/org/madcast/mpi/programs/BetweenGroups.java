package org.madcast.mpi.programs;

import java.nio.IntBuffer;
import java.util.Arrays;
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
}
