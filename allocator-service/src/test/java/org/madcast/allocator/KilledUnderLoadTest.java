package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The service, or its PostgreSQL, is killed at random moments while clients lease, renew and
 * release. Who reads all of the answers afterwards finds every acknowledged lease kept and none
 * granted twice. {@code -Dmadcast.seed=N} repeats the moments.
 */
class KilledUnderLoadTest {

    private static final int CLIENTS = 12;
    private static final String SCOPE =
            "{\"ranges\":[\"239.1.2.0-239.1.2.199\"],\"allowUnscoped\":true,"
                    + "\"quarantineSeconds\":0}";

    private final Random random = new Random(Long.getLong("madcast.seed", 4));
    private final Journal journal = new Journal();

    @Test
    void oneKillOfEachLosesNothing() throws Exception {
        run(2);
    }

    @Test
    @Tag("slow")
    void twentyKillsLoseNothing() throws Exception {
        run(20);
    }

    private void run(int rounds) throws Exception {
        try (ServiceInProcess service =
                ServiceInProcess.start(RunningService.newDirectory("killed"))) {
            assertThat(service.rest().post("/v1/scopes/small", SCOPE).status()).isEqualTo(201);
            List<JournaledClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(
                        new JournaledClient(
                                service.rest(), "small", journal, new Random(random.nextLong())));
            }
            for (int round = 0; round < rounds; round++) {
                int before = journal.size();
                killUnderLoad(service, clients, round % 2 == 0);
                journal.requireNoneTwice();
                journal.requireKept(service.rest());
                assertThat(journal.size()).as("leases of round %d", round).isGreaterThan(before);
            }
        }
    }

    private void killUnderLoad(
            ServiceInProcess service, List<JournaledClient> clients, boolean whole)
            throws Exception {
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            clients.forEach(it -> {
                it.goOn();
                work.add(threads.submit(it::work));
            });
            LockSupport.parkNanos(Duration.ofMillis(500 + random.nextInt(1500)).toNanos());
            if (whole) {
                service.kill();
                service.restart();
            } else {
                service.killDatabase();
                service.awaitReady();
            }
            // Each finishes what it was about: what it asked in vain it asks again, and is told.
            clients.forEach(JournaledClient::stop);
        }
        for (Future<?> each : work) {
            each.get();
        }
    }
}
