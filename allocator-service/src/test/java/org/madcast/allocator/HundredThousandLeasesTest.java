package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What people look at while 100,000 leases live, alone on the machine: the scopes, searches, the
 * overview. {@link SearchCostTest} holds without a clock that searches read little.
 */
@Tag("performance")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HundredThousandLeasesTest {

    private static final int LEASES = 100_000;
    private static final int TIMES = 15;
    private static final double MOST_MS = 100;
    private static final String SCOPE =
            "{\"ranges\":[\"225.2.0.0/15\"],\"allowUnscoped\":true,"
                    + "\"sharing\":{\"segment\":\"many\"}}";

    private RunningService service;
    private JdbcClient database;
    private Rest rest;

    @BeforeAll
    void fill() {
        String name = RunningService.newDatabase("many");
        // Not one of the service's connections, which may be silent for half a minute only.
        database = JdbcClient.create(RunningService.databaseNamed(name));
        service =
                RunningService.onDatabaseNamed(
                        name,
                        "--madcast.lease.count-interval=15s",
                        "--madcast.dashboard.refresh-interval=2s");
        rest = service.rest();
        assertThat(rest.post("/v1/scopes/many", SCOPE).status()).isEqualTo(201);
        Rest.Answer first =
                rest.post(
                        "/v1/leases",
                        "{\"job\":\"job-first\",\"scope\":\"many\",\"durationSeconds\":86400}");
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        database.sql(copies(first.string("id"))).update();
        database.sql("analyze").update();
        assertThat(
                        rest.get("/v1/leases?scope=many&state=ACTIVE&size=1")
                                .json()
                                .path("total")
                                .asInt())
                .isEqualTo(LEASES);
    }

    @AfterAll
    void end() {
        service.close();
    }

    /** The same lease again and again, with other names and addresses. */
    private String copies(String lease) {
        String columns = columns("lease");
        String groupColumns = columns("lease_group");
        return """
        with numbered as (
            select n, gen_random_uuid() as id, inet '225.2.0.0' + n as address,
                'job-' || (array['weather', 'render', 'climate'])[1 + n %% 3] || '-' || n as job
            from generate_series(1, %d) n
            where inet '225.2.0.0' + n <> (select address from lease_group
                where lease_id = '%s') limit %d
        ), leases as (
            insert into lease (%s) select %s from (
                select (jsonb_populate_record(l,
                    jsonb_build_object('id', w.id, 'job', w.job))).*
                from lease l, numbered w where l.id = '%s') as made
        )
        insert into lease_group (%s) select %s from (
            select (jsonb_populate_record(g,
                jsonb_build_object('lease_id', w.id, 'address', w.address, 'slot_number', null))).*
            from lease_group g, numbered w where g.lease_id = '%s') as made
        """
                .formatted(
                        LEASES,
                        lease,
                        LEASES - 1,
                        columns,
                        columns,
                        lease,
                        groupColumns,
                        groupColumns,
                        lease);
    }

    /** Those that the database does not fill by itself. */
    private String columns(String table) {
        return String.join(
                ", ",
                database.sql(
                                """
                                select column_name from information_schema.columns
                                where table_name = ? and is_generated = 'NEVER'
                                    and is_identity = 'NO'
                                """)
                        .param(table)
                        .query(String.class)
                        .list());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the scopes, /v1/scopes, many",
        "the overview, /, many",
        "the overview's refresh, /fragments/overview, many",
        "words that no name has, /leases?q=no-name-has-this, No lease",
        "words that 741 names have, /leases?q=r-77, r-77",
        "words that all names have, /leases?q=job-, job-",
        "an address, /leases?q=225.2.17.4, 225.2.17.4",
        "the leases of a job, /v1/leases?job=job-first, job-first"
    })
    void areShownAtOnce(String what, String path, String shown) {
        List<Double> tookMs = new ArrayList<>();
        for (int i = -TIMES; i < TIMES; i++) {
            long startNs = System.nanoTime();
            Rest.Answer answer = rest.get(path);
            if (i >= 0) {
                tookMs.add((System.nanoTime() - startNs) / 1e6);
            }
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).contains(shown);
        }
        tookMs.sort(null);
        System.out.printf(
                "%s: %.0f ms, %.0f at most%n", what, tookMs.get(TIMES / 2), tookMs.getLast());
        assertThat(tookMs.get(TIMES / 2)).as(what).isLessThan(MOST_MS);
    }
}
