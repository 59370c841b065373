package org.madcast.agent.leasebench;

import java.io.IOException;
import java.net.URI;
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
import org.madcast.agent.ExitCode;

/**
 * Clients that each grant a lease, release it, and again, for a time. One virtual thread and one
 * connection a client.
 *
 * @param service the service
 * @param headers what each request carries, such as a bearer token's line
 * @param scope the scope to lease from
 * @param clients how many
 */
record LeaseLoad(URI service, String headers, String scope, int clients) {

    /** What came of it. */
    static final class Outcome {

        private final long cycles;
        private final double seconds;
        private final long[] latenciesNs;

        /**
         * An outcome.
         *
         * @param cycles grants that were released
         * @param seconds how long it took
         * @param latenciesNs of each request, sorted; kept, not copied
         */
        Outcome(long cycles, double seconds, long[] latenciesNs) {
            this.cycles = cycles;
            this.seconds = seconds;
            this.latenciesNs = latenciesNs;
        }

        /** Grants that were released. */
        long cycles() {
            return cycles;
        }

        /** How long it took. */
        double seconds() {
            return seconds;
        }

        double perSecond() {
            return cycles / seconds;
        }

        double percentileMs(double percent) {
            if (latenciesNs.length == 0) {
                return Double.NaN;
            }
            int index = (int) Math.ceil(percent / 100 * latenciesNs.length) - 1;
            return latenciesNs[Math.max(0, index)] / 1e6;
        }
    }

    /**
     * Runs it.
     *
     * @param cyclesPerSecond how many cycles to begin a second in all, 0 for as many as go
     */
    Outcome run(Duration time, double cyclesPerSecond) throws InterruptedException {
        long startNs = System.nanoTime();
        long endNs = startNs + time.toNanos();
        List<Future<long[]>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                double paceNs = cyclesPerSecond <= 0 ? 0 : 1e9 * clients / cyclesPerSecond;
                long firstNs = startNs + (long) (paceNs * i / clients);
                results.add(threads.submit(() -> cycle(firstNs, endNs, paceNs)));
            }
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        List<long[]> all = new ArrayList<>();
        for (Future<long[]> result : results) {
            all.add(of(result));
        }
        long[] latencies = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Outcome(latencies.length / 2, seconds, latencies);
    }

    private static long[] of(Future<long[]> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof CommandFailure told) {
                throw told;
            }
            throw new CommandFailure(
                    ExitCode.SERVICE,
                    "the service failed under load: " + failure.getCause(),
                    failure);
        }
    }

    /** When a request is late, those behind it are late too: the wait counts, as a user's would. */
    private long[] cycle(long firstNs, long endNs, double paceNs) throws IOException {
        long[] latencies = new long[1024];
        int count = 0;
        String grant = "{\"job\":\"bench-leases\",\"scope\":\"" + scope + "\"}";
        try (LeanHttp http = new LeanHttp(service)) {
            double dueNs = firstNs;
            while (System.nanoTime() < endNs) {
                for (long left = (long) dueNs - System.nanoTime(); paceNs > 0 && left > 0; ) {
                    LockSupport.parkNanos(left);
                    left = (long) dueNs - System.nanoTime();
                }
                long sentNs = paceNs > 0 ? (long) dueNs : System.nanoTime();
                LeanHttp.Answer lease = http.send("POST", "/v1/leases", headers, grant);
                require(lease, 201);
                long grantedNs = System.nanoTime();
                String secret = headers + "Madcast-Lease-Secret: " + lease.text("secret") + "\r\n";
                require(http.send("DELETE", "/v1/leases/" + lease.text("id"), secret, ""), 204);
                if (count + 2 > latencies.length) {
                    latencies = Arrays.copyOf(latencies, latencies.length * 2);
                }
                latencies[count++] = grantedNs - sentNs;
                latencies[count++] = System.nanoTime() - grantedNs;
                dueNs += paceNs;
            }
        }
        return Arrays.copyOf(latencies, count);
    }

    private static void require(LeanHttp.Answer answer, int status) {
        if (answer.status() != status) {
            throw new CommandFailure(
                    ExitCode.SERVICE,
                    "the service refuses (" + answer.status() + "): " + answer.body());
        }
    }
}
