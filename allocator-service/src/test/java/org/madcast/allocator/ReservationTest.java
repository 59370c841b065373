package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.client.ExchangeEvent;
import org.springframework.dao.DataIntegrityViolationException;
import tools.jackson.databind.JsonNode;

/** Reserved groups: their owner gets them, and no other. */
class ReservationTest {

    private static final RunningService SERVICE = RunningService.shared();
    private static final Rest REST = SERVICE.rest();
    private static final String CSV = "text/csv";

    private static Answer reserve(String address, String more) {
        return REST.post("/v1/reservations", "{\"address\":\"%s\"%s}".formatted(address, more));
    }

    private static Answer grant(Rest rest, String scope, String job, String more) {
        return rest.post(
                "/v1/leases", "{\"job\":\"%s\",\"scope\":\"%s\"%s}".formatted(job, scope, more));
    }

    private static Answer release(Rest rest, Answer lease) {
        return rest.delete(
                "/v1/leases/" + lease.string("id"),
                OwnedThings.LEASE_SECRET,
                lease.string("secret"));
    }

    private static String address(Answer lease) {
        return lease.json().at("/groups/0/address").asString();
    }

    /** The first address of a scope that {@link RunningService#addScope} has made. */
    private static String base(String scope) {
        return "239.120.%s.".formatted(scope.substring(scope.indexOf('-') + 1));
    }

    private static Set<String> allThatIsLeft(String scope) {
        Set<String> addresses = new HashSet<>();
        for (Answer lease = grant(REST, scope, "others", "");
                lease.status() == 201;
                lease = grant(REST, scope, "others", "")) {
            addresses.add(address(lease));
        }
        return addresses;
    }

