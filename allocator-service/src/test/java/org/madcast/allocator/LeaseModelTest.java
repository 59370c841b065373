package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Shape;

/**
 * Many clients of two replicas, which know of each other by the database only, do random things at
 * a time, in scopes that overlap in every way; a model that knows nothing but the answers says
 * whether two leases ever had one Ethernet address, or one address and port, at one time.
 *
 * <p>A seed repeats what each client asks for ({@code -Dmadcast.seed=N}); how they interleave is
 * the machine's doing, so a failure prints the leases too.
 */
class LeaseModelTest {

    private static final int CLIENTS = 48;
    private static final int OPERATIONS_A_ROUND = 50_000;
    private static final int QUARANTINE_SECONDS = 1;

    private final RunningService service = RunningService.shared();
    private final RunningService other = RunningService.replica();
    private final List<LeaseService> replicas =
            List.of(service.part(LeaseService.class), other.part(LeaseService.class));
    private final String segment = RunningService.newJob();
    private final String suffix = segment.substring(4, 10);
    private final List<String> scopes = List.of("m1-" + suffix, "m2-" + suffix, "m3-" + suffix);
    private final LeaseModel model = new LeaseModel(Duration.ofSeconds(QUARANTINE_SECONDS));

    @AfterEach
    void end() {
        other.close();
    }

    @Test
    void noTwoLeasesCollide() throws Exception {
        run(Long.getLong("madcast.seed", 1), 4_000);
    }

    @Test
    @Tag("slow")
    void noTwoLeasesCollideInTenMillionOperations() throws Exception {
        run(Long.getLong("madcast.seed", 1), Long.getLong("madcast.operations", 10_000_000));
    }

    private void run(long seed, long operations) throws Exception {
        // The second shares half of its addresses with the first; the third has other addresses
        // that are the same on Ethernet, and shares them by port.
        service.addScope(
                scopes.get(0), "239.193.230.0-239.193.230.199", QUARANTINE_SECONDS, segment, false);
        service.addScope(
                scopes.get(1),
                "239.193.230.100-239.193.231.43",
                QUARANTINE_SECONDS,
                segment,
                false);
        service.addScope(
                scopes.get(2), "239.65.231.0-239.65.231.99", QUARANTINE_SECONDS, segment, true);
        long done = 0;
        for (int round = 0; done < operations; round++) {
            long now = Math.min(OPERATIONS_A_ROUND, operations - done);
            round(seed * 1_000_003 + round, now);
            done += now;
            model.requireNoCollision("seed " + seed + ", round " + round);
        }
        assertThat(model.granted()).as("leases that were granted").isGreaterThan(operations / 8);
    }

    private void round(long seed, long operations) throws Exception {
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                Client client = new Client(new Random(seed * CLIENTS + i), replicas.get(i % 2));
                long share = operations / CLIENTS + 1;
                clients.add(threads.submit(() -> client.work(share)));
            }
        }
        for (Future<?> client : clients) {
            client.get();
        }
    }

    /** One that leases, renews, releases and forgets. */
    private final class Client {

        private final Random random;
        private final LeaseService leases;
        private final List<Held> held = new ArrayList<>();

        Client(Random random, LeaseService leases) {
            this.random = random;
            this.leases = leases;
        }

        record Held(UUID id, String secret) {}

        void work(long operations) {
            for (long i = 0; i < operations; i++) {
                if (held.size() < 2 || (held.size() < 8 && random.nextInt(100) < 45)) {
                    grant();
                } else {
                    Held lease = held.remove(random.nextInt(held.size()));
                    int what = random.nextInt(100);
                    if (what < 60) {
                        note(lease.id(), leases.release(lease.id(), lease.secret()));
                    } else if (what < 90) {
                        renew(lease);
                    } // else it forgets the lease, which expires
                }
            }
            held.forEach(it -> note(it.id(), leases.release(it.id(), it.secret())));
        }

        private void renew(Held lease) {
            Duration duration = Duration.ofMillis(500 + random.nextInt(3000));
            RenewalOutcome outcome = leases.renew(lease.id(), lease.secret(), duration);
            note(lease.id(), outcome);
            if (outcome instanceof RenewalOutcome.Done) {
                held.add(lease);
            }
        }

        private void grant() {
            @Nullable String key = random.nextInt(4) == 0 ? UUID.randomUUID().toString() : null;
            GrantRequest request = request();
            GrantOutcome outcome = leases.grant(request, key);
            if (outcome instanceof GrantOutcome.Granted granted) {
                model.granted(granted.lease());
                held.add(new Held(granted.lease().id(), granted.secret()));
            } else {
                assertThat(outcome)
                        .isInstanceOfAny(
                                GrantOutcome.PoolExhausted.class,
                                GrantOutcome.StartsTooEarly.class);
            }
        }

        private GrantRequest request() {
            String scope = scopes.get(random.nextInt(scopes.size()));
            boolean shared = scope.equals(scopes.getLast());
            int count = 1 + random.nextInt(4);
            Shape shape =
                    switch (shared ? 0 : random.nextInt(10)) {
                        case 7 -> new Shape(count, Shape.Layout.BLOCK, 2, 1, 1, null);
                        case 8 -> new Shape(1, Shape.Layout.SEPARATE, 1, 0, count, null);
                        case 9 -> new Shape(1, Shape.Layout.RED_BLUE, 1, 0, 1, scopes.getLast());
                        default -> Shape.separate(random.nextInt(3) == 0 ? count : 1);
                    };
            Instant later =
                    random.nextInt(10) == 0
                            ? Instant.now().plusMillis(200 + random.nextInt(2000))
                            : null;
            Duration duration = Duration.ofMillis(300 + random.nextInt(4000));
            return new GrantRequest("model", null, null, Map.of(), scope, shape, duration, later);
        }

        private void note(UUID id, RenewalOutcome outcome) {
            switch (outcome) {
                case RenewalOutcome.Done done -> model.runsUntil(id, done.lease().expiresAt());
                case RenewalOutcome.Released released -> model.runsUntil(id, released.releasedAt());
                case RenewalOutcome.Ended ended -> model.requireEnded(id, ended.endedAt());
                case RenewalOutcome.Obstructed reserved -> {} // it runs as long as before
                case RenewalOutcome.NoSuchLease unknown -> throw new AssertionError(id);
                case RenewalOutcome.TooLong tooLong -> throw new AssertionError(id);
            }
        }
    }
}
