package org.madcast.allocator.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.scope.AddressPool;
import org.madcast.allocator.scope.PoolRange;
import org.madcast.allocator.scope.PortRange;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopePolicy;

class LeaseRulesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static final Instant EARLIER = NOW.minusSeconds(60);

    @Test
    void groupsAreBlockedUntilTheirQuarantineIsOver() {
        LeaseRules.Term term = LeaseRules.term(scope(), NOW, Duration.ofMinutes(10)).orElseThrow();
        assertThat(term.startsAt()).isEqualTo(NOW);
        assertThat(term.expiresAt()).isEqualTo("2026-01-01T12:10:00Z");
        assertThat(term.blockedUntil()).isEqualTo("2026-01-01T12:11:00Z");
    }

    /** The database keeps microseconds: an answer must not say more than it keeps. */
    @Test
    void aLaterStartIsAsItIsStored() {
        GrantRequest request =
                new GrantRequest(
                        "job",
                        null,
                        null,
                        Map.of(),
                        "s",
                        Shape.separate(1),
                        Duration.ofMinutes(1),
                        NOW.plusNanos(1_234_567));
        LeaseRules.Verdict verdict = LeaseRules.judge(request, Map.of("s", scope()), NOW);
        assertThat(verdict)
                .asInstanceOf(type(LeaseRules.Verdict.Allowed.class))
                .satisfies(it ->
                        assertThat(it.sources().getFirst().term().startsAt())
                                .isEqualTo(NOW.plusNanos(1_234_000)));
    }

    @Test
    void theScopeLimitsHowLongALeaseRuns() {
        assertThat(LeaseRules.term(scope(), NOW, Duration.ofHours(1))).isPresent();
        assertThat(LeaseRules.term(scope(), NOW, Duration.ofHours(1).plusSeconds(1))).isEmpty();
    }

    @Test
    void aLeaseIsOverTheInstantItExpires() {
        assertThat(LeaseRules.state(NOW, EARLIER, NOW.plusNanos(1), null))
                .isEqualTo(LeaseState.ACTIVE);
        assertThat(LeaseRules.state(NOW, EARLIER, NOW, null)).isEqualTo(LeaseState.EXPIRED);
        assertThat(LeaseRules.state(NOW, EARLIER, NOW.plusSeconds(9), NOW))
                .isEqualTo(LeaseState.RELEASED);
        assertThat(LeaseRules.state(NOW, EARLIER, NOW.minusSeconds(9), NOW.minusSeconds(20)))
                .isEqualTo(LeaseState.RELEASED);
    }

    private static Scope scope() {
        List<PoolRange> ranges = List.of(PoolRange.parse("239.192.9.0/28"));
        return new Scope(
                "s",
                "",
                List.of("239.192.9.0/28"),
                AddressPool.of(ranges, List.of(), false),
                new PortRange(5000, 5000, 1),
                1,
                "default",
                false,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                1,
                ScopePolicy.OPEN);
    }
}
