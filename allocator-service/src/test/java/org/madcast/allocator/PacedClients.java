package org.madcast.allocator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Clients that make a given number of requests a second together, whatever becomes of the service:
 * what is late is made up for as soon as there are answers again. One journal has all answers.
 */
final class PacedClients {

    /** What the service has to bear while its database or its replicas change. */
    static final int REQUESTS_PER_SECOND = 500;

    private final ExecutorService threads;
    private final Journal journal;
    private final Random random;
    private final List<JournaledClient> clients = new ArrayList<>();
    private final List<Future<?>> work = new ArrayList<>();
    private final long beganNs = System.nanoTime();
    private final AtomicLong nextNs = new AtomicLong(beganNs);

    /** None yet; the first request is due now. Each client takes a thread. */
    PacedClients(ExecutorService threads, Journal journal, Random random) {
        this.threads = threads;
        this.journal = journal;
        this.random = random;
    }

    /** Some more begin, and ask these replicas in turn. */
    List<JournaledClient> begin(int count, String scope, List<Rest> replicas) {
        List<JournaledClient> more =
                Stream.generate(() ->
                                new JournaledClient(
                                        replicas,
                                        scope,
                                        journal,
                                        new Random(random.nextLong()),
                                        this::pace))
                        .limit(count)
                        .toList();
        clients.addAll(more);
        more.forEach(it -> work.add(threads.submit(it::work)));
        return more;
    }

    /** Returns when the next of all clients' requests is due. */
    private void pace() {
        long dueNs = nextNs.getAndAdd(Duration.ofSeconds(1).toNanos() / REQUESTS_PER_SECOND);
        while (dueNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(dueNs - System.nanoTime());
        }
    }

    /** How many requests were answered. */
    long answered() {
        return clients.stream().mapToLong(JournaledClient::answered).sum();
    }

    /** How often a request was made again. */
    long repeated() {
        return clients.stream().mapToLong(JournaledClient::repeated).sum();
    }

    /** Answers in a second since the first was due. */
    double rate() {
        return answered() / ((System.nanoTime() - beganNs) / 1e9);
    }

    /** Lets each end what it was about, and fails if one failed. */
    void stop() throws Exception {
        clients.forEach(JournaledClient::stop);
        for (Future<?> each : work) {
            each.get();
        }
    }

    /** The longest time that a request took with its repetitions. */
    static Duration longest(List<JournaledClient> clients) {
        return clients.stream()
                .map(JournaledClient::longest)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
