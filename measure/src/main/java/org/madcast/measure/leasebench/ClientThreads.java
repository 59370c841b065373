package org.madcast.measure.leasebench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.madcast.agent.CommandFailure;

/**
 * Runs a load: one virtual thread a client, each at its own moments, evenly spread, so that all
 * together begin as many cycles a second as wanted.
 */
final class ClientThreads {

    private ClientThreads() {}

    /** One client's work. */
    interface Client {

        /**
         * Works until its time is over.
         *
         * @return how long a user waited, for each thing asked
         */
        long[] work(Pace pace) throws Exception;
    }

    /** When to begin what. A cycle that comes late makes those behind it late: that counts. */
    static final class Pace {

        private final long endNs;
        private final double everyNs;
        private double dueNs;

        private Pace(double firstNs, long endNs, double everyNs) {
            this.dueNs = firstNs;
            this.endNs = endNs;
            this.everyNs = everyNs;
        }

        boolean isOver() {
            return System.nanoTime() >= endNs;
        }

        /** Waits for the next cycle's moment and tells when that was. */
        long next() {
            if (everyNs <= 0) {
                return System.nanoTime();
            }
            long due = (long) dueNs;
            for (long left = due - System.nanoTime(); left > 0; ) {
                LockSupport.parkNanos(left);
                left = due - System.nanoTime();
            }
            dueNs += everyNs;
            return due;
        }
    }

    /**
     * Runs clients side by side.
     *
     * @param cyclesPerSecond how many cycles to begin a second in all, 0 for as many as go
     * @param asked how many latencies a cycle has
     */
    static Outcome run(
            List<? extends Client> clients, Duration time, double cyclesPerSecond, int asked)
            throws InterruptedException {
        long startNs = System.nanoTime();
        long endNs = startNs + time.toNanos();
        int count = clients.size();
        double everyNs = cyclesPerSecond <= 0 ? 0 : 1e9 * count / cyclesPerSecond;
        List<Future<long[]>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                Client client = clients.get(i);
                Pace pace = new Pace(startNs + everyNs * i / count, endNs, everyNs);
                results.add(threads.submit(() -> client.work(pace)));
            }
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        List<long[]> all = new ArrayList<>();
        for (Future<long[]> result : results) {
            all.add(of(result));
        }
        long[] latencies = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Outcome(latencies.length / asked, seconds, latencies);
    }

    private static long[] of(Future<long[]> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof CommandFailure told) {
                throw told;
            }
            throw UnderLoad.failed(failure.getCause() == null ? failure : failure.getCause());
        }
    }
}
