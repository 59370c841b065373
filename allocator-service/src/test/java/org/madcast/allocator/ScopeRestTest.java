package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.allocator.Rest.Answer;

/** What an operator does to scopes, and sees of them. */
class ScopeRestTest {

    private static final String SECRET = "Madcast-Lease-Secret";

    private final Rest rest = RunningService.shared().rest();
    private final String name = "op-" + RunningService.newJob().substring(4, 12);
    private final String path = "/v1/scopes/" + name;

    @Test
    void makesAScopeThatGrants() {
        Answer made =
                put(
                        "POST",
                        "'ranges':['225.7.0.0/28'],'excluded':['225.7.0.3'],'allowUnscoped':true,"
                                + "'ports':{'first':7000,'last':7000},'ttl':9,'picker':'sequential',"
                                + "'description':'ours'");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().path("capacity").asInt()).isEqualTo(15);
        assertThat(made.json().at("/rules/picker").asString()).isEqualTo("sequential");
        assertThat(rest.get(path).json()).isEqualTo(made.json());
        Answer lease = grant("'count':4");
        assertThat(lease.json().path("ttl").asInt()).isEqualTo(9);
        assertThat(new HashSet<>(lease.json().path("groups").findValuesAsString("address")))
                .isEqualTo(Set.of("225.7.0.0", "225.7.0.1", "225.7.0.2", "225.7.0.4"));
        Answer again = put("POST", "'ranges':['225.7.0.0/28'],'allowUnscoped':true");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.problem()).isEqualTo("scope-exists");
    }

    @Test
    void ofManyWhoMakeOneScopeAtOnceOneDoes() throws Exception {
        List<Callable<Answer>> calls =
                Collections.nCopies(8, () -> put("POST", "'ranges':['239.193.219.0/28']"));
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            for (Future<Answer> answer : threads.invokeAll(calls)) {
                statuses.add(answer.get().status());
            }
        }
        assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
    }

    @Test
    void aClosedScopeKeepsItsLeasesAndGrantsNone() {
        String properties = "'ranges':['239.193.220.0/28']";
        put("POST", properties);
        Answer lease = grant("");
        Answer closed = put("PUT", properties + ",'closed':true");
        assertThat(closed.json().at("/rules/closed").asBoolean()).isTrue();
        Answer refused = ask("");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("scope-closed");
        assertThat(
                        rest.post(
                                        "/v1/leases/" + lease.string("id") + "/renewal",
                                        "{\"durationSeconds\":60}",
                                        SECRET,
                                        lease.string("secret"))
                                .status())
                .isEqualTo(200);
        put("PUT", properties);
        assertThat(grant("").status()).isEqualTo(201);
    }

    @Test
    void anotherRangeLeavesLiveLeasesAlone() {
        put(
                "POST",
                "'ranges':['239.121.221.0-239.121.221.3'],'allowUnscoped':true,'quarantineSeconds':0");
        Answer first = grant("'count':4");
        put(
                "PUT",
                "'ranges':['239.121.221.0-239.121.221.5'],'allowUnscoped':true,'quarantineSeconds':0");
        Answer second = grant("'count':2");
        assertThat(second.json().path("groups").findValuesAsString("address"))
                .containsExactlyInAnyOrder("239.121.221.4", "239.121.221.5");
        assertThat(ask("").problem()).isEqualTo("pool-exhausted");
        rest.delete("/v1/leases/" + first.string("id"), SECRET, first.string("secret"));
        put(
                "PUT",
                "'ranges':['239.121.221.0-239.121.221.3'],'allowUnscoped':true,'quarantineSeconds':0");
        assertThat(grant("'count':4").status()).isEqualTo(201);
    }

    @Test
    void noOwnerGetsMoreThanTheQuota() {
        put("POST", "'ranges':['239.193.222.0/26'],'quota':{'groupsPerJob':3,'groupsPerUser':4}");
        Answer three = grant("'count':3");
        Answer refused = ask("");
        assertThat(refused.problem()).isEqualTo("quota-exceeded");
        assertThat(refused.json().path("quota").asInt()).isEqualTo(3);
        assertThat(refused.json().path("inUse").asInt()).isEqualTo(3);
        rest.delete("/v1/leases/" + three.string("id"), SECRET, three.string("secret"));
        grant("'user':'ana','count':2");
        assertThat(askAs("other", "'user':'ana','count':2").status()).isEqualTo(201);
        Answer byUser = askAs("third", "'user':'ana'");
        assertThat(byUser.problem()).isEqualTo("quota-exceeded");
        assertThat(byUser.string("of")).isEqualTo("user");
    }

    @Test
    void tellsWhoHadAnAddress() {
        put("POST", "'ranges':['239.121.223.0'],'allowUnscoped':true,'quarantineSeconds':0");
        Answer first = grant("'user':'ana'");
        rest.delete("/v1/leases/" + first.string("id"), SECRET, first.string("secret"));
        Answer second = grant("'layout':{'portsPerAddress':2}");
        Answer history = rest.get("/v1/history?address=239.121.223.0");
        assertThat(history.json().path("items").findValuesAsString("leaseId"))
                .isEqualTo(List.of(second.string("id"), first.string("id")));
        assertThat(history.json().at("/items/1/user").asString()).isEqualTo("ana");
        assertThat(history.json().at("/items/1/released").asBoolean()).isTrue();
        assertThat(history.json().at("/items/0/ports/last").asInt())
                .isEqualTo(history.json().at("/items/0/ports/first").asInt() + 1);
        assertThat(
                        rest.get("/v1/history?address=239.121.223.0&to=2020-01-01T00:00:00Z")
                                .json()
                                .path("items")
                                .size())
                .isZero();
        assertThat(rest.get("/v1/history?address=x1").problem()).isEqualTo("invalid-request");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ranges':[]|ranges",
                "'ranges':['10.0.0.0/24']|ranges",
                "'ranges':['225.1.0.0/24']|ranges",
                "'ranges':['232.1.0.0/24'],'allowUnscoped':true|ranges",
                "'ranges':['239.192.0.0/24'],'excluded':['x']|excluded",
                "'ranges':['239.192.0.0/24'],'ports':{'first':9,'last':8}|ports.last",
                "'ranges':['239.192.0.0/24'],'ports':{'first':0,'last':8}|ports.first",
                "'ranges':['239.192.0.0/24'],'ttl':256|ttl",
                "'ranges':['239.192.0.0/24'],'picker':'best'|picker",
                "'ranges':['239.192.0.0/24'],'quota':{'groupsPerJob':0}|quota.groupsPerJob",
                "'ranges':['239.192.0.0/24'],'surprise':1|surprise",
            })
    void namesTheFieldThatIsWrong(String properties, String field) {
        Answer answer = put("POST", properties);
        assertThat(answer.problem()).as(answer.text()).isEqualTo("invalid-request");
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(rest.get(path).problem()).isEqualTo("no-such-scope");
        assertThat(put("PUT", "'ranges':['239.193.224.0/24']").problem())
                .isEqualTo("no-such-scope");
        assertThat(rest.get("/v1/scopes/No").problem()).isEqualTo("invalid-request");
    }

    private Answer put(String method, String properties) {
        String body =
                "{%s,\"sharing\":{\"segment\":\"%s\"}}"
                        .formatted(properties.replace('\'', '"'), name);
        return method.equals("PUT") ? rest.put(path, body) : rest.post(path, body);
    }

    private Answer grant(String more) {
        Answer answer = ask(more);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private Answer ask(String more) {
        return askAs("operated", more);
    }

    private Answer askAs(String job, String more) {
        return rest.post(
                "/v1/leases",
                "{\"job\":\"%s\",\"scope\":\"%s\"%s%s}"
                        .formatted(job, name, more.isEmpty() ? "" : ",", more.replace('\'', '"')));
    }
}
