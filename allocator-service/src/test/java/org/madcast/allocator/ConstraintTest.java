package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes past the service: what keeps groups apart is the database. */
class ConstraintTest {

    private static final String HOUR = "[2030-01-01 10:00, 2030-01-01 11:00)";

    private final JdbcClient jdbc = RunningService.shared().jdbc();
    private final String segment = RunningService.newJob();
    private int ordinal;

    @Test
    void noTwoLeasesShareAGroupAtATime() {
        UUID lease = lease();
        insert(lease, "239.200.1.1", 7000, HOUR, false);
        refused(lease(), "239.200.1.1", 7000, HOUR, true);
        refused(lease(), "239.200.1.1", 7000, "[2030-01-01 10:59, 2030-01-01 12:00)", true);
        refused(lease, "239.200.1.1", 7000, HOUR, false);
    }

    @Test
    void oneMayFollowTheOther() {
        insert(lease(), "239.200.1.2", 7000, HOUR, false);
        assertThatCode(() ->
                        insert(
                                lease(),
                                "239.200.1.2",
                                7000,
                                "[2030-01-01 11:00, 2030-01-01 12:00)",
                                false))
                .doesNotThrowAnyException();
    }

    @Test
    void noTwoLeasesShareAnEthernetAddress() {
        insert(lease(), "239.200.1.3", 7000, HOUR, false);
        refused(lease(), "239.200.1.3", 7002, HOUR, false);
        refused(lease(), "239.72.1.3", 7000, HOUR, false);
        refused(lease(), "225.200.1.3", 7004, HOUR, true);
        refused(lease(), "224.72.1.3", 7004, HOUR, false);
        insert(lease(), "239.201.1.3", 7000, HOUR, false);
    }

    @Test
    void whereBothShareTheAddressPortsKeepThemApart() {
        insert(lease(), "239.200.1.4", 7000, HOUR, true);
        insert(lease(), "239.200.1.4", 7002, HOUR, true);
        refused(lease(), "239.200.1.4", 7002, HOUR, true);
        refused(lease(), "239.200.1.4", 7004, HOUR, false);
    }

    @Test
    void domainsShareEthernetAddressesButNoGroup() {
        insert(lease(), "239.200.1.6", 7000, HOUR, false);
        insertIn("other", "239.72.1.6", 7000, 1, false);
        insertIn("second", "239.200.1.6", 7002, 1, false);
        refusedIn("third", "239.200.1.6", 7000, 1, false);
        refusedIn("third", "239.200.1.6", 6999, 4, false);
        refusedIn("third", "239.200.1.6", 1, 1, true);
        insertIn("third", "225.72.1.6", 1, 1, true);
        refusedIn("fourth", "225.72.1.6", 9000, 1, false);
    }

    @Test
    void domainsShareNoIpv6GroupEither() {
        insert(lease(), "ff18::8000:3", 7000, HOUR, false);
        insertIn("other", "ff15::8000:3", 7000, 1, false);
        insertIn("third", "ff18::8000:3", 7002, 1, false);
        refusedIn("fourth", "ff18::8000:3", 7000, 1, false);
        refusedIn("fourth", "ff18::8000:3", 7000, 1, true);
    }

    @Test
    void rangesOfPortsKeepEachOtherApart() {
        insertIn("", "239.200.1.7", 7000, 10, false, true);
        insertIn("", "239.200.1.7", 7010, 10, false, true);
        assertThatThrownBy(() -> insertIn("", "239.200.1.7", 6995, 6, false, true))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThatThrownBy(() -> insertIn("", "239.200.1.7", 7019, 1, false, true))
                .isInstanceOf(DataIntegrityViolationException.class);
        insertIn("", "239.200.1.7", 7020, 1, false, true);
    }

    @Test
    void ipv6GroupsDifferInTheirLow32Bits() {
        insert(lease(), "ff18::8000:1", 7000, HOUR, false);
        refused(lease(), "ff15::8000:1", 7000, HOUR, false);
        insert(lease(), "ff18::8000:2", 7000, HOUR, false);
    }

    @Test
    void onlyMulticastAddressesAndRealPortsAndTimesAreTaken() {
        refused(lease(), "10.0.0.1", 7000, HOUR, false);
        refused(lease(), "239.200.0.0/16", 7000, HOUR, false);
        refused(lease(), "239.200.1.5", 0, HOUR, false);
        refused(lease(), "239.200.1.5", 70000, HOUR, false);
        refused(lease(), "239.200.1.5", 7000, "empty", false);
        refused(lease(), "239.200.1.5", 7000, "[2030-01-01 10:00,)", false);
    }

    @Test
    void aNameHasOneLivingCommunicator() {
        String sql =
                """
                insert into communicator (id, job, name, size, token, lease_seconds, created_at)
                values (gen_random_uuid(), ?, 'world', 2, '0123456789abcdef', 60, now())
                """;
        jdbc.sql(sql).param(segment).update();
        assertThatThrownBy(() -> jdbc.sql(sql).param(segment).update())
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    /** Else each deletion of a row reads the whole table that refers to it. */
    @Test
    void whatADeletionFollowsHasAnIndex() {
        List<String> without =
                jdbc.sql(
                                """
                                select conrelid::regclass || ' ' || conname from pg_constraint f
                                where contype = 'f' and confdeltype in ('c', 'n')
                                    and connamespace = current_schema()::regnamespace
                                    and not exists (select from pg_index i
                                        where i.indrelid = f.conrelid
                                            and i.indisvalid and i.indpred is null
                                            and (i.indkey::int2[])[0:cardinality(f.conkey) - 1]
                                                @> f.conkey)
                                """)
                        .query(String.class)
                        .list();
        assertThat(without).isEmpty();
    }

    private UUID lease() {
        UUID id = UUID.randomUUID();
        jdbc.sql(
                        """
                        insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                            expires_at)
                        values (?, 'default', 'past the service', repeat('0', 64), now(), now(),
                            now() + interval '1 s')
                        """)
                .param(id)
                .update();
        return id;
    }

    private void refused(UUID lease, String address, int port, String blocked, boolean shares) {
        assertThatThrownBy(() -> insert(lease, address, port, blocked, shares))
                .as("%s:%d %s", address, port, blocked)
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    private void refusedIn(String domain, String address, int port, int ports, boolean whole) {
        assertThatThrownBy(() -> insertIn(domain, address, port, ports, whole))
                .as("%s:%d in %s", address, port, domain)
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    private void insertIn(String domain, String address, int port, int ports, boolean whole) {
        insertIn(domain, address, port, ports, whole, false);
    }

    /** In a layer-2 domain of this test alone. */
    private void insertIn(
            String domain, String address, int port, int ports, boolean whole, boolean shares) {
        jdbc.sql(
                        """
                        insert into lease_group (lease_id, ordinal, scope, address, port,
                            port_count, whole_address, segment, shares_address, blocked)
                        values (?, ?, 'default', ?::inet, ?, ?, ?, ?, ?, ?::tstzrange)
                        """)
                .params(lease(), ordinal++, address, port, ports, whole)
                .params(segment + domain, shares, HOUR)
                .update();
    }

    private void insert(UUID lease, String address, int port, String blocked, boolean shares) {
        jdbc.sql(
                        """
                        insert into lease_group (lease_id, ordinal, scope, address, port, segment,
                            shares_address, blocked)
                        values (?, ?, 'default', ?::inet, ?, ?, ?, ?::tstzrange)
                        """)
                .params(lease, ordinal++, address, port, segment, shares, blocked)
                .update();
    }
}
