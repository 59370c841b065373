package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/**
 * The clock by which leases are judged, the database's, steps by an hour under a running service.
 * The step is made by a function {@code now()} that the database finds before its own.
 */
class ClockStepTest {

    private static RunningService service;
    private static int scopes;

    private String scope = "";

    @BeforeAll
    static void start() throws IOException {
        service = RunningService.on(RunningService.newDirectory("clock"));
        service.jdbc().sql("create schema stepped").update();
        service.jdbc()
                .sql("create table stepped.step as select interval '0' as by," + " now() as made")
                .update();
        service.jdbc()
                .sql(
                        """
                        create function stepped.now() returns timestamptz language sql stable
                        as 'select pg_catalog.now() + by from stepped.step'
                        """)
                .update();
        service.jdbc()
                .sql("alter database postgres set search_path = stepped, pg_catalog, public")
                .update();
        service.jdbc().sql("update stepped.step set made = clock_timestamp()").update();
        // A connection that was in use, or being made, outlives an eviction.
        await().until(() -> {
            service.part(DataSource.class)
                    .unwrap(HikariDataSource.class)
                    .getHikariPoolMXBean()
                    .softEvictConnections();
            return pooledSessionsOlderThanTheStep() == 0;
        });
        assertThat(service.jdbc().sql("show search_path").query(String.class).single())
                .startsWith("stepped");
    }

    private static long pooledSessionsOlderThanTheStep() {
        return service.jdbc()
                .sql(
                        """
                        select count(*) from pg_stat_activity
                        where datname = current_database()
                          -- the listener's, which stays, and the watch's, which is not of the pool
                          and query <> 'select 1' and query not like 'listen %'
                          and query not like 'select current_setting(%'
                          and backend_start < (select made from stepped.step)
                        """)
                .query(Long.class)
                .single();
    }

    @BeforeEach
    void makeScope() {
        step("0");
        scopes++;
        scope = "ten" + scopes;
        String body =
                "{\"ranges\":[\"239.1.%d.0-239.1.%d.9\"],"
                        .concat("\"allowUnscoped\":true,\"quarantineSeconds\":60}")
                        .formatted(2 + scopes, 2 + scopes);
        assertThat(service.rest().post("/v1/scopes/" + scope, body).status()).isEqualTo(201);
    }

    @AfterAll
    static void end() {
        service.close();
    }

    @Test
    void anHourForwardEndsShortLeasesInOrderAndKeepsLongOnes() {
        Answer brief = grant(1800);
        Answer lasting = grant(7200);
        step("1 hour");
        Answer ended = renew(brief);
        assertThat(ended.status()).isEqualTo(410);
        assertThat(ended.problem()).isEqualTo("lease-ended");
        assertThat(ended.string("endedAt")).isEqualTo(brief.string("expiresAt"));
        Answer renewed = renew(lasting);
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(renewed.json().path("groups")).isEqualTo(lasting.json().path("groups"));
        // All ten, less the one that still runs; each once.
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < 9; i++) {
            assertThat(addresses.add(address(grant(600)))).isTrue();
        }
        assertThat(addresses).doesNotContain(address(lasting)).contains(address(brief));
        assertThat(service.rest().post("/v1/leases", body(600)).problem())
                .isEqualTo("pool-exhausted");
    }

    @Test
    void whoseGroupsWereGivenUpGetsThemBackByNoClock() {
        Answer first = grant(1800);
        step("1 hour");
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        service.jdbc()
                                .sql("select settled from lease_group where scope = ?")
                                .param(scope)
                                .query(Boolean.class)
                                .single());
        step("0");
        assertThat(renew(first).status()).isEqualTo(410);
        assertThat(release(first).status()).isEqualTo(410);
    }

    @Test
    void anHourBackGrantsNothingTwiceAndLosesNothing() {
        Answer first = grant(1800);
        Answer second = grant(1800);
        assertThat(release(second).status()).isEqualTo(204);
        step("-1 hour");
        Answer renewed = renew(first);
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        Answer third = grant(600);
        assertThat(address(third)).isNotEqualTo(address(first));
        assertThat(release(first).status()).isEqualTo(204);
        assertThat(release(third).status()).isEqualTo(204);
        assertThat(service.rest().get("/v1/leases/" + second.string("id")).string("state"))
                .isEqualTo("RELEASED");
        // What rested or ran by the later clock rests on; a full pool says until when.
        Set<String> addresses = new HashSet<>();
        Answer last = service.rest().post("/v1/leases", body(600));
        while (last.status() == 201) {
            assertThat(addresses.add(address(last))).as("granted twice").isTrue();
            last = service.rest().post("/v1/leases", body(600));
        }
        assertThat(last.problem()).isEqualTo("pool-exhausted");
        assertThat(Instant.parse(last.string("nextFreeAt"))).isBefore(Instant.now());
        assertThat(addresses).hasSizeGreaterThanOrEqualTo(7);
    }

    private void step(String by) {
        service.jdbc().sql("update stepped.step set by = ?::interval").param(by).update();
    }

    private String body(int seconds) {
        return "{\"job\":\"j\",\"scope\":\"%s\",\"durationSeconds\":%d}".formatted(scope, seconds);
    }

    private Answer grant(int seconds) {
        Answer answer = service.rest().post("/v1/leases", body(seconds));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static String address(Answer lease) {
        return lease.json().at("/groups/0/address").asString();
    }

    private Answer renew(Answer lease) {
        return service.rest()
                .post(
                        "/v1/leases/" + lease.string("id") + "/renewal",
                        "{\"durationSeconds\":7200}",
                        "Madcast-Lease-Secret",
                        lease.string("secret"));
    }

    private Answer release(Answer lease) {
        return service.rest()
                .delete(
                        "/v1/leases/" + lease.string("id"),
                        "Madcast-Lease-Secret",
                        lease.string("secret"));
    }
}
