package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.scope.Ipv4;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Leases of other shapes than some groups anywhere, from now on. */
class LeaseShapeTest {

    private static final String SECRET = "Madcast-Lease-Secret";

    /** Leases of one job. */
    private static final int HISTORY = 40_000;

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void aBlockIsInARowAndAligned() {
        String scope = service.addScope(64, 60);
        Answer answer = grant(scope, "'count':4,'layout':{'alignment':4}");
        List<Long> addresses = addresses(answer);
        assertThat(addresses.getFirst() % 4).isZero();
        for (int i = 0; i < 4; i++) {
            assertThat(addresses.get(i)).isEqualTo(addresses.getFirst() + i);
        }
    }

    @Test
    void pairsWithAnOddFirstAddressFillAPoolToTheLast() {
        String scope = service.addScope(16, 60);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 7; i++) { // .1 to .14 are seven pairs, .0 and .15 are left over
            List<Long> pair =
                    addresses(grant(scope, "'count':2,'layout':{'alignment':2,'offset':1}"));
            assertThat(pair.getFirst() % 2).isOne();
            assertThat(pair.getLast()).isEqualTo(pair.getFirst() + 1);
            seen.addAll(pair);
        }
        assertThat(seen).hasSize(14);
        assertThat(ask(scope, "'count':2,'layout':{'alignment':2,'offset':1}").problem())
                .isEqualTo("pool-exhausted");
        assertThat(addresses(grant(scope, "'count':2"))).doesNotContainAnyElementsOf(seen);
        assertThat(ask(scope, "").problem()).isEqualTo("pool-exhausted");
    }

    @Test
    void aBlockThatIsReleasedIsGrantedAgain() {
        String scope = service.addScope(8, 0);
        String block = "'count':8,'layout':{'block':true}";
        Answer first = grant(scope, block);
        assertThat(ask(scope, block).problem()).isEqualTo("pool-exhausted");
        assertThat(ask(scope, "").problem()).isEqualTo("pool-exhausted");
        release(first);
        Answer second = grant(scope, block);
        assertThat(addresses(second)).isEqualTo(addresses(first));
        release(second);
        assertThat(grant(scope, "'count':8").status()).isEqualTo(201);
    }

    /** By the times that are recorded, nobody has a group before the one before has ended. */
    @Test
    void aBlockThatIsReleasedWhileOneIsAskedForIsNotGrantedFromBeforeThat() {
        String scope = service.addScope(2, 0);
        String block = "'count':2,'layout':{'block':true}";
        Answer first = grant(scope, block);
        Shape both = new Shape(2, Shape.Layout.BLOCK, 1, 0, 1, null);
        GrantRequest request =
                new GrantRequest(
                        "late", null, null, Map.of(), scope, both, Duration.ofMinutes(1), null);
        new TransactionTemplate(service.part(PlatformTransactionManager.class))
                .executeWithoutResult(begun -> {
                    service.part(SqlTime.class).now();
                    CompletableFuture.runAsync(() -> release(first)).join();
                    assertThat(
                                    service.part(LeaseService.class)
                                            .grant(Requester.WITHOUT_TOKEN, request, null))
                            .isInstanceOf(GrantOutcome.PoolExhausted.class);
                });
        assertThat(addresses(grant(scope, block))).isEqualTo(addresses(first));
    }

    @Test
    void severalPortsOnOneAddress() {
        String scope = service.addScope(2, 60);
        Answer answer = grant(scope, "'layout':{'portsPerAddress':10}");
        JsonNode groups = answer.json().path("groups");
        assertThat(groups.size()).isEqualTo(10);
        assertThat(new HashSet<>(addresses(answer))).hasSize(1);
        for (int i = 0; i < 10; i++) {
            assertThat(groups.get(i).path("port").asInt())
                    .isEqualTo(groups.get(0).path("port").asInt() + i);
        }
        assertThat(rest.get("/v1/leases/" + answer.string("id")).json().path("groups"))
                .isEqualTo(groups);
    }

    @Test
    void redAndBlueComeFromTwoScopesOrNotAtAll() {
        String red = service.addScope(4, 60);
        String blue = service.addScope(2, 60);
        Answer pairs = grant(red, "'count':2,'layout':{'blueScope':'" + blue + "'}");
        JsonNode groups = pairs.json().path("groups");
        assertThat(groups.size()).isEqualTo(4);
        assertThat(groups.findValuesAsString("role")).containsExactly("red", "red", "blue", "blue");
        Answer refused = ask(red, "'count':1,'layout':{'blueScope':'" + blue + "'}");
        assertThat(refused.problem()).isEqualTo("pool-exhausted");
        assertThat(refused.string("scope")).isEqualTo(blue);
        assertThat(grant(red, "'count':2").status()).isEqualTo(201);
    }

    @Test
    void redAndBlueHaveARestOfTheirOwnScope() {
        String red = service.addScope(4, 0);
        String blue = service.addScope(4, 3600);
        String pairs = "'count':2,'layout':{'blueScope':'" + blue + "'}";
        Answer together = grant(red, pairs);
        assertThat(secondsBlocked(together, "red")).isCloseTo(3600, within(60.0));
        assertThat(secondsBlocked(together, "blue")).isCloseTo(7200, within(60.0));
        assertThat(renew(together, 600).status()).isEqualTo(200);
        assertThat(secondsBlocked(together, "blue")).isCloseTo(4200, within(60.0));
        release(together);
        assertThat(secondsBlocked(together, "blue")).isCloseTo(3600, within(60.0));
        Answer alone = grant(red, pairs);
        new TransactionTemplate(service.part(PlatformTransactionManager.class))
                .executeWithoutResult(begun ->
                        service.part(LeaseService.class)
                                .release(
                                        Requester.WITHOUT_TOKEN,
                                        UUID.fromString(alone.string("id")),
                                        alone.string("secret")));
        assertThat(secondsBlocked(alone, "blue")).isCloseTo(3600, within(60.0));
        assertThat(ask(red, pairs).string("scope")).isEqualTo(blue);
        assertThat(grant(red, "'count':4").status()).isEqualTo(201);
    }

    /** From now on. */
    private double secondsBlocked(Answer lease, String role) {
        return service.jdbc()
                .sql(
                        """
                        select extract(epoch from max(upper(blocked)) - now()) from lease_group
                        where lease_id = ?::uuid and role = ?
                        """)
                .params(lease.string("id"), role)
                .query(Double.class)
                .single();
    }

    @Test
    void theStricterOfTwoScopesSaysHowLongRedAndBlueLast() {
        String red = service.addScope(4, 0);
        String blue = service.addScope(4, 0);
        service.jdbc()
                .sql("update scope set longest_lease_seconds = 60 where name = ?")
                .param(blue)
                .update();
        String pair = "'layout':{'blueScope':'" + blue + "'},'durationSeconds':";
        Answer tooLong = ask(red, pair + 61);
        assertThat(tooLong.problem()).as(tooLong.text()).isEqualTo("lease-too-long");
        Answer lease = grant(red, pair + 60);
        assertThat(renew(lease, 61).problem()).isEqualTo("lease-too-long");
        assertThat(renew(lease, 60).status()).isEqualTo(200);
        assertThat(grant(red, "'durationSeconds':61").status()).isEqualTo(201);
    }

    @Test
    void aQuotaCountsTheGroupsOfItsOwnScope() {
        String red = service.addScope(16, 0);
        String blue = service.addScope(16, 0);
        service.jdbc()
                .sql(
                        "update scope set groups_per_job = case name when ? then 3 else 2 end"
                                + " where name in (?, ?)")
                .params(red, red, blue)
                .update();
        String pairs = ",'layout':{'blueScope':'" + blue + "'}";
        Answer tooMany = ask(red, "'count':3" + pairs);
        assertThat(tooMany.problem()).as(tooMany.text()).isEqualTo("quota-exceeded");
        assertThat(tooMany.string("scope")).isEqualTo(blue);
        grant(red, "'count':2" + pairs);
        assertThat(ask(blue, "").json().path("inUse").asInt()).isEqualTo(2);
        grant(red, "'count':1");
        Answer full = ask(red, "");
        assertThat(full.problem()).as(full.text()).isEqualTo("quota-exceeded");
        assertThat(full.json().path("inUse").asInt()).isEqualTo(3);
    }

    @Test
    void aQuotaIsCheckedBeforeTheTimesOfALease() {
        String scope = service.addScope(4, 0);
        service.jdbc()
                .sql(
                        "update scope set groups_per_job = 1, longest_lease_seconds = 60"
                                + " where name = ?")
                .param(scope)
                .update();
        for (String wrongTimes :
                List.of(
                        "'durationSeconds':61",
                        "'durationSeconds':60,'startsAt':'2000-01-01T00:00:00Z'",
                        "'durationSeconds':60,'startsAt':'2999-01-01T00:00:00Z'")) {
            Answer tooMany = ask(scope, "'count':2," + wrongTimes);
            assertThat(tooMany.problem()).as(tooMany.text()).isEqualTo("quota-exceeded");
            Answer wrong = ask(scope, wrongTimes);
            assertThat(wrong.status()).as(wrong.text()).isBetween(400, 499);
            assertThat(wrong.problem()).as(wrong.text()).isNotEqualTo("quota-exceeded");
        }
    }

    /** Such as the one that all MADCAP leases have. */
    @Test
    void aQuotaOfAJobWithManyLeasesBehindItReadsFewOfThem() {
        String scope = service.addScope(4, 0);
        String job = RunningService.newJob();
        service.jdbc()
                .sql("update scope set groups_per_job = 2 where name = ?")
                .param(scope)
                .update();
        makeHistory(scope, job);
        GrantRequest request =
                new GrantRequest(job, null, null, Map.of(), scope, 1, Duration.ofMinutes(1));
        new TransactionTemplate(service.part(PlatformTransactionManager.class))
                .executeWithoutResult(begun -> {
                    LeaseService leases = service.part(LeaseService.class);
                    assertThat(leases.grant(Requester.WITHOUT_TOKEN, request, null))
                            .isInstanceOf(GrantOutcome.Granted.class);
                    assertThat(leases.grant(Requester.WITHOUT_TOKEN, request, null))
                            .isInstanceOf(GrantOutcome.Granted.class);
                    assertThat(leases.grant(Requester.WITHOUT_TOKEN, request, null))
                            .isInstanceOf(GrantOutcome.QuotaExceeded.class);
                    assertThat(leasesRead()).isLessThan(HISTORY);
                });
        service.jdbc().sql("delete from lease where job = ?").param(job).update();
    }

    private void makeHistory(String scope, String job) {
        service.jdbc()
                .sql(
                        """
                        with l as (
                            insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                                expires_at, released_at)
                            select gen_random_uuid(), ?, ?, repeat('0', 64), now(), now(),
                                now() + interval '1 h', now()
                            from generate_series(1, ?)
                            returning *)
                        insert into lease_group (lease_id, ordinal, scope, address, port, segment,
                            blocked, settled)
                        select id, 0, scope, '239.141.1.1', 4000, job,
                            tstzrange(now(), now() + interval '1 s'), true
                        from l
                        """)
                .params(scope, job, HISTORY)
                .update();
        service.jdbc().sql("analyze lease").update();
        service.jdbc().sql("analyze lease_group").update();
    }

    /** In the present transaction, by whatever way. */
    private long leasesRead() {
        return service.jdbc()
                .sql(
                        """
                        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                        from pg_stat_xact_user_tables where relname = 'lease'
                        """)
                .query(Long.class)
                .single();
    }

    @Test
    void aLaterLeaseIsScheduledAndKeepsItsGroup() {
        String scope = service.addScope(1, 0);
        Instant start = Instant.now().plusSeconds(3600);
        Answer later = grant(scope, "'startsAt':'" + start + "','durationSeconds':600");
        assertThat(later.string("state")).isEqualTo("SCHEDULED");
        assertThat(Instant.parse(later.string("expiresAt")))
                .isBetween(start.plusSeconds(599), start.plusSeconds(601));
        assertThat(ask(scope, "").problem()).isEqualTo("pool-exhausted");
        release(later);
        assertThat(grant(scope, "").status()).isEqualTo(201);
    }

    @Test
    void oneMayFollowAnotherAndThenEndsTheFirst() {
        String scope = service.addScope(1, 0);
        Answer first = grant(scope, "'durationSeconds':15");
        Instant start = Instant.now().plusSeconds(60);
        Answer second = grant(scope, "'startsAt':'" + start + "','durationSeconds':600");
        assertThat(addresses(second)).isEqualTo(addresses(first));
        assertThat(renew(first, 20).status()).isEqualTo(200);
        Answer tooLong = renew(first, 3600);
        assertThat(tooLong.problem()).as(tooLong.text()).isEqualTo("lease-reserved");
        assertThat(Instant.parse(tooLong.string("until")))
                .isBetween(start.minusSeconds(1), start.plusSeconds(1));
        assertThat(renew(first, 20).status()).isEqualTo(200);
    }

    @Test
    void ipv6GroupsAreGranted() {
        String scope = "six-" + RunningService.newJob().substring(4, 12);
        assertThat(
                        rest.post(
                                        "/v1/scopes/" + scope,
                                        json(
                                                "{'ranges':['ff18::8000:0/124'],'sharing':{'segment':'"
                                                        + scope
                                                        + "'},'ttl':3}"))
                                .status())
                .isEqualTo(201);
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            Answer answer = grant(scope, "'count':8,'layout':{'alignment':8}");
            assertThat(answer.json().path("ttl").asInt()).isEqualTo(3);
            addresses.addAll(answer.json().path("groups").findValuesAsString("address"));
            assertThat(rest.get("/v1/leases/" + answer.string("id")).json().path("groups"))
                    .isEqualTo(answer.json().path("groups"));
        }
        assertThat(addresses).hasSize(16).contains("ff18::8000:0", "ff18::8000:f");
        assertThat(ask(scope, "").problem()).isEqualTo("pool-exhausted");
    }

    @Test
    void refusesWhatCannotBe() {
        String scope = service.addScope(4, 60);
        String shared = "ports-" + scope;
        service.addScope(shared, "239.121.210.0-239.121.210.3", 60, shared, true);
        wrongField(scope, "'count':2,'layout':{'alignment':3}", "layout.alignment");
        wrongField(scope, "'count':2,'layout':{'alignment':2,'offset':2}", "layout.offset");
        wrongField(scope, "'count':65", "count");
        wrongField(scope, "'count':9,'layout':{'portsPerAddress':8}", "count");
        wrongField(scope, "'layout':{'block':true,'blueScope':'x'}", "layout.blueScope");
        wrongField(scope, "'startsAt':'2020-01-01T00:00:00Z'", "startsAt");
        assertThat(ask(scope, "'count':8,'layout':{'block':true}").problem())
                .isEqualTo("not-possible-here");
        assertThat(ask(shared, "'layout':{'portsPerAddress':2}").problem())
                .isEqualTo("not-possible-here");
        assertThat(ask(scope, "'layout':{'blueScope':'none'}").problem())
                .isEqualTo("no-such-scope");
        assertThat(grant(scope, "'count':4").status()).isEqualTo(201);
    }

    @Test
    void anExpiredBlockMakesRoom() {
        String scope = service.addScope(4, 0);
        String block = "'count':4,'durationSeconds':1,'layout':{'block':true}";
        grant(scope, block);
        await().atMost(Duration.ofSeconds(60)).until(() -> ask(scope, block).status() == 201);
    }

    private void wrongField(String scope, String more, String field) {
        Answer answer = ask(scope, more);
        assertThat(answer.problem()).as(answer.text()).isEqualTo("invalid-request");
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
    }

    private Answer grant(String scope, String more) {
        Answer answer = ask(scope, more);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private Answer ask(String scope, String more) {
        return rest.post(
                "/v1/leases",
                json(
                        "{'job':'shapes','scope':'"
                                + scope
                                + "'"
                                + (more.isEmpty() ? "" : ",")
                                + more
                                + "}"));
    }

    private void release(Answer lease) {
        assertThat(
                        rest.delete(
                                        "/v1/leases/" + lease.string("id"),
                                        SECRET,
                                        lease.string("secret"))
                                .status())
                .isEqualTo(204);
    }

    private Answer renew(Answer lease, int seconds) {
        return rest.post(
                "/v1/leases/" + lease.string("id") + "/renewal",
                "{\"durationSeconds\":" + seconds + "}",
                SECRET,
                lease.string("secret"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static List<Long> addresses(Answer lease) {
        List<Long> addresses = new ArrayList<>();
        for (JsonNode group : lease.json().path("groups")) {
            addresses.add(Ipv4.parse(group.path("address").asString()));
        }
        return addresses;
    }
}
