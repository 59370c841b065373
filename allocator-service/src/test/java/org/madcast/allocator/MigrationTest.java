package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A database with leases in it comes to the present version with all of them, and goes on. */
class MigrationTest {

    private static final String HOUR = "[2030-01-01 10:00, 2030-01-01 11:00)";

    private final DriverManagerDataSource database = newDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database);

    @Test
    void whatTwoConstraintsKeptApartOneKeepsApart() {
        migrate("60");
        insert("239.200.1.1", 7000, "one", HOUR);
        insert("239.72.1.1", 7000, "two", HOUR);
        insert("239.200.1.2", 7000, "one", "[2030-01-01 11:00, 2030-01-01 12:00)");
        insert("ff18::8000:1", 7000, "one", HOUR);
        List<String> before = addresses();

        migrate("latest");

        assertThat(addresses()).hasSize(4).isEqualTo(before);
        refused("239.200.1.1", 7000, "three", HOUR);
        refused("225.200.1.1", 9000, "one", HOUR);
        refused("225.72.1.1", 9000, "two", HOUR);
        refused("ff15::8000:1", 9000, "one", HOUR);
        insert("239.200.1.1", 7002, "three", HOUR);
        insert("239.200.1.2", 7000, "one", HOUR);
    }

    /** As version 60 writes groups, whose replicas may run beside the first one of the next. */
    @Test
    void aReplicaOfTheVersionBeforeStillGrants() {
        migrate("latest");
        insert("239.200.1.1", 7000, "one", HOUR);
        assertThat(insertedByTheVersionBefore("239.200.1.2", "239.72.1.1"))
                .containsExactly("239.200.1.2");
    }

    @Test
    void whatIsThereBeforeOwnersAreNotedIsAnybodysAndTheNamesOfOwnersAreApart() {
        migrate("85");
        insert("239.200.1.1", 7000, "one", HOUR);
        insertCommunicator("", "");

        migrate("latest");

        assertThat(
                        jdbc.sql("select count(*) from lease where owned_by is null")
                                .query(Integer.class)
                                .single())
                .isEqualTo(1);
        insertCommunicator(", owned_by", ", 'one'");
        insertCommunicator(", owned_by", ", 'two'");
        assertThatThrownBy(() -> insertCommunicator(", owned_by", ", 'two'"))
                .isInstanceOf(DataIntegrityViolationException.class);
        // Of those without a token and those from before there is one of a name.
        assertThatThrownBy(() -> insertCommunicator(", owned_by", ", ''"))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    private void insertCommunicator(String column, String value) {
        jdbc.sql(
                        """
                        insert into communicator (id, job, name, size, token, lease_seconds,
                            created_at%s)
                        values (gen_random_uuid(), 'job', 'world', 2, repeat('0', 16), 60, now()%s)
                        """
                                .formatted(column, value))
                .update();
    }

    private List<String> insertedByTheVersionBefore(String... addresses) {
        return jdbc.sql(
                        """
                        with new as (
                            insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                                expires_at)
                            values (gen_random_uuid(), 'default', 'migration', repeat('0', 64),
                                now(), now(), now() + interval '1 s')
                            on conflict do nothing
                            returning id)
                        insert into lease_group (lease_id, ordinal, scope, slot_number,
                            address, port, port_count, whole_address, role, segment,
                            shares_address, blocked)
                        select id, ordinal, 'default', null, address::inet, 7000, 1, false,
                            null, 'one', false, ?::tstzrange
                        from new, unnest(?::text[]) with ordinality as row (address, ordinal)
                        order by ethernet_claim_of(address::inet, ''), address
                        on conflict do nothing
                        returning host(address)
                        """)
                .params(HOUR, addresses)
                .query(String.class)
                .list();
    }

    private static DriverManagerDataSource newDatabase() {
        String name = "migration_" + UUID.randomUUID().toString().replace('-', '_');
        RunningService.shared().jdbc().sql("create database " + name).update();
        return RunningService.databaseNamed(name);
    }

    private void migrate(String version) {
        FluentConfiguration flyway = Flyway.configure().dataSource(database);
        flyway.target(version).load().migrate();
    }

    private List<String> addresses() {
        return jdbc.sql("select address || ' ' || segment || ' ' || blocked from lease_group")
                .query(String.class)
                .list();
    }

    private void refused(String address, int port, String segment, String blocked) {
        assertThatThrownBy(() -> insert(address, port, segment, blocked))
                .as("%s:%d in %s", address, port, segment)
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    private void insert(String address, int port, String segment, String blocked) {
        jdbc.sql(
                        """
                        with new as (
                            insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                                expires_at)
                            values (gen_random_uuid(), 'default', 'migration', repeat('0', 64),
                                now(), now(), now() + interval '1 s')
                            returning id)
                        insert into lease_group (lease_id, ordinal, scope, address, port, segment,
                            blocked)
                        select id, 0, 'default', ?::inet, ?, ?, ?::tstzrange from new
                        """)
                .params(address, port, segment, blocked)
                .update();
    }
}
