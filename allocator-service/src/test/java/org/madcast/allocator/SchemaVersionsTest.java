package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.StoreException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * A database goes through every version of the schema since the first one, and at each of them
 * leases and more are written as that version had them. The service then reads and goes on with all
 * of it. Each upgrade from a version to the newest runs the same steps.
 */
class SchemaVersionsTest {

    private static final String SECRET = "a secret of a client";
    private static final String TOKEN = "madcast_of-a-test";

    /** What was written at a version of the schema. */
    private record Written(UUID lease, String address, UUID communicator) {}

    @Test
    void whatEachVersionWroteTheNewestReadsAndKeeps() {
        String name = "versions_" + UUID.randomUUID().toString().replace('-', '_');
        RunningService.shared().jdbc().sql("create database " + name).update();
        DriverManagerDataSource database = RunningService.databaseNamed(name);
        WriteAtEach writing = new WriteAtEach();
        Flyway.configure().dataSource(database).callbacks(writing).load().migrate();
        Map<String, Written> all = writing.all;
        assertThat(all.keySet()).containsExactlyElementsOf(versions(database));
        assertThat(all).containsKeys("1", "86").hasSizeGreaterThanOrEqualTo(17);
        try (RunningService service = RunningService.onDatabaseNamed(name)) {
            Rest rest = service.rest();
            all.forEach((version, written) -> requireKept(rest, version, written));
            assertThat(rest.get("/v1/tokens", "Authorization", "Bearer " + TOKEN).status())
                    .isEqualTo(200);
            assertThat(rest.post("/v1/leases", "{\"job\":\"new\"}").status()).isEqualTo(201);
            assertThat(
                            service.jdbc()
                                    .sql("select count(*) from madcap_lease")
                                    .query(Long.class)
                                    .single())
                    .isEqualTo(all.keySet().stream().filter(it -> number(it) >= 20).count());
        }
    }

    @Test
    void anOlderProgramRefusesANewerSchemaInASentence() {
        String name = RunningService.newDatabase("newer");
        DriverManagerDataSource database = RunningService.databaseNamed(name);
        JdbcClient.create(database)
                .sql(
                        """
                        insert into flyway_schema_history (installed_rank, version, description,
                            type, script, checksum, installed_by, execution_time, success)
                        select max(installed_rank) + 1, '9000', 'later', 'SQL', 'V9000__later.sql',
                            1, 'madcast', 1, true from flyway_schema_history
                        """)
                .update();
        String newest = versions(database).getLast();
        assertThatThrownBy(() -> RunningService.onDatabaseNamed(name).close())
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "the database was changed by a newer version of this service (schema 9000,"
                                + " this one knows %s); start that version, or restore a backup"
                                        .formatted(newest)
                                + " from before the upgrade");
        assertThat(
                        StartFailure.of(
                                        new IllegalStateException(
                                                new StoreException("in a sentence")))
                                .message())
                .isEqualTo("in a sentence");
    }

    private void requireKept(Rest rest, String version, Written written) {
        Answer lease = rest.get("/v1/leases/" + written.lease());
        assertThat(lease.status()).as("version %s: %s", version, lease.text()).isEqualTo(200);
        assertThat(lease.string("state")).as(version).isEqualTo("ACTIVE");
        assertThat(lease.json().path("groups").path(0).path("address").asString())
                .as(version)
                .isEqualTo(written.address());
        Answer renewed =
                rest.post(
                        "/v1/leases/" + written.lease() + "/renewal",
                        "{\"durationSeconds\":7200}",
                        "Madcast-Lease-Secret",
                        SECRET);
        assertThat(renewed.status()).as("version %s: %s", version, renewed.text()).isEqualTo(200);
        if (number(version) >= 2) {
            Answer communicator = rest.get("/v1/communicators/" + written.communicator());
            assertThat(communicator.status()).as(communicator.text()).isEqualTo(200);
            assertThat(communicator.string("job")).isEqualTo("of-" + version);
        }
    }

    /** Writes after each version's migration and before the next one. */
    private static final class WriteAtEach implements Callback {

        private final Map<String, Written> all = new LinkedHashMap<>();

        @Override
        public boolean supports(Event event, Context context) {
            return event == Event.AFTER_EACH_MIGRATE;
        }

        @Override
        public boolean canHandleInTransaction(Event event, Context context) {
            return true;
        }

        @Override
        public void handle(Event event, Context context) {
            String version = context.getMigrationInfo().getVersion().toString();
            JdbcClient jdbc =
                    JdbcClient.create(
                            new SingleConnectionDataSource(context.getConnection(), true));
            all.put(version, write(jdbc, version, all.size() + 1));
        }

        @Override
        public String getCallbackName() {
            return "write-at-each";
        }
    }

    private static Written write(JdbcClient jdbc, String version, int number) {
        Written written =
                new Written(UUID.randomUUID(), "239.192.200." + number, UUID.randomUUID());
        jdbc.sql(
                        """
                        insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                            expires_at)
                        values (?, 'default', ?, ?, now(), now(), now() + interval '1 day')
                        """)
                .params(written.lease(), "of-" + version, Secrets.hash(SECRET))
                .update();
        jdbc.sql(
                        """
                        insert into lease_group (lease_id, ordinal, scope, address, port, blocked)
                        values (?, 0, 'default', ?::inet, 7000,
                            tstzrange(now(), now() + interval '1 day 1 minute'))
                        """)
                .params(written.lease(), written.address())
                .update();
        if (number(version) >= 2) {
            writeCommunicator(jdbc, version, written);
        }
        if (number(version) >= 20) {
            jdbc.sql(
                            """
                            insert into madcap_lease (lease_id, identifier_hash, server, client, xid,
                                addresses, starts_at, ends_at, held)
                            values (?, ?, '127.0.0.1', '127.0.0.1', 1, 1, now(),
                                now() + interval '1 day', false)
                            """)
                    .params(written.lease(), Secrets.hash(version))
                    .update();
        }
        if (number(version) == 76) {
            jdbc.sql(
                            """
                            insert into access_token (name, role, hash, made_by)
                            values ('old', 'operator', ?, 'test')
                            """)
                    .param(Secrets.hash(TOKEN))
                    .update();
        }
        return written;
    }

    private static void writeCommunicator(JdbcClient jdbc, String version, Written written) {
        jdbc.sql(
                        """
                        insert into communicator (id, job, name, size, token, lease_id,
                            lease_seconds, created_at, completed_at)
                        values (?, ?, 'world', 1, repeat('a', 16), ?, 3600, now(), now())
                        """)
                .params(written.communicator(), "of-" + version, written.lease())
                .update();
        jdbc.sql(
                        """
                        insert into member (communicator_id, rank, address, port, host, pid,
                            receive_buffer_bytes, datagram_bytes, instance_hash, secret_hash,
                            joined_at, expires_at)
                        values (?, 0, '127.0.0.1', 5000, 'host', 1, 1, 1500, ?, ?, now(),
                            now() + interval '1 day')
                        """)
                .params(written.communicator(), Secrets.hash("instance"), Secrets.hash(SECRET))
                .update();
    }

    private static int number(String version) {
        return Integer.parseInt(version);
    }

    private static List<String> versions(DriverManagerDataSource database) {
        MigrationInfo[] all = Flyway.configure().dataSource(database).load().info().all();
        return Arrays.stream(all)
                .filter(it ->
                        it.getScript().endsWith(".sql")
                                && it.getPhysicalLocation() != null
                                && !it.getPhysicalLocation().isEmpty())
                .map(it -> it.getVersion().toString())
                .toList();
    }
}
