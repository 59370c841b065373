package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

    /**
     * Where another replica can be asked; and what a request may take beyond the restart of the
     * only replica that its client knows.
     */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Journal journal = new Journal();
    private final Random random = new Random(Long.getLong("madcast.seed", 32));

    private void requireAll(
            Rest rest,
            PacedClients clients,
            List<JournaledClient> ofBoth,
            List<JournaledClient> ofOne,
            Duration restart) {
        LOG.warn(
                "{} requests answered, {} times made again; the longest took {} ms, and {} ms with"
                        + " one replica only",
                clients.answered(),
                clients.repeated(),
                PacedClients.longest(ofBoth).toMillis(),
                PacedClients.longest(ofOne).toMillis());
        journal.requireNoneTwice();
        journal.requireKept(rest);
        assertThat(PacedClients.longest(ofBoth)).isLessThan(LONGEST);
        assertThat(PacedClients.longest(ofOne)).isLessThan(restart.plus(LONGEST));
    }

    /** A sample: one of two replicas ends, in this process, and does not come back. */
    @Test
    void aReplicaThatEndsFailsNoRequest() throws Exception {
        RunningService stays = RunningService.shared();
        String scope = stays.addScope("rolling", "239.121.0.0-239.121.3.255", 0, "rolling", false);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RunningService ends = RunningService.replica();
            PacedClients clients = new PacedClients(threads, journal, random);
            List<JournaledClient> all =
                    clients.begin(CLIENTS, scope, List.of(stays.rest(), ends.rest()));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> clients.answered() > PacedClients.REQUESTS_PER_SECOND);
            ends.close();
            long before = clients.answered();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> clients.answered() > before + CLIENTS);
            clients.stop();
            requireAll(stays.rest(), clients, all, List.of(), Duration.ZERO);
        }
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
            PacedClients clients = new PacedClients(threads, journal, random);
            List<JournaledClient> ofBoth =
                    clients.begin(CLIENTS / 2, scope, List.of(one.rest(), two.rest()));
            List<JournaledClient> ofOne = new ArrayList<>();
            ofOne.addAll(clients.begin(CLIENTS / 4, scope, List.of(one.rest())));
            ofOne.addAll(clients.begin(CLIENTS / 4, scope, List.of(two.rest())));
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
            double rate = clients.rate();
            LOG.warn("{} requests a second", Math.round(rate));
            clients.stop();
            requireAll(one.rest(), clients, ofBoth, ofOne, longestRestart);
            assertThat(rate)
                    .as("requests a second")
                    .isGreaterThan(0.95 * PacedClients.REQUESTS_PER_SECOND);
        }
    }
}
