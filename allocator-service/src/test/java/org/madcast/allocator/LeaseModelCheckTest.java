package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.allocator.LeaseModel.Stored;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.scope.LeasedGroup;

/** The model by which leases are judged sees what it is there for. */
class LeaseModelCheckTest {

    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");

    private final LeaseModel model =
            new LeaseModel(
                    new LeaseModel.Domains(
                            Map.of("s", Duration.ofSeconds(2), "alone", Duration.ZERO),
                            "239.67.",
                            "239.65."));

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "one address for two, 239.193.1.1, 239.193.1.1, 6001, 9",
        "one Ethernet address for two, 239.193.1.1, 239.65.1.1, 6000, 9",
        "a group that has not rested, 239.193.1.1, 239.193.1.1, 6000, 11",
        "one port for two where addresses are shared, 239.65.1.1, 239.65.1.1, 6000, 5"
    })
    void whatCollides(String what, String leased, String address, int port, int from) {
        granted("s", leased, 6000, 0, 10);
        granted("s", address, port, from, 20);
        assertCollision();
    }

    @Test
    void aLongLeaseAcrossManyShortOnes() {
        granted("s", "239.193.1.1", 6000, 0, 100);
        granted("s", "239.193.1.2", 6000, 0, 10);
        granted("s", "239.193.1.2", 6000, 20, 30);
        granted("s", "239.193.1.1", 6000, 90, 95);
        assertCollision();
    }

    @Test
    void aRenewalIntoALaterLease() {
        Lease first = granted("s", "239.193.1.1", 6000, 0, 10);
        granted("s", "239.193.1.1", 6000, 12, 20);
        assertApart();
        model.renewed(first.id(), T.plusSeconds(11));
        assertCollision();
    }

    @Test
    void whatIsApart() {
        Lease first = granted("s", "239.193.1.1", 6000, 0, 10);
        model.released(first.id(), T.plusSeconds(5));
        granted("s", "239.193.1.1", 6000, 7, 20);
        granted("s", "239.65.1.2", 6000, 0, 10);
        granted("s", "239.65.1.2", 6001, 0, 10);
        granted("alone", "239.67.1.1", 6000, 0, 10);
        granted("alone", "239.67.1.1", 6000, 10, 20);
        assertApart();
    }

    @Test
    void anEndOtherThanPromised() {
        Lease lease = granted("s", "239.193.1.1", 6000, 0, 10);
        assertThatCode(() -> model.requireEnded(lease.id(), T.plusSeconds(10)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> model.requireEnded(lease.id(), T.plusSeconds(9)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void whatTheDatabaseLostOrChangedOrHasTooMuch() {
        Lease lease = granted("s", "239.193.1.1", 6000, 0, 10);
        Map<UUID, Stored> stored = new HashMap<>();
        assertUnkept(stored);
        stored.put(lease.id(), new Stored(T.plusSeconds(10), Set.of("239.193.1.2:6000")));
        assertUnkept(stored);
        stored.put(lease.id(), new Stored(T.plusSeconds(9), Set.of("239.193.1.1:6000")));
        assertUnkept(stored);
        stored.put(lease.id(), new Stored(T.plusSeconds(10), Set.of("239.193.1.1:6000")));
        assertThatCode(() -> model.requireKept(T, stored, "")).doesNotThrowAnyException();
        stored.put(UUID.randomUUID(), new Stored(T.plusSeconds(9), Set.of("239.193.1.9:6000")));
        assertUnkept(stored);
    }

    private void assertUnkept(Map<UUID, Stored> stored) {
        assertThatThrownBy(() -> model.requireKept(T, stored, ""))
                .isInstanceOf(AssertionError.class);
    }

    private void assertCollision() {
        assertThatThrownBy(() -> model.requireNoCollision("")).isInstanceOf(AssertionError.class);
    }

    private void assertApart() {
        assertThatCode(() -> model.requireNoCollision("")).doesNotThrowAnyException();
    }

    private Lease granted(String scope, String address, int port, int from, int to) {
        Instant start = T.plusSeconds(from);
        Lease lease =
                new Lease(
                        UUID.randomUUID(),
                        scope,
                        "job",
                        null,
                        null,
                        Map.of(),
                        List.of(new LeasedGroup(address, port)),
                        1,
                        new Lease.Times(start, start, T.plusSeconds(to), null),
                        LeaseState.ACTIVE);
        model.granted(lease);
        return lease;
    }
}