    @Test
    void nobodyElseGetsItAndTheOwnerDoesAgainAndAgain() {
        String scope = SERVICE.addScope(8, 60);
        String kept = base(scope) + "3";
        String job = RunningService.newJob();
        Answer made = reserve(kept, ",\"port\":7777,\"job\":\"%s\"".formatted(job));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.string("scope")).isEqualTo(scope);
        assertThat(allThatIsLeft(scope)).hasSize(7).doesNotContain(kept);
        for (int i = 0; i < 3; i++) {
            Answer mine = grant(REST, scope, job, "");
            assertThat(mine.status()).as(mine.text()).isEqualTo(201);
            assertThat(mine.json().at("/groups/0/port").asInt()).isEqualTo(7777);
            assertThat(address(mine)).isEqualTo(kept);
            assertThat(reservation(made).path("lease").asString()).isEqualTo(mine.string("id"));
            assertThat(grant(REST, scope, job, "").problem()).isEqualTo("pool-exhausted");
            Answer renewed =
                    REST.post(
                            "/v1/leases/" + mine.string("id") + "/renewal",
                            "{\"durationSeconds\":7200}",
                            OwnedThings.LEASE_SECRET,
                            mine.string("secret"));
            assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
            assertThat(release(REST, mine).status()).isEqualTo(204);
            assertThat(grant(REST, scope, "others", "").problem()).isEqualTo("pool-exhausted");
        }
        assertThat(REST.delete("/v1/reservations/" + made.string("id")).status()).isEqualTo(204);
        assertThat(REST.delete("/v1/reservations/" + made.string("id")).problem())
                .isEqualTo("no-such-reservation");
        // Its last lease's group rests, as any.
        assertThat(grant(REST, scope, "others", "").problem()).isEqualTo("pool-exhausted");
        String audit = REST.get("/v1/audit?what=reservation").text();
        assertThat(audit).contains("reservation.made", "reservation.removed", kept + ":7777", job);
    }

    private static JsonNode reservation(Answer made) {
        for (JsonNode it : REST.get("/v1/reservations").json().path("reservations")) {
            if (it.path("id").asString().equals(made.string("id"))) {
                return it;
            }
        }
        throw new AssertionError("not listed: " + made.text());
    }

    @Test
    void whatIsRemovedOrHasEndedIsFree() {
        String scope = SERVICE.addScope(3, 60);
        Answer removed = reserve(base(scope) + "0", ",\"user\":\"ada\"");
        Instant soon = Instant.now().plusSeconds(4);
        Answer ends = reserve(base(scope) + "1", ",\"user\":\"ada\",\"until\":\"" + soon + "\"");
        assertThat(ends.status()).as(ends.text()).isEqualTo(201);
        assertThat(allThatIsLeft(scope)).containsExactly(base(scope) + "2");
        // It stands for no lease: nobody lists one.
        assertThat(REST.get("/v1/leases?scope=" + scope).json().path("total").asInt()).isEqualTo(1);
        assertThat(REST.get("/leases?scope=" + scope).text())
                .contains(base(scope) + "2")
                .doesNotContain(base(scope) + "0", base(scope) + "1");
        REST.delete("/v1/reservations/" + removed.string("id"));
        assertThat(address(grant(REST, scope, "others", ""))).isEqualTo(base(scope) + "0");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> grant(REST, scope, "others", "").status() == 201);
        assertThat(REST.get("/v1/reservations").text()).doesNotContain(ends.string("id"));
        // Nor does what has ended keep its scope from being removed.
        SERVICE.jdbc()
                .sql("update lease set released_at = now() where scope = ?")
                .param(scope)
                .update();
        SERVICE.jdbc()
                .sql("delete from lease_group where scope = ? and not settled")
                .param(scope)
                .update();
        assertThat(REST.delete("/v1/scopes/" + scope).status()).isEqualTo(204);
    }

    @Test
    void aUserHasItOnAllPortsAndInIpv6() {
        String scope = RunningService.newJob().substring(0, 20);
        SERVICE.addScope(scope, "ff18::9000:0/126", 0, scope, false);
        String kept = "ff18::9000:2";
        Answer made =
                reserve("FF18:0:0:0:0:0:9000:2", ",\"user\":\"ada\",\"scope\":\"" + scope + "\"");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.string("address")).isEqualTo(kept);
        assertThat(allThatIsLeft(scope)).doesNotContain(kept);
        Answer other = grant(REST, scope, "j", ",\"user\":\"bob\"");
        assertThat(other.problem()).isEqualTo("pool-exhausted");
        assertThat(address(grant(REST, scope, "j", ",\"user\":\"ada\""))).isEqualTo(kept);
    }

    @Test
    void aTokenHasItWhateverTheJob() {
        String scope = SERVICE.addScope(1, 0);
        String name = RunningService.newJob().substring(0, 30);
        String token =
                REST.post("/v1/tokens", "{\"name\":\"%s\",\"role\":\"job\"}".formatted(name))
                        .string("token");
        assertThat(reserve(base(scope) + "0", ",\"token\":\"%s\"".formatted(name)).status())
                .isEqualTo(201);
        assertThat(grant(REST, scope, "j", "").problem()).isEqualTo("pool-exhausted");
        Answer mine =
                REST.post(
                        "/v1/leases",
                        "{\"job\":\"j\",\"scope\":\"%s\"}".formatted(scope),
                        "Authorization",
                        "Bearer " + token);
        assertThat(mine.status()).as(mine.text()).isEqualTo(201);
    }

    @Test
    void ofSeveralGroupsTheReservedOnesComeFirst() {
        String scope = SERVICE.addScope(200, 0);
        String job = RunningService.newJob();
        reserve(base(scope) + "10", ",\"job\":\"%s\"".formatted(job));
        reserve(base(scope) + "20", ",\"job\":\"%s\"".formatted(job));
        Answer lease = grant(REST, scope, job, ",\"count\":5");
        Set<String> addresses = new HashSet<>();
        lease.json().path("groups").forEach(it -> addresses.add(it.path("address").asString()));
        assertThat(addresses).hasSize(5).contains(base(scope) + "10", base(scope) + "20");
    }

    @Test
    void whatIsWrongIsRefused() {
        String scope = SERVICE.addScope(2, 60);
        String address = base(scope) + "0";
        assertThat(reserve("10.0.0.1", ",\"job\":\"j\"").problem()).isEqualTo("invalid-request");
        assertThat(reserve("nonsense", ",\"job\":\"j\"").problem()).isEqualTo("invalid-request");
        assertThat(reserve(address, "").problem()).isEqualTo("invalid-request");
        assertThat(reserve(address, ",\"job\":\"j\",\"until\":\"2020-01-01T00:00:00Z\"").problem())
                .isEqualTo("invalid-request");
        assertThat(reserve(address, ",\"token\":\"nobody-s\"").problem())
                .isEqualTo("invalid-request");
        Answer lease = grant(REST, scope, "j", "");
        Answer inUse = reserve(address(lease), ",\"job\":\"k\"");
        assertThat(inUse.problem()).isEqualTo("conflict");
        assertThat(inUse.text()).contains("a lease of job j");
        String other = address.equals(address(lease)) ? base(scope) + "1" : address;
        assertThat(reserve(other, ",\"job\":\"j\"").status()).isEqualTo(201);
        assertThat(reserve(other, ",\"job\":\"k\"").text()).contains("a reservation of job j");
    }

    /** Whatever the code does. */
    @Test
    void theDatabaseKeepsOthersOut() {
        String scope = SERVICE.addScope(2, 0);
        String address = base(scope) + "0";
        assertThat(reserve(address, ",\"job\":\"j\"").status()).isEqualTo(201);
        assertThatThrownBy(() ->
                        SERVICE.jdbc()
                                .sql(
                                        """
                                        with l as (
                                            insert into lease (id, scope, job, secret_hash,
                                                granted_at, starts_at, expires_at)
                                            values (gen_random_uuid(), ?, 'past the service',
                                                repeat('0', 64), now(), now(),
                                                now() + interval '1 h')
                                            returning id)
                                        insert into lease_group (lease_id, ordinal, scope, address,
                                            port, segment, blocked)
                                        select id, 0, ?, ?::inet, 9999, ?,
                                            tstzrange(now(), now() + interval '1 h') from l
                                        """)
                                .params(scope, scope, address, scope)
                                .update())
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    /** Owners and others on two replicas: at no time two have a group, nor another a kept one. */
    @Test
    void twoReplicasKeepThemApart() throws InterruptedException, ExecutionException {
        String scope = SERVICE.addScope(6, 0);
        String job = RunningService.newJob();
        Set<String> kept = Set.of(base(scope) + "1", base(scope) + "4");
        kept.forEach(it ->
                assertThat(reserve(it, ",\"job\":\"%s\"".formatted(job)).status()).isEqualTo(201));
        Set<String> held = ConcurrentHashMap.newKeySet();
        try (RunningService replica = RunningService.replica();
                ExecutorService threads = Executors.newFixedThreadPool(6)) {
            List<Rest> both = List.of(REST, replica.rest());
            List<Future<Integer>> done = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Rest rest = both.get(i % 2);
                boolean owner = i < 4;
                done.add(
                        threads.submit(
                                () -> churn(rest, scope, owner ? job : "others", kept, held)));
            }
            int granted = 0;
            for (Future<Integer> each : done) {
                granted += each.get();
            }
            assertThat(granted).isGreaterThan(60);
        }
        // And it is still kept. A group whose slot was locked at its release comes a little later.
        Set<String> left = new HashSet<>();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> {
                    left.addAll(allThatIsLeft(scope));
                    return left.size() == 4;
                });
        assertThat(left).doesNotContainAnyElementsOf(kept);
    }

    private static int churn(
            Rest rest, String scope, String job, Set<String> kept, Set<String> held) {
        int granted = 0;
        for (int i = 0; i < 25; i++) {
            Answer lease = grant(rest, scope, job, "");
            if (lease.status() != 201) {
                assertThat(lease.problem()).isEqualTo("pool-exhausted");
                continue;
            }
            granted++;
            String address = address(lease);
            assertThat(held.add(address)).as("%s had twice", address).isTrue();
            assertThat(job.equals("others") && kept.contains(address)).as(address).isFalse();
            held.remove(address);
            assertThat(release(rest, lease).status()).isEqualTo(204);
        }
        return granted;
    }

    @Test
    void aMadcapClientGetsWhatIsReservedForItsAddressAndNothingElse() throws SocketException {
        String zone = "239.129.76.";
        String scope =
                SERVICE.addScope("madcap-kept", zone + "0-239.129.77.255", 0, "madcap-kept", false);
        assertThat(reserve(zone + "9", ",\"job\":\"x\"").status()).isEqualTo(201);
        assertThat(reserve(zone + "10", ",\"user\":\"127.0.0.1\"").status()).isEqualTo(201);
        int port = FreePort.udp();
        try (RunningService madcap =
                        RunningService.madcap(
                                port,
                                "--madcast.madcap.scopes=" + scope,
                                "--madcast.madcap.quota.addresses-per-client=400");
                MadcapClient client = new MadcapClient(port)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> request(client, 1) instanceof ExchangeEvent.Granted);
            assertThat(
                            madcap.jdbc()
                                    .sql(
                                            "select host(address) from lease_group g join lease l"
                                                    + " on l.id = g.lease_id where g.scope = ?"
                                                    + " and l.released_at is null")
                                    .param(scope)
                                    .query(String.class)
                                    .list())
                    .containsExactly(zone + "10");
            assertThat(request(client, 255)).isInstanceOf(ExchangeEvent.Refused.class);
            assertThat(request(client, 254)).isInstanceOf(ExchangeEvent.Granted.class);
            assertThat(grant(REST, scope, "others", "").problem()).isEqualTo("pool-exhausted");
            assertThat(address(grant(REST, scope, "x", ""))).isEqualTo(zone + "9");
        }
    }

    private static ExchangeEvent.Outcome request(MadcapClient client, int count) {
        return client.ask(
                MadcapClient.message(
                        MessageType.REQUEST,
                        MadcapClient.newLeaseId(),
                        new Option.MulticastScope(NetAddress.parse("239.129.76.0")),
                        new Option.NumberOfAddresses(count, count)));
    }

    private static Answer table(String query, String text) {
        return REST.post("/v1/import" + query, text, "Content-Type", CSV);
    }

    @Test
    void aSpreadsheetBecomesReservationsOrNone() {
        String scope = SERVICE.addScope(9, 60);
        String b = base(scope);
        String good =
                """
                \uFEFFaddress;port;job;until
                %s1;7000;"weather; daily";2199-12-31
                %s2;;chem;
                %s3;7000;chem;2199-03-31T12:00:00Z
                """
                        .formatted(b, b, b);
        Answer tried = table("?dryRun=true", good);
        assertThat(tried.status()).as(tried.text()).isEqualTo(200);
        assertThat(tried.json().path("rows").asInt()).isEqualTo(3);
        assertThat(REST.get("/v1/reservations").text()).doesNotContain(b);
        assertThat(table("", good).status()).isEqualTo(200);
        assertThat(REST.get("/v1/reservations").text())
                .contains(b + "1", b + "2", b + "3", "weather; daily", "2199-12-31T00:00:00Z");

        assertThat(table("", "address,job\n" + b + "4,j\n" + b + "1,k\n").text())
                .contains("line 3, " + b + "1: in the way is a reservation of job weather");
        assertThat(table("", "address,job\n" + b + "5,j\n\n" + b + "6,\n").text())
                .contains("line 4", "job is needed");
        assertThat(table("", "address,port,job\n" + b + "5,many,j\n").text()).contains("line 2");
        assertThat(table("", "address,job,until\n" + b + "5,j,soon\n").text()).contains("line 2");
        assertThat(table("", "address,colour\n" + b + "5,red\n").text()).contains("'colour'");
        assertThat(table("", "address,job\n\"" + b + "5,j\n").problem())
                .isEqualTo("invalid-request");
        assertThat(table("", "").problem()).isEqualTo("invalid-request");
        assertThat(table("", "address,job\n" + b + "7,j\n" + b + "7,j\n").problem())
                .isEqualTo("conflict");
        assertThat(REST.get("/v1/reservations").text())
                .doesNotContain(b + "4", b + "5", b + "6", b + "7");
    }

    @Test
    void allWrongLinesAreNamedUpToTwenty() {
        String b = base(SERVICE.addScope(9, 60));
        Answer several =
                table(
                        "",
                        "address,port,job\n%1$s1,many,j\n%1$s2,7000,j\n%1$s3,0,j\n,,j\n"
                                .formatted(b));
        assertThat(several.status()).isEqualTo(400);
        assertThat(several.json().path("errors").findValuesAsString("field"))
                .containsExactly("line 2", "line 4", "line 5");
        Answer ownerless = table("", "address,job\n%1$s1,\n%1$s2,j\n10.0.0.1,j\n".formatted(b));
        assertThat(ownerless.json().path("errors").findValuesAsString("field"))
                .containsExactly("line 2", "line 4");
        Answer many = table("", "address,port,job\n" + (b + "1,many,j\n").repeat(30));
        assertThat(many.json().path("errors")).hasSize(20);
        assertThat(reserve(b + "1", ",\"job\":\"j\"").status()).isEqualTo(201);
        assertThat(reserve(b + "2", ",\"job\":\"j\"").status()).isEqualTo(201);
        assertThat(table("", "address,job\n%1$s1,k\n%1$s3,k\n%1$s2,k\n".formatted(b)).text())
                .contains("line 2, " + b + "1: in the way", "line 4, " + b + "2: in the way");
    }

    @Test
    void keasLeasesAreLeasesHere() {
        String scope = SERVICE.addScope(9, 60);
        String b = base(scope);
        long later = Instant.now().plusSeconds(3600).getEpochSecond();
        String file =
                """
                address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context,pool_id
                %1$s1,01:02:03:04:05:06,,3600,%2$d,7,0,0,old.example,0,,0
                %1$s1,01:02:03:04:05:06,,3600,%2$d,7,0,0,cam1.example,0,,0
                %1$s2,01:02:03:04:05:07,,3600,%2$d,7,0,0,,0,{ "job": "weather"&#x2c "user": "ada"&#x2c "port": 7000 },0
                %1$s3,01:02:03:04:05:08,,3600,1600000000,7,0,0,gone.example,0,,0
                %1$s4,01:02:03:04:05:09,,3600,%2$d,7,0,0,back.example,0,,0
                %1$s4,01:02:03:04:05:09,,0,%2$d,7,0,0,back.example,0,,0
                %1$s5,,,3600,%2$d,7,0,0,,1,,0
                """
                        .formatted(b, later);
        Answer leases = table("?as=LEASES", file);
        assertThat(leases.status()).as(leases.text()).isEqualTo(200);
        assertThat(leases.json().path("rows").asInt()).isEqualTo(2);
        JsonNode first = leases.json().at("/leases/0");
        assertThat(first.path("job").asString()).isEqualTo("cam1.example");
        JsonNode second = leases.json().at("/leases/1");
        assertThat(second.path("user").asString()).isEqualTo("ada");
        assertThat(second.at("/groups/0/port").asInt()).isEqualTo(7000);
        assertThat(Instant.parse(second.path("expiresAt").asString()))
                .isEqualTo(Instant.ofEpochSecond(later));
        Answer renewed =
                REST.post(
                        "/v1/leases/" + second.path("id").asString() + "/renewal",
                        "{\"durationSeconds\":60}",
                        OwnedThings.LEASE_SECRET,
                        second.path("secret").asString());
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        Answer nameless =
                table(
                        "",
                        file.substring(0, file.indexOf('\n') + 1)
                                + "%s6,,,3600,%d,7,0,0,,0,,0\n".formatted(b, later));
        assertThat(nameless.text()).contains("line 2", "hostname");
    }
}
