package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Request;
import mpi.Status;
import mpi.Win;

/**
 * Threads that call MPI at once: collectives, matched probes, waiting for each other's requests.
 */
public final class ThreadsAtOnce {

    private static final int THREADS = 4;
    private static final int ROUNDS = 40;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private ThreadsAtOnce() {}

    /** Runs the checks. */
    public static void main(String[] args) throws Exception {
        equal("level", MPI.THREAD_MULTIPLE, MPI.InitThread(args, MPI.THREAD_MULTIPLE));
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        equal("level", MPI.THREAD_MULTIPLE, MPI.queryThread());
        that("this thread began", MPI.isThreadMain());
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            collectives(threads);
            workers(threads);
            requestsOfOthers(threads);
            windows(threads);
            equal("another thread", false, threads.submit(MPI::isThreadMain).get());
        }
        MPI.Finalize();
        Checks.end();
    }

    /** Each thread has a communicator of its own. */
    private static void collectives(ExecutorService threads) throws Exception {
        List<Intracomm> own = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            own.add(world.dup());
        }
        List<Future<?>> ended = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            ended.add(threads.submit(() -> collectives(own.get(number), number)));
        }
        awaitAll(ended);
        own.forEach(Intracomm::free);
    }

    private static void awaitAll(List<Future<?>> ended)
            throws InterruptedException, ExecutionException {
        for (Future<?> each : ended) {
            Object _ = each.get();
        }
    }

    private static void collectives(Intracomm comm, int number) {
        for (int i = 0; i < ROUNDS; i++) {
            int[] sum = new int[1 + 100 * number];
            Arrays.fill(sum, rank + i);
            comm.allReduce(sum, sum.length, MPI.INT, MPI.SUM);
            equal("sum", size * (size - 1) / 2 + size * i, sum[sum.length - 1]);
            int[] data = {rank == i % size ? number * 1000 + i : -1};
            comm.bcast(data, 1, MPI.INT, i % size);
            equal("bcast", number * 1000 + i, data[0]);
            int[] all = new int[size];
            comm.allGather(new int[] {rank * number}, 1, MPI.INT, all, 1, MPI.INT);
            equal("gathered", (size - 1) * number, all[size - 1]);
            comm.barrier();
        }
    }

    /** Every message is received by one of the threads that look for any. */
    private static void workers(ExecutorService threads) throws Exception {
        int each = 50;
        int total = each * size;
        List<Future<?>> ended = new ArrayList<>();
        java.util.concurrent.atomic.AtomicInteger taken =
                new java.util.concurrent.atomic.AtomicInteger();
        java.util.concurrent.atomic.AtomicLong sum = new java.util.concurrent.atomic.AtomicLong();
        for (int t = 0; t < THREADS - 1; t++) {
            ended.add(
                    threads.submit(() -> {
                        while (taken.get() < total) {
                            Message message = new Message();
                            Status status = message.imProbe(MPI.ANY_SOURCE, 7, world);
                            if (status == null) {
                                Thread.onSpinWait();
                                continue;
                            }
                            int[] got = new int[status.getCount(MPI.INT)];
                            Status _ = message.mRecv(got, got.length, MPI.INT);
                            sum.addAndGet(got[got.length - 1]);
                            taken.incrementAndGet();
                        }
                    }));
        }
        for (int i = 0; i < each; i++) {
            for (int to = 0; to < size; to++) {
                int[] data = new int[1 + 300 * i];
                data[300 * i] = i;
                world.send(data, data.length, MPI.INT, to, 7);
            }
        }
        awaitAll(ended);
        equal("all messages", (long) size * each * (each - 1) / 2, sum.get());
        world.barrier();
    }

    /** One thread begins, another waits. */
    private static void requestsOfOthers(ExecutorService threads) throws Exception {
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        List<Future<?>> ended = new ArrayList<>();
        int[][] got = new int[THREADS][1];
        for (int t = 0; t < THREADS; t++) {
            Request receive = world.Irecv(got[t], 0, 1, MPI.INT, before, 20 + t);
            ended.add(threads.submit(receive::waitFor));
        }
        for (int t = 0; t < THREADS; t++) {
            world.send(new int[] {t}, 1, MPI.INT, next, 20 + t);
        }
        awaitAll(ended);
        equal("received", new int[][] {{0}, {1}, {2}, {3}}, got);
    }

    private static void windows(ExecutorService threads) throws Exception {
        IntBuffer memory = MPI.newIntBuffer(1);
        Win win = new Win(memory, 1, 1, MPI.INFO_NULL, world);
        win.lockAll(0);
        List<Future<?>> ended = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            ended.add(
                    threads.submit(() -> {
                        IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
                        for (int i = 0; i < ROUNDS; i++) {
                            win.accumulate(one, 1, MPI.INT, i % size, 0, 1, MPI.INT, MPI.SUM);
                        }
                    }));
        }
        awaitAll(ended);
        win.unlockAll();
        world.barrier();
        int mine = 0;
        for (int i = 0; i < ROUNDS; i++) {
            mine += i % size == rank ? 1 : 0;
        }
        equal("all accumulations", mine * THREADS * size, memory.get(0));
        win.free();
    }
}
