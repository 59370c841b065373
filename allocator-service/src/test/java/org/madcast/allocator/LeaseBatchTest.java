package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.store.SqlTime;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Requests of every kind in one batch are decided as each alone would be. */
class LeaseBatchTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RunningService service = RunningService.shared();
    private final TransactionTemplate transactions =
            new TransactionTemplate(service.part(PlatformTransactionManager.class));

    @Test
    void everyShapeIsGrantedBesideTheOthers() {
        String scope = service.addScope(128, 60);
        String blue = service.addScope(2, 60);
        Instant later = Instant.now().plusSeconds(600);
        List<GrantOutcome> outcomes =
                grant(
                        request("a", scope, Shape.separate(3), null),
                        request("b", scope, block(4), null),
                        request("c", scope, pairs(2, blue), null),
                        request("d", scope, Shape.separate(1), later),
                        request("e", scope, block(8), null),
                        request(
                                "f",
                                scope,
                                new Shape(1, Shape.Layout.SEPARATE, 1, 0, 5, null),
                                null));
        assertThat(outcomes).allMatch(it -> it instanceof Granted);
        assertThat(addresses(outcomes)).hasSize(3 + 4 + 4 + 1 + 8 + 1).doesNotHaveDuplicates();
        assertThat(((Granted) outcomes.get(3)).lease().state()).isEqualTo(LeaseState.SCHEDULED);
        assertThat(((Granted) outcomes.get(5)).lease().groups()).hasSize(5);
    }

    @Test
    void whatFindsNoRoomIsRefusedWithoutHarmToTheOthers() {
        String scope = service.addScope(4, 60);
        String blue = service.addScope(1, 60);
        List<GrantOutcome> outcomes =
                grant(
                        request("a", scope, Shape.separate(1), null),
                        request("b", scope, pairs(2, blue), null),
                        request("c", scope, Shape.separate(5), null),
                        request("d", scope, Shape.separate(3), null));
        assertThat(outcomes.get(0)).isInstanceOf(Granted.class);
        assertThat(((GrantOutcome.PoolExhausted) outcomes.get(1)).scope()).isEqualTo(blue);
        assertThat(outcomes.get(2)).isInstanceOf(GrantOutcome.PoolExhausted.class);
        assertThat(outcomes.get(3)).isInstanceOf(Granted.class);
        assertThat(grant(request("e", blue, Shape.separate(1), null)).getFirst())
                .as("the slot of the pair that was refused")
                .isInstanceOf(Granted.class);
    }

    @Test
    void aQuotaCountsWhatTheBatchGrants() {
        String scope = service.addScope(8, 60);
        service.jdbc()
                .sql("update scope set groups_per_job = 2 where name = ?")
                .param(scope)
                .update();
        List<GrantOutcome> outcomes =
                grant(
                        request("one", scope, Shape.separate(1), null),
                        request("one", scope, Shape.separate(1), null),
                        request("one", scope, Shape.separate(1), null),
                        request("other", scope, Shape.separate(2), null));
        assertThat(outcomes.subList(0, 2)).allMatch(it -> it instanceof Granted);
        assertThat(outcomes.get(2)).isEqualTo(new GrantOutcome.QuotaExceeded(scope, "job", 2, 2));
        assertThat(outcomes.get(3)).isInstanceOf(Granted.class);
    }

    @Test
    void whatIsRefusedForItsTimesTakesNothingOfAQuota() {
        String scope = service.addScope(8, 60);
        service.jdbc()
                .sql("update scope set groups_per_job = 1 where name = ?")
                .param(scope)
                .update();
        List<GrantOutcome> outcomes =
                grant(
                        request("one", scope, Shape.separate(1), Instant.EPOCH),
                        request("one", scope, Shape.separate(1), null),
                        request("one", scope, Shape.separate(1), Instant.EPOCH));
        assertThat(outcomes.get(0)).isInstanceOf(GrantOutcome.StartsTooEarly.class);
        assertThat(outcomes.get(1)).isInstanceOf(Granted.class);
        assertThat(outcomes.get(2)).isEqualTo(new GrantOutcome.QuotaExceeded(scope, "job", 1, 1));
    }

    /** Of the first scope all but one address is leased from the second, which overlaps it. */
    @Test
    void slotsThatAnotherScopeObstructsArePassedOver() {
        String segment = RunningService.newJob();
        String suffix = segment.substring(4, 12);
        service.addScope("o1-" + suffix, "239.121.87.0-239.121.87.7", 60, segment, false);
        service.addScope("o2-" + suffix, "239.121.87.0-239.121.87.4", 60, segment, false);
        assertThat(grant(request("a", "o2-" + suffix, Shape.separate(5), null)).getFirst())
                .isInstanceOf(Granted.class);
        List<GrantOutcome> outcomes =
                grant(
                        request("b", "o1-" + suffix, Shape.separate(1), null),
                        request("c", "o1-" + suffix, Shape.separate(1), null),
                        request("d", "o1-" + suffix, Shape.separate(1), null),
                        request("e", "o1-" + suffix, Shape.separate(1), null));
        assertThat(outcomes.stream().filter(it -> it instanceof Granted)).hasSize(3);
        assertThat(outcomes.stream().filter(it -> it instanceof GrantOutcome.PoolExhausted))
                .hasSize(1);
        assertThat(addresses(outcomes))
                .containsExactlyInAnyOrder("239.121.87.5", "239.121.87.6", "239.121.87.7");
    }

    @Test
    void renewalsOfManyAreDecidedEachByItsOwnLease() {
        String scope = service.addScope(4, 60);
        List<GrantOutcome> granted =
                grant(
                        request("a", scope, Shape.separate(1), null),
                        request("b", scope, Shape.separate(1), null));
        UUID running = ((Granted) granted.getFirst()).lease().id();
        UUID ended = ((Granted) granted.getLast()).lease().id();
        LeaseService leases = service.part(LeaseService.class);
        assertThat(leases.releaseHeld(ended)).isInstanceOf(RenewalOutcome.Released.class);
        Map<UUID, RenewalOutcome> outcomes =
                transactions.execute(status ->
                        leases.renewAll(
                                Map.of(running, MINUTE, ended, MINUTE),
                                service.part(SqlTime.class).beginByIndex()));
        assertThat(Objects.requireNonNull(outcomes).get(running))
                .isInstanceOf(RenewalOutcome.Done.class);
        assertThat(outcomes.get(ended)).isInstanceOf(RenewalOutcome.Ended.class);
    }

    private List<GrantOutcome> grant(GrantRequest... requests) {
        return Objects.requireNonNull(
                transactions.execute(status ->
                        service.part(LeaseService.class)
                                .grantAll(
                                        List.of(requests),
                                        service.part(SqlTime.class).beginByIndex())));
    }

    private static Shape block(int addresses) {
        return new Shape(addresses, Shape.Layout.BLOCK, addresses, 0, 1, null);
    }

    private static Shape pairs(int count, String blue) {
        return new Shape(count, Shape.Layout.RED_BLUE, 1, 0, 1, blue);
    }

    private static GrantRequest request(
            String job, String scope, Shape shape, @Nullable Instant startsAt) {
        return new GrantRequest(job, null, null, Map.of(), scope, shape, MINUTE, startsAt);
    }

    /** Each address once for each lease that has it. */
    private static List<String> addresses(List<GrantOutcome> outcomes) {
        List<String> addresses = new ArrayList<>();
        for (GrantOutcome outcome : outcomes) {
            if (outcome instanceof Granted granted) {
                granted.lease().groups().stream()
                        .map(LeasedGroup::address)
                        .distinct()
                        .forEach(addresses::add);
            }
        }
        return addresses;
    }
}
