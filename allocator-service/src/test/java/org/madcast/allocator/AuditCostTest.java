package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.SqlTime;

/** What recording costs: one statement for a batch of any size. */
class AuditCostTest {

    private final RunningService service = RunningService.shared();

    private static long audits(List<String> statements) {
        return statements.stream().filter(it -> it.contains("insert into audit")).count();
    }

    @Test
    void aBatchOfReleasesIsRecordedByOneStatement() {
        LeaseService leases = service.part(LeaseService.class);
        RetryingTransaction transaction = service.part(RetryingTransaction.class);
        String scope = service.addScope(200, 0);
        List<GrantRequest> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(
                    new GrantRequest(
                            RunningService.newJob(),
                            null,
                            null,
                            Map.of(),
                            scope,
                            1,
                            Duration.ofMinutes(1)));
        }
        List<UUID> ids = new ArrayList<>();
        transaction.call(() -> {
            Instant now = service.part(SqlTime.class).beginByIndex();
            leases.grantAll(requests, now)
                    .forEach(it -> ids.add(((GrantOutcome.Granted) it).lease().id()));
            return ids.size();
        });
        Map<UUID, Actor> by = new java.util.HashMap<>();
        ids.forEach(it -> by.put(it, Actor.SERVICE));
        List<String> sent =
                SentStatements.of(() ->
                        transaction.call(() -> {
                            leases.releaseAll(ids, by, service.part(SqlTime.class).beginByIndex());
                            return true;
                        }));
        assertThat(audits(sent)).isEqualTo(1);
        assertThat(sent).as("begin, release, record").hasSize(3);
        long recorded =
                service.jdbc()
                        .sql("select count(*) from audit where lease = any(?::uuid[])")
                        .param(ids.stream().map(UUID::toString).toArray(String[]::new))
                        .query(Long.class)
                        .single();
        assertThat(recorded).isEqualTo(100);
    }

    @Test
    void aGrantIsRecordedByOneStatementMore() {
        LeaseService leases = service.part(LeaseService.class);
        String scope = service.addScope(40, 0);
        GrantRequest wish =
                new GrantRequest(
                        RunningService.newJob(),
                        null,
                        null,
                        Map.of(),
                        scope,
                        4,
                        Duration.ofMinutes(1));
        RetryingTransaction transaction = service.part(RetryingTransaction.class);
        Runnable unrecordedGrant =
                () ->
                        transaction.call(() ->
                                leases.grantAll(
                                        List.of(wish), service.part(SqlTime.class).beginByIndex()));
        unrecordedGrant.run(); // deals the pool out
        List<String> unrecorded = SentStatements.of(unrecordedGrant);
        List<String> recorded =
                SentStatements.of(() ->
                        transaction.call(() ->
                                leases.grant(
                                        org.madcast.allocator.web.Requester.WITHOUT_TOKEN,
                                        wish,
                                        null)));
        assertThat(audits(unrecorded)).isZero();
        assertThat(audits(recorded)).isEqualTo(1);
        assertThat(recorded).hasSize(unrecorded.size() + 1);
    }
}
