package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/**
 * What is sent and what is received are in one array: apart, which MPI allows, or at the same
 * place, which it forbids and programs of mpiJava do, since that API has no calls in place.
 */
public final class OneArray {

    private static final int LARGE = 300_000;

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static int next;
    private static int before;
    private static int[] ones;
    private static int[] places;

    private OneArray() {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        ones = new int[size];
        Arrays.fill(ones, 1);
        places = new int[size];
        Arrays.setAll(places, i -> i);
        apart();
        interleaved();
        fromTheFirstPlace();
        alltoallAtTheSamePlace();
        reductions();
        exchanges(10);
        exchanges(LARGE);
        MPI.Finalize();
        Checks.end();
    }

    private static int[] numbers(int from) {
        int[] numbers = new int[size];
        Arrays.setAll(numbers, i -> from + i);
        return numbers;
    }

    private static int[] parts() {
        int[] parts = new int[size];
        Arrays.setAll(parts, i -> i * 10 + rank);
        return parts;
    }

    private static int[] ofEach(int[] all, int from) {
        return Arrays.copyOfRange(all, from, from + size);
    }

    private static void apart() {
        int[] all = new int[2 * size + 1];
        all[0] = rank + 1;
        world.Allgatherv(all, 0, 1, MPI.INT, all, 1, ones, places, MPI.INT);
        equal("allgatherv", numbers(1), ofEach(all, 1));
        all[2 * size] = rank + 7;
        world.Gatherv(all, 2 * size, 1, MPI.INT, all, 0, ones, places, MPI.INT, 0);
        equal("gatherv", rank == 0 ? numbers(7) : ofEach(all, 0), ofEach(all, 0));
        world.Scatterv(all, 0, ones, places, MPI.INT, all, size, 1, MPI.INT, 0);
        equal("scatterv", rank + 7, all[size]);
        System.arraycopy(numbers(rank * 10), 0, all, 0, size);
        world.Alltoallv(all, 0, ones, places, MPI.INT, all, size, ones, places, MPI.INT);
        equal("alltoallv", parts(), ofEach(all, size));
        Arrays.fill(all, size, 2 * size, -1);
        world.Alltoall(all, 0, 1, MPI.INT, all, size, 1, MPI.INT);
        equal("alltoall", parts(), ofEach(all, size));
    }

    private static void interleaved() {
        int[] even = new int[size];
        int[] all = new int[2 * size];
        for (int i = 0; i < size; i++) {
            even[i] = 2 * i;
            all[2 * i] = rank * 10 + i;
        }
        world.Alltoallv(all, 0, ones, even, MPI.INT, all, 1, ones, even, MPI.INT);
        for (int i = 0; i < size; i++) {
            equal("alltoallv", i * 10 + rank, all[2 * i + 1]);
        }
    }

    /** Each rank's own data are not at its place in the result. */
    private static void fromTheFirstPlace() {
        int[] all = new int[size];
        all[0] = rank + 1;
        world.Allgather(all, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
        equal("allgather", numbers(1), all);
        all[0] = rank + 5;
        world.Allgatherv(all, 0, 1, MPI.INT, all, 0, ones, places, MPI.INT);
        equal("allgatherv", numbers(5), all);
        all[0] = rank + 1;
        int last = size - 1;
        world.Gather(all, 0, 1, MPI.INT, all, 0, 1, MPI.INT, last);
        equal("gather", rank == last ? numbers(1) : all, all);
        System.arraycopy(numbers(3), 0, all, 0, size);
        world.Scatter(all, 0, 1, MPI.INT, all, 0, 1, MPI.INT, last);
        equal("scatter", rank + 3, all[0]);
        System.arraycopy(numbers(4), 0, all, 0, size);
        world.Scatterv(all, 0, ones, places, MPI.INT, all, 0, 1, MPI.INT, last);
        equal("scatterv", rank + 4, all[0]);
    }

    private static void alltoallAtTheSamePlace() {
        int[] all = numbers(rank * 10);
        world.Alltoall(all, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
        equal("alltoall", parts(), all);
        all = numbers(rank * 10);
        world.Alltoallv(all, 0, ones, places, MPI.INT, all, 0, ones, places, MPI.INT);
        equal("alltoallv", parts(), all);
    }

    private static void reductions() {
        int sum = size * (size - 1) / 2;
        int[] data = {rank, 1, 0};
        world.Allreduce(data, 0, data, 1, 2, MPI.INT, MPI.SUM);
        equal("allreduce", new int[] {rank, sum, size}, data);
        int[] all = numbers(rank);
        world.Reduce_scatter(all, 0, all, 0, ones, MPI.INT, MPI.SUM);
        equal("reduce_scatter", sum + size * rank, all[0]);
        int[] scanned = {rank + 1, 1, 0};
        world.Scan(scanned, 0, scanned, 1, 2, MPI.INT, MPI.SUM);
        equal("scan", new int[] {(rank + 1) * (rank + 2) / 2, rank + 1}, slice(scanned));
    }

    private static int[] slice(int[] three) {
        return new int[] {three[1], three[2]};
    }

    private static void exchanges(int count) {
        int[] data = new int[count];
        Arrays.fill(data, rank + 1);
        Status _ =
                world.Sendrecv(
                        data, 0, count, MPI.INT, next, 0, data, 0, count, MPI.INT, before, 0);
        int[] expected = new int[count];
        Arrays.fill(expected, before + 1);
        equal("Sendrecv", expected, data);
        Arrays.fill(data, rank + 1);
        Status _ = world.sendRecv(data, count, MPI.INT, next, 0, data, count, MPI.INT, before, 0);
        equal("sendRecv", expected, data);
        IntBuffer direct = MPI.newIntBuffer(count);
        for (int i = 0; i < count; i++) {
            direct.put(i, rank + 1);
        }
        IntBuffer same = MPI.slice(direct, 0);
        Status _ = world.sendRecv(same, count, MPI.INT, next, 0, direct, count, MPI.INT, before, 0);
        IntBuffer _ = direct.get(0, data);
        equal("of a buffer", expected, data);
    }
}
