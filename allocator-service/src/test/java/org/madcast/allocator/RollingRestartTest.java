package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of one database are told to end, one after the other, and are started again, while
 * clients make 500 requests a second and repeat what is refused with 503 or gets no answer. None
 * fails, no acknowledged lease is lost, and none is granted twice.
 */
@Timeout(600)
class RollingRestartTest {

    private static final Logger LOG = LoggerFactory.getLogger(RollingRestartTest.class);
    private static final int CLIENTS = 48;
    private static final int REQUESTS_PER_SECOND = 500;

    /**
     * Where another replica can be asked; and what a request may take beyond the restart of the
     * only replica that its client knows.
     */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Journal journal = new Journal();
    private final Random random = new Random(Long.getLong("madcast.seed", 32));
    private final List<JournaledClient> ofBoth = new ArrayList<>();
    private final List<JournaledClient> ofOne = new ArrayList<>();
    private final List<Future<?>> work = new ArrayList<>();
    private final AtomicLong nextNs = new AtomicLong();

    /** Returns when the next of all clients' requests is due. */
    private void pace() {
        long dueNs = nextNs.getAndAdd(Duration.ofSeconds(1).toNanos() / REQUESTS_PER_SECOND);
        while (dueNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(dueNs - System.nanoTime());
        }
    }

    private void begin(
            ExecutorService threads,
            List<JournaledClient> clients,
            int count,
            String scope,
            List<Rest> replicas) {
        for (int i = 0; i < count; i++) {
            JournaledClient client =
                    new JournaledClient(
                            replicas, scope, journal, new Random(random.nextLong()), this::pace);
            clients.add(client);
            work.add(threads.submit(client::work));
        }
    }

    private long answered() {
        return ofBoth.stream().mapToLong(JournaledClient::answered).sum()
                + ofOne.stream().mapToLong(JournaledClient::answered).sum();
    }

    private static Duration longest(List<JournaledClient> clients) {
        return clients.stream()
                .map(JournaledClient::longest)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private void stop() throws Exception {
        ofBoth.forEach(JournaledClient::stop);
        ofOne.forEach(JournaledClient::stop);
        for (Future<?> each : work) {
            each.get();
        }
    }

    private void requireAll(Rest rest, Duration restart) {
        LOG.warn(
                "{} requests answered, {} times made again; the longest took {} ms, and {} ms with"
                        + " one replica only",
                answered(),
                ofBoth.stream().mapToLong(JournaledClient::repeated).sum()
                        + ofOne.stream().mapToLong(JournaledClient::repeated).sum(),
                longest(ofBoth).toMillis(),
                longest(ofOne).toMillis());
        journal.requireNoneTwice();
        journal.requireKept(rest);
        assertThat(longest(ofBoth)).isLessThan(LONGEST);
        assertThat(longest(ofOne)).isLessThan(restart.plus(LONGEST));
    }

    /** A sample: one of two replicas ends, in this process, and does not come back. */
    @Test
    void aReplicaThatEndsFailsNoRequest() throws Exception {
        RunningService stays = RunningService.shared();
        String scope = stays.addScope("rolling", "239.121.0.0-239.121.3.255", 0, "rolling", false);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RunningService ends = RunningService.replica();
            nextNs.set(System.nanoTime());
            begin(threads, ofBoth, CLIENTS, scope, List.of(stays.rest(), ends.rest()));
            await().atMost(Duration.ofSeconds(60)).until(() -> answered() > REQUESTS_PER_SECOND);
            ends.close();
            long before = answered();
            await().atMost(Duration.ofSeconds(60)).until(() -> answered() > before + CLIENTS);
            stop();
        }
        requireAll(stays.rest(), Duration.ZERO);
    }

    @Test
    @Tag("slow")
    void twoReplicasAreRestartedOneAfterTheOther() throws Exception {
        RunningService.shared();
        String[] database =
                RunningService.argumentsThrough(RunningService.databasePort())
                        .toArray(String[]::new);
        String scope =
                RunningService.shared()
                        .addScope("rolled", "239.122.0.0-239.122.3.255", 0, "rolled", false);
        try (ServiceInProcess one =
                        ServiceInProcess.start(RunningService.newDirectory("rolling"), database);
                ServiceInProcess two =
                        ServiceInProcess.start(RunningService.newDirectory("rolling"), database);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long beganNs = System.nanoTime();
            nextNs.set(beganNs);
            begin(threads, ofBoth, CLIENTS / 2, scope, List.of(one.rest(), two.rest()));
            begin(threads, ofOne, CLIENTS / 4, scope, List.of(one.rest()));
            begin(threads, ofOne, CLIENTS / 4, scope, List.of(two.rest()));
            Duration longestRestart = Duration.ZERO;
            for (ServiceInProcess each : List.of(one, two)) {
                LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
                long endedNs = System.nanoTime();
                each.terminate();
                Duration ending = Duration.ofNanos(System.nanoTime() - endedNs);
                each.restart();
                Duration restart = Duration.ofNanos(System.nanoTime() - endedNs);
                LOG.warn("ended in {} ms, back after {}", ending.toMillis(), restart.toMillis());
                longestRestart = restart.compareTo(longestRestart) > 0 ? restart : longestRestart;
            }
            LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            double rate = answered() / seconds;
            LOG.warn("{} requests a second", Math.round(rate));
            stop();
            requireAll(one.rest(), longestRestart);
            assertThat(rate).as("requests a second").isGreaterThan(0.95 * REQUESTS_PER_SECOND);
        }
    }
}
