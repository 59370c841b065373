package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(service.rest(), new Random(random.nextLong())));
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

    private void killUnderLoad(ServiceInProcess service, List<Client> clients, boolean whole)
            throws Exception {
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            clients.forEach(it -> {
                it.stopping = false;
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
            clients.forEach(it -> it.stopping = true);
        }
        for (Future<?> each : work) {
            each.get();
        }
    }

    /** Leases, renews and releases; what got no answer is asked again until it gets one. */
    private final class Client {

        private final Rest rest;
        private final Random random;
        private final List<String[]> held = new ArrayList<>();
        private volatile boolean stopping;

        Client(Rest rest, Random random) {
            this.rest = rest;
            this.random = random;
        }

        void work() {
            while (!stopping) {
                if (held.isEmpty() || (held.size() < 8 && random.nextBoolean())) {
                    grant();
                } else {
                    String[] lease = held.remove(random.nextInt(held.size()));
                    if (random.nextInt(3) > 0) {
                        release(lease);
                    } else {
                        renew(lease);
                        held.add(lease);
                    }
                }
            }
        }

        private void grant() {
            String key = UUID.randomUUID().toString();
            Rest.Answer answer =
                    untilAnswered(() ->
                            rest.post(
                                    "/v1/leases",
                                    "{\"job\":\"j\",\"scope\":\"small\"}",
                                    "Idempotency-Key",
                                    key));
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            journal.granted(answer.json());
            held.add(new String[] {answer.string("id"), answer.string("secret")});
        }

        private void renew(String[] lease) {
            Rest.Answer answer =
                    untilAnswered(() ->
                            rest.post(
                                    "/v1/leases/" + lease[0] + "/renewal",
                                    "{\"durationSeconds\":7200}",
                                    "Madcast-Lease-Secret",
                                    lease[1]));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            journal.renewed(lease[0], answer.json());
        }

        private void release(String[] lease) {
            journal.releasing(lease[0]);
            Rest.Answer answer =
                    untilAnswered(() ->
                            rest.delete(
                                    "/v1/leases/" + lease[0], "Madcast-Lease-Secret", lease[1]));
            // 410: it was done before, and the answer was lost.
            assertThat(answer.status()).as(answer.text()).isIn(204, 410);
            journal.released(lease[0]);
        }

        private Rest.Answer untilAnswered(Supplier<Rest.Answer> ask) {
            while (true) {
                Rest.@Nullable Answer answer = Rest.orNull(ask);
                if (answer != null && answer.status() != 503) {
                    return answer;
                }
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }
}
