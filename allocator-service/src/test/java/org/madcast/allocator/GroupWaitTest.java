package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions with several groups each, which others want at the same time, and a third one that
 * keeps them waiting in the middle of their groups, so that they meet. None may wait for one that
 * waits for it.
 */
class GroupWaitTest {

    private final RunningService service = RunningService.shared();
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final TransactionTemplate transactions =
            new TransactionTemplate(service.part(PlatformTransactionManager.class));

    /** In the order of addresses each has what the other one wants. */
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
            CompletableFuture<List<GrantOutcome>> first;
            CompletableFuture<List<GrantOutcome>> second;
            try {
                take(statement, "237.71.0.1", Duration.ZERO);
                first = CompletableFuture.supplyAsync(() -> grant("a1", "a2", "a3"), threads);
                second = CompletableFuture.supplyAsync(() -> grant("b1", "b2", "b3"), threads);
                awaitWaiting(2, first, second);
            } finally {
                third.rollback();
                third.setAutoCommit(true);
            }
            // PostgreSQL ends one of two that wait for each other, after a second.
            List<GrantOutcome> one = first.get(20, TimeUnit.SECONDS);
            List<GrantOutcome> other = second.get(20, TimeUnit.SECONDS);
            assertThat(Stream.of(one, other).filter(GroupWaitTest::isAllGranted)).hasSize(1);
        }
    }

    /** Nobody waits for a slot of the one scope with groups of the other. */
    @Test
    void whoWaitsForABlueSlotIsNotWaitedForBecauseOfARedGroup() throws Exception {
        addScope("red", "236.72.0.1", "colours", 5000);
        addScope("blue", "236.72.1.1", "colours", 5000);
        LeaseService leases = service.part(LeaseService.class);
        // The only slot of either is there, and free.
        for (String name : List.of("red", "blue")) {
            Granted once =
                    granted(
                            leases.grant(
                                    Requester.WITHOUT_TOKEN,
                                    request(name, Shape.separate(1), null),
                                    null));
            leases.release(Requester.WITHOUT_TOKEN, once.lease().id(), once.secret());
        }
        try (Connection third = service.part(DataSource.class).getConnection();
                Statement statement = third.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            third.setAutoCommit(false);
            CompletableFuture<GrantOutcome> pair;
            try {
                statement.execute(
                        "select from slot where scope = 'blue-%s' for update".formatted(suffix));
                pair = CompletableFuture.supplyAsync(this::grantRedAndBlue, threads);
                awaitWaiting(1, pair);
                take(statement, "236.72.0.1", Duration.ZERO);
            } finally {
                third.rollback();
                third.setAutoCommit(true);
            }
            assertThat(granted(pair.get(20, TimeUnit.SECONDS)).lease().groups()).hasSize(2);
        }
    }

    private GrantOutcome grantRedAndBlue() {
        Shape shape = new Shape(1, Shape.Layout.RED_BLUE, 1, 0, 1, "blue-" + suffix);
        return Objects.requireNonNull(
                transactions.execute(status ->
                        service.part(LeaseService.class)
                                .grant(
                                        Requester.WITHOUT_TOKEN,
                                        request("red", shape, null),
                                        null)));
    }

    /** Who renews comes from the other end. */
    @Test
    void aRenewalAndALaterLeaseOfTheSameGroupsMakeNoCircle() throws Exception {
        addScope("later", "236.73.0.1-236.73.0.3", "later", 5000);
        LeaseService leases = service.part(LeaseService.class);
        Lease lease =
                granted(
                                leases.grant(
                                        Requester.WITHOUT_TOKEN,
                                        request("later", Shape.separate(3), null),
                                        null))
                        .lease();
        turnRound(lease);
        try (Connection third = service.part(DataSource.class).getConnection();
                Statement statement = third.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            third.setAutoCommit(false);
            CompletableFuture<GrantOutcome> later;
            CompletableFuture<RenewalOutcome> renewal;
            try {
                take(statement, "236.73.0.2", Duration.ofMinutes(6));
                later = CompletableFuture.supplyAsync(() -> grantAfter(lease), threads);
                awaitWaiting(1, later);
                renewal = CompletableFuture.supplyAsync(() -> renew(lease), threads);
                awaitWaiting(2, later, renewal);
            } finally {
                third.rollback();
                third.setAutoCommit(true);
            }
            granted(later.get(20, TimeUnit.SECONDS));
            assertThat(renewal.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(RenewalOutcome.Obstructed.class);
        }
    }

    /** By a clock that has gone back since, and so is not over for who renews. */
    @Test
    void aGroupThatIsGivenUpWhileItsLeaseIsRenewedIsKept() throws Exception {
        addScope("kept", "236.74.0.1", "kept", 5000);
        LeaseService leases = service.part(LeaseService.class);
        Lease lease =
                granted(
                                leases.grant(
                                        Requester.WITHOUT_TOKEN,
                                        request("kept", Shape.separate(1), null),
                                        null))
                        .lease();
        try (Connection third = service.part(DataSource.class).getConnection();
                Statement statement = third.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            third.setAutoCommit(false);
            CompletableFuture<RenewalOutcome> renewal;
            try {
                statement.execute(
                        "update lease_group set settled = true where lease_id = '%s'"
                                .formatted(lease.id()));
                renewal = CompletableFuture.supplyAsync(() -> renew(lease), threads);
                awaitWaiting(1, renewal);
                third.commit();
            } finally {
                third.rollback();
                third.setAutoCommit(true);
            }
            assertThat(renewal.get(20, TimeUnit.SECONDS)).isInstanceOf(RenewalOutcome.Done.class);
        }
        assertThat(
                        service.jdbc()
                                .sql("select settled from lease_group where lease_id = ?")
                                .param(lease.id())
                                .query(Boolean.class)
                                .single())
                .isFalse();
    }

    private GrantOutcome grantAfter(Lease lease) {
        GrantRequest request = request("later", Shape.separate(3), lease.expiresAt());
        return Objects.requireNonNull(
                transactions.execute(status ->
                        service.part(LeaseService.class)
                                .grant(Requester.WITHOUT_TOKEN, request, null)));
    }

    private RenewalOutcome renew(Lease lease) {
        return Objects.requireNonNull(
                transactions.execute(status ->
                        service.part(LeaseService.class)
                                .renewHeld(lease.id(), Duration.ofMinutes(10))));
    }

    /** The database meets a lease's groups in no order that we choose; here in this one. */
    private void turnRound(Lease lease) {
        service.jdbc()
                .sql("update lease_group set ordinal = 10 - ordinal where lease_id = ?")
                .param(lease.id())
                .update();
    }

    private static Granted granted(GrantOutcome outcome) {
        return assertThat(outcome).asInstanceOf(type(Granted.class)).actual();
    }

    private static boolean isAllGranted(List<GrantOutcome> outcomes) {
        return outcomes.stream().allMatch(it -> it instanceof Granted);
    }

    /** As a batch does, but not tried again when the database ends it. */
    private List<GrantOutcome> grant(String... scopes) {
        List<GrantRequest> requests =
                Stream.of(scopes).map(it -> request(it, Shape.separate(1), null)).toList();
        return transactions.execute(status ->
                service.part(LeaseService.class)
                        .grantAll(requests, service.part(SqlTime.class).beginByIndex()));
    }

    private GrantRequest request(String scope, Shape shape, @Nullable Instant startsAt) {
        return new GrantRequest(
                "wait",
                null,
                null,
                Map.of(),
                scope + "-" + suffix,
                shape,
                Duration.ofMinutes(5),
                startsAt);
    }

    private static void take(Statement statement, String address, Duration in) throws Exception {
        statement.execute(
                """
                with new as (
                    insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                        expires_at)
                    values (gen_random_uuid(), 'default', 'between', repeat('0', 64), now(),
                        now(), now() + interval '1 min') returning id)
                insert into lease_group (lease_id, ordinal, scope, address, port, whole_address,
                    segment, blocked)
                select id, 0, 'default', '%s', 6000, true, 'between',
                    tstzrange(now() + interval '%d s', now() + interval '%d s') from new
                """
                        .formatted(address, in.toSeconds(), in.toSeconds() + 60));
    }

    private void awaitWaiting(int count, CompletableFuture<?>... who) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (waiting() < count) {
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
                        address.contains("-") ? address : address + "-" + address,
                        port,
                        port,
                        segment + "-" + suffix)
                .update();
    }
}
