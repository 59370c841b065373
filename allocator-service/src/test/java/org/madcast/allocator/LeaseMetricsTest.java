package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the counters say of leases is what became of them. */
class LeaseMetricsTest {

    private static final String GRANTS = "madcast.lease.grants";
    private static final String REFUSALS = "madcast.lease.refusals";

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void aReusedKeyMakesNoLabelOfWhatItsRequestSays() {
        String key = UUID.randomUUID().toString();
        assertThat(grant("default", key).status()).isEqualTo(201);
        double before = reused("unknown");
        String invented = "made-up-" + UUID.randomUUID().toString().substring(0, 8);
        assertThat(grant(invented, key).problem()).isEqualTo("idempotency-key-reused");
        assertThat(reused(invented)).isZero();
        assertThat(reused("unknown")).isEqualTo(before + 1);
    }

    private double reused(String scope) {
        return service.metric(REFUSALS, "scope", scope, "reason", "idempotency-key-reused");
    }

    @Test
    void aRepeatedRequestIsNoSecondGrant() throws Exception {
        String scope = service.addScope(8, 0);
        String key = UUID.randomUUID().toString();
        List<Callable<Answer>> repeated = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            repeated.add(() -> grant(scope, key));
        }
        assertThat(together(repeated)).allMatch(it -> it.status() == 201);
        assertThat(grant(scope, key).status()).isEqualTo(201);
        assertThat(service.metric(GRANTS, "scope", scope)).isEqualTo(1);
    }

    @Test
    void grantsOfManyAtOnceAreCountedOnceEach() throws Exception {
        String scope = service.addScope(20, 0);
        List<Callable<Answer>> grants = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            grants.add(() -> grant(scope, UUID.randomUUID().toString()));
        }
        assertThat(together(grants).stream().filter(it -> it.status() == 201)).hasSize(20);
        assertThat(service.metric(GRANTS, "scope", scope)).isEqualTo(20);
        assertThat(service.metric(REFUSALS, "scope", scope, "reason", "pool-exhausted"))
                .isEqualTo(10);
    }

    @Test
    void whatIsTakenBackWasNotGranted() {
        String scope = service.addScope(8, 0);
        grantWithin(scope, true);
        assertThat(service.metric(GRANTS, "scope", scope)).isZero();
        grantWithin(scope, false);
        assertThat(service.metric(GRANTS, "scope", scope)).isEqualTo(2);
    }

    /** One alone and one of a batch, both in one transaction. */
    private void grantWithin(String scope, boolean takenBack) {
        new TransactionTemplate(service.part(PlatformTransactionManager.class))
                .executeWithoutResult(begun -> {
                    LeaseService leases = service.part(LeaseService.class);
                    assertThat(leases.grant(Requester.WITHOUT_TOKEN, request(scope), null))
                            .isInstanceOf(GrantOutcome.Granted.class);
                    Instant now = service.part(SqlTime.class).beginByIndex();
                    assertThat(leases.grantAll(List.of(request(scope)), now).getFirst())
                            .isInstanceOf(GrantOutcome.Granted.class);
                    if (takenBack) {
                        begun.setRollbackOnly();
                    }
                });
    }

    /** In one batch one is granted and one refused, and each is counted once. */
    @Test
    void whatABatchRefusesIsCountedOnce() {
        String scope = service.addScope(1, 0);
        new TransactionTemplate(service.part(PlatformTransactionManager.class))
                .executeWithoutResult(begun -> {
                    Instant now = service.part(SqlTime.class).beginByIndex();
                    service.part(LeaseService.class)
                            .grantAll(List.of(request(scope), request(scope)), now);
                });
        assertThat(service.metric(GRANTS, "scope", scope)).isEqualTo(1);
        assertThat(service.metric(REFUSALS, "scope", scope, "reason", "pool-exhausted"))
                .isEqualTo(1);
    }

    private static GrantRequest request(String scope) {
        return new GrantRequest(
                "metrics",
                null,
                null,
                Map.of(),
                scope,
                Shape.whole(1),
                Duration.ofMinutes(1),
                null);
    }

    private Answer grant(String scope, String key) {
        return rest.post(
                "/v1/leases",
                "{\"job\":\"metrics\",\"scope\":\"%s\"}".formatted(scope),
                "Idempotency-Key",
                key);
    }

    private static List<Answer> together(List<Callable<Answer>> calls) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            List<Answer> answers = new ArrayList<>();
            for (var answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }
}
