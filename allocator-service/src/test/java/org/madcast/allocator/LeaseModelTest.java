package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.LeaseModel.Stored;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many clients of two replicas, which know of each other by the database only, do random things at
 * a time, in scopes that overlap in every way; a model that knows nothing but the answers says
 * whether two leases ever had one Ethernet address, or one address and port, at one time, and
 * whether the database has what was promised and nothing else.
 *
 * <p>A seed repeats what each client asks for ({@code -Dmadcast.seed=N}); {@code -Dmadcast.dense=N}
 * and {@code -Dmadcast.operations=N} say how much is done; how they interleave is the machine's
 * doing, so a failure prints the leases too.
 */
class LeaseModelTest {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseModelTest.class);
    private static final int OPERATIONS_A_ROUND = 50_000;
    private static final Duration QUARANTINE = Duration.ofSeconds(1);

    private final RunningService service = replica();
    private final RunningService other = replica();
    private final List<LeaseService> replicas =
            List.of(service.part(LeaseService.class), other.part(LeaseService.class));
    private final String segment = RunningService.newJob();
    private final String suffix = segment.substring(4, 10);

    /** The last one rests its groups no time, and is in a layer-2 domain of its own. */
    private final List<String> scopes =
            List.of("m1-" + suffix, "m2-" + suffix, "m3-" + suffix, "m4-" + suffix);

    private final String shared = scopes.get(2);
    private final LeaseModel model =
            new LeaseModel(
                    new LeaseModel.Domains(
                            Map.of(
                                    scopes.get(0), QUARANTINE,
                                    scopes.get(1), QUARANTINE,
                                    scopes.get(2), QUARANTINE,
                                    scopes.get(3), Duration.ZERO),
                            "239.67.",
                            "239.65."));

    /** One whose clients wait for a connection as long as it takes on a busy machine. */
    private static RunningService replica() {
        return RunningService.replica(
                "--madcast.lease.retention=5m",
                "--spring.datasource.hikari.connection-timeout=60000");
    }

    @AfterEach
    void end() {
        other.close();
        service.close();
    }

    @Test
    void noTwoLeasesCollide() throws Exception {
        addScopes(
                "239.193.230.0-239.193.230.199",
                "239.193.230.100-239.193.231.43",
                "239.65.231.0-239.65.231.99",
                "239.67.230.0-239.67.230.99");
        run(new Mix(48, 60, 30, 15, Duration.ofMillis(300)), Long.getLong("madcast.dense", 4_000));
    }

    /**
     * Mostly what is usual, which is decided many at a time: so that so many can be done. The last
     * pool is too small for what its clients would have.
     */
    @Test
    @Tag("slow")
    void noTwoLeasesCollideInTenMillionOperations() throws Exception {
        addScopes(
                "239.193.100.0-239.193.115.255",
                "239.193.114.0-239.193.129.255",
                "239.65.128.0-239.65.139.255",
                "239.67.120.0-239.67.120.255");
        run(
                new Mix(512, 92, 4, 2, Duration.ofSeconds(2)),
                Long.getLong("madcast.operations", 10_000_000));
    }

    /**
     * The second shares half of its addresses with the first; the third has other addresses that
     * are the same on Ethernet, and shares them by port.
     */
    private void addScopes(String first, String second, String byPort, String alone) {
        int rest = (int) QUARANTINE.toSeconds();
        service.addScope(scopes.get(0), first, rest, segment, false);
        service.addScope(scopes.get(1), second, rest, segment, false);
        service.addScope(scopes.get(2), byPort, rest, segment, true);
        service.addScope(scopes.get(3), alone, 0, segment + "-alone", false);
    }

    /**
     * Who does what.
     *
     * @param clients how many
     * @param releases how many of a hundred changes of leases are releases
     * @param renewals how many are renewals; of the rest nobody thinks again, and they expire
     * @param unusual how many of a hundred grants are no separate groups from now on
     * @param brief what the shortest lease lasts; the longest lasts fifteen times that
     */
    private record Mix(int clients, int releases, int renewals, int unusual, Duration brief) {}

    private void run(Mix mix, long operations) throws Exception {
        long seed = Long.getLong("madcast.seed", 1);
        long deadlocks = deadlocks();
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < mix.clients(); i++) {
            clients.add(new Client(new Random(seed * 1_000_003 + i), replicas.get(i % 2), mix));
        }
        long done = 0;
        for (int round = 0; done < operations; round++) {
            long share = Math.min(OPERATIONS_A_ROUND, operations - done) / mix.clients() + 1;
            round(clients, share);
            done += share * mix.clients();
            check("seed " + seed + ", round " + round);
            assertThat(deadlocks()).as(this::lastDeadlock).isEqualTo(deadlocks);
            LOG.info("{} operations, {}", done, model);
        }
        assertThat(model.granted()).as("leases that were granted").isGreaterThan(operations / 8);
    }

    private static void round(List<Client> clients, long share) throws Exception {
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.forEach(it -> work.add(threads.submit(() -> it.work(share))));
        }
        for (Future<?> each : work) {
            each.get();
        }
    }

    /** How many circles of transactions that wait for each other the database has met. */
    private long deadlocks() {
        return service.jdbc()
                .sql("select deadlocks from pg_stat_database where datname = current_database()")
                .query(Long.class)
                .single();
    }

    /** What the database has written about the last of them: who waited where, for whom. */
    private String lastDeadlock() {
        String directory = service.jdbc().sql("show data_directory").query(String.class).single();
        try (Stream<String> lines =
                Files.lines(Path.of(directory).resolveSibling("postgres.log"))) {
            String all = lines.collect(Collectors.joining("\n"));
            int from = Math.max(all.lastIndexOf("ERROR:  deadlock detected"), 0);
            return all.substring(from, Math.min(from + 6_000, all.length()));
        } catch (IOException e) {
            return "a deadlock; the database's log cannot be read: " + e;
        }
    }

    private void check(String context) {
        model.requireNoCollision(context);
        Map<UUID, Stored> stored = new HashMap<>();
        Instant now = stored(stored);
        model.requireKept(now, stored, context);
        model.forget(now.minusSeconds(60));
    }

    /** Reads what the database has that has not ended, and tells when that was, by its clock. */
    private Instant stored(Map<UUID, Stored> stored) {
        List<Instant> now = new ArrayList<>();
        service.jdbc()
                .sql(
                        """
                        select now() as at, l.id, l.expires_at,
                            host(g.address) || ':' || ports.each as place
                        from (select now() as at) clock
                        left join lease l on l.scope = any(:scopes) and l.released_at is null
                            and l.expires_at > now()
                        left join lease_group g on g.lease_id = l.id
                        left join lateral generate_series(g.port, g.port + g.port_count - 1)
                            as ports (each) on true
                        """)
                .param("scopes", scopes.toArray(String[]::new))
                .query((row, index) -> {
                    now.add(SqlTime.get(row, "at"));
                    UUID id = row.getObject("id", UUID.class);
                    if (id != null) {
                        Instant expiresAt = SqlTime.get(row, "expires_at");
                        stored.computeIfAbsent(id, it -> new Stored(expiresAt, new HashSet<>()))
                                .groups()
                                .add(row.getString("place"));
                    }
                    return index;
                })
                .list();
        return now.getFirst();
    }

    /** One that leases, renews, releases and forgets. */
    private final class Client {

        private final Random random;
        private final LeaseService leases;
        private final Mix mix;
        private final List<Held> held = new ArrayList<>();

        Client(Random random, LeaseService leases, Mix mix) {
            this.random = random;
            this.leases = leases;
            this.mix = mix;
        }

        record Held(UUID id, String secret) {}

        void work(long operations) {
            for (long i = 0; i < operations; i++) {
                if (held.isEmpty() || (held.size() < 5 && random.nextInt(100) < 50)) {
                    grant();
                } else {
                    Held lease = held.remove(random.nextInt(held.size()));
                    int what = random.nextInt(100);
                    if (what < mix.releases()) {
                        note(
                                lease.id(),
                                leases.release(
                                        Requester.WITHOUT_TOKEN, lease.id(), lease.secret()));
                    } else if (what < mix.releases() + mix.renewals()) {
                        renew(lease);
                    } // else it forgets the lease, which expires
                }
            }
        }

        private void renew(Held lease) {
            RenewalOutcome outcome =
                    leases.renew(Requester.WITHOUT_TOKEN, lease.id(), lease.secret(), duration());
            note(lease.id(), outcome);
            if (outcome instanceof RenewalOutcome.Done) {
                held.add(lease);
            }
        }

        private void grant() {
            @Nullable String key = random.nextInt(4) == 0 ? UUID.randomUUID().toString() : null;
            GrantRequest request = request();
            GrantOutcome outcome = leases.grant(Requester.WITHOUT_TOKEN, request, key);
            if (outcome instanceof GrantOutcome.Granted granted) {
                model.granted(granted.lease());
                held.add(new Held(granted.lease().id(), granted.secret()));
            } else {
                model.refused();
                assertThat(outcome)
                        .isInstanceOfAny(
                                GrantOutcome.PoolExhausted.class,
                                GrantOutcome.StartsTooEarly.class);
            }
        }

        private GrantRequest request() {
            String scope = scopes.get(random.nextInt(scopes.size()));
            boolean plain = scope.equals(shared) || scope.equals(scopes.getLast());
            int count = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
            boolean unusual = random.nextInt(100) < mix.unusual();
            Shape shape =
                    switch (unusual && !plain ? random.nextInt(4) : 0) {
                        case 1 -> new Shape(count, Shape.Layout.BLOCK, 2, 1, 1, null);
                        case 2 -> new Shape(1, Shape.Layout.SEPARATE, 1, 0, count, null);
                        case 3 -> new Shape(1, Shape.Layout.RED_BLUE, 1, 0, 1, shared);
                        default -> Shape.separate(count);
                    };
            Instant later =
                    unusual && random.nextInt(3) == 0
                            ? Instant.now().plusMillis(200 + random.nextInt(2000))
                            : null;
            return new GrantRequest("model", null, null, Map.of(), scope, shape, duration(), later);
        }

        private Duration duration() {
            return mix.brief().multipliedBy(10 + random.nextInt(140)).dividedBy(10);
        }

        private void note(UUID id, RenewalOutcome outcome) {
            switch (outcome) {
                case RenewalOutcome.Done done -> model.renewed(id, done.expiresAt());
                case RenewalOutcome.Released done -> model.released(id, done.releasedAt());
                case RenewalOutcome.Ended ended -> model.requireEnded(id, ended.endedAt());
                case RenewalOutcome.Obstructed reserved -> {} // it runs as long as before
                case RenewalOutcome.NoSuchLease unknown -> throw new AssertionError(id);
                case RenewalOutcome.Foreign foreign -> throw new AssertionError(id);
                case RenewalOutcome.TooLong tooLong -> throw new AssertionError(id);
            }
        }
    }
}
