package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.ManyLeases;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.store.SqlTime;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Two transactions that each want two groups of one Ethernet address, in two layer-2 domains: in
 * the order of addresses each has what the other one wants. A third one keeps both waiting between
 * their groups, so that they meet.
 */
class GroupWaitTest {

    private final RunningService service = RunningService.shared();
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final TransactionTemplate transactions =
            new TransactionTemplate(service.part(PlatformTransactionManager.class));

    @Test
    void twoLayer2DomainsOfOneEthernetAddressMakeNoCircle() throws Exception {
        addScope("a1", "236.71.0.1", "red", 6000);
        addScope("a2", "237.71.0.1", "a", 6002);
        addScope("a3", "238.71.0.1", "blue", 6004);
        addScope("b1", "236.71.0.1", "blue", 7000);
        addScope("b2", "237.71.0.1", "b", 7002);
        addScope("b3", "238.71.0.1", "red", 7004);
        try (Connection third = service.part(DataSource.class).getConnection();
                Statement statement = third.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            third.setAutoCommit(false);
            CompletableFuture<List<Optional<GrantOutcome>>> first;
            CompletableFuture<List<Optional<GrantOutcome>>> second;
            try {
                takeBetween(statement);
                first = CompletableFuture.supplyAsync(() -> grant("a1", "a2", "a3"), threads);
                second = CompletableFuture.supplyAsync(() -> grant("b1", "b2", "b3"), threads);
                awaitTwoWaiting(first, second);
            } finally {
                third.rollback();
                third.setAutoCommit(true);
            }
            // PostgreSQL ends one of two that wait for each other, after a second.
            List<Optional<GrantOutcome>> one = first.get(20, TimeUnit.SECONDS);
            List<Optional<GrantOutcome>> other = second.get(20, TimeUnit.SECONDS);
            assertThat(Stream.of(one, other).filter(GroupWaitTest::isAllGranted)).hasSize(1);
        }
    }

    private static boolean isAllGranted(List<Optional<GrantOutcome>> outcomes) {
        return outcomes.stream().allMatch(it -> it.orElse(null) instanceof GrantOutcome.Granted);
    }

    /** As a batch does, but not tried again when the database ends it. */
    private List<Optional<GrantOutcome>> grant(String... scopes) {
        List<GrantRequest> requests =
                Stream.of(scopes)
                        .map(it ->
                                new GrantRequest(
                                        "wait",
                                        null,
                                        null,
                                        Map.of(),
                                        it + "-" + suffix,
                                        Shape.separate(1),
                                        Duration.ofMinutes(5),
                                        null))
                        .toList();
        return transactions.execute(status ->
                service.part(ManyLeases.class)
                        .grant(requests, service.part(SqlTime.class).beginByIndex()));
    }

    private void takeBetween(Statement statement) throws Exception {
        statement.execute(
                """
                with new as (
                    insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                        expires_at)
                    values (gen_random_uuid(), 'default', 'between', repeat('0', 64), now(),
                        now(), now() + interval '1 min') returning id)
                insert into lease_group (lease_id, ordinal, scope, address, port, whole_address,
                    segment, blocked)
                select id, 0, 'default', '237.71.0.1', 6000, true, 'between',
                    tstzrange(now(), now() + interval '1 min') from new
                """);
    }

    private void awaitTwoWaiting(CompletableFuture<?>... who) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (waiting() < 2) {
            assertThat(who).allSatisfy(it -> assertThat(it).isNotDone());
            assertThat(System.nanoTime()).as("nobody waits").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private long waiting() {
        return service.jdbc()
                .sql(
                        """
                        select count(distinct pid) from pg_locks
                        where not granted and locktype in ('transactionid', 'advisory')
                        """)
                .query(Long.class)
                .single();
    }

    private void addScope(String name, String address, String segment, int port) {
        service.jdbc()
                .sql(
                        """
                        insert into scope (name, ranges, port_first, port_last, quarantine_seconds,
                            segment, allow_unscoped)
                        values (?, array[?], ?, ?, 0, ?, true)
                        """)
                .params(
                        name + "-" + suffix,
                        address + "-" + address,
                        port,
                        port,
                        segment + "-" + suffix)
                .update();
    }
}
