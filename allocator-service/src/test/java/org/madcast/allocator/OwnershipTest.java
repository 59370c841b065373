package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Every operation of REST, by every kind of caller, on what one job's token made. */
class OwnershipTest {

    private static final String OPERATOR = "the-operator-of-this-test";

    private static RunningService service;
    private static Rest rest;
    private static Map<Who, String[]> callers;

    /** A caller; the last one brings no token, and has the role job since it is near. */
    private enum Who {
        OWNER,
        OTHER,
        VIEWER,
        OPERATOR,
        NO_TOKEN
    }

    /** What is done with a job's things; what came of it, in words. */
    @FunctionalInterface
    private interface Deed {
        String of(OwnedThings things, String... by);
    }

    /**
     * An operation.
     *
     * @param mapping its method and path
     * @param name what is done
     * @param outcomes by the caller, in their order
     */
    record Row(String mapping, String name, Deed deed, List<String> outcomes) {

        @Override
        public String toString() {
            return mapping + " " + name;
        }
    }

    @BeforeAll
    static void start() {
        service =
                RunningService.replica(
                        "--madcast.access.from-loopback=job",
                        "--madcast.access.operator-token=" + OPERATOR);
        rest = service.rest();
        callers = new LinkedHashMap<>();
        callers.put(Who.OWNER, token("job"));
        callers.put(Who.OTHER, token("job"));
        callers.put(Who.VIEWER, token("viewer"));
        callers.put(Who.OPERATOR, bearer(OPERATOR));
        callers.put(Who.NO_TOKEN, new String[0]);
    }

    @AfterAll
    static void end() {
        service.close();
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static String[] token(String role) {
        return token(role, "t-" + UUID.randomUUID());
    }

    private static String[] token(String role, String name) {
        String wish = "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role);
        return bearer(rest.post("/v1/tokens", wish, bearer(OPERATOR)).string("token"));
    }

    private static String[] caller(Who who) {
        return Objects.requireNonNull(callers.get(who));
    }

    private static Row row(String mapping, String name, Deed deed, String outcomes) {
        return new Row(mapping, name, deed, List.of(outcomes.split(", ", -1)));
    }

    /** One that has nothing to do with a job's things: the status by the caller. */
    private static Row open(String mapping, String body, int... statuses) {
        String[] parts = mapping.split(" ", -1);
        String path = parts[1].replace("{name}", "none").replace("{id}", new UUID(0, 7).toString());
        Deed deed = (things, by) -> status(send(parts[0], path, body, by));
        return new Row(
                mapping, "", deed, Arrays.stream(statuses).mapToObj(String::valueOf).toList());
    }

    private static Rest.Answer send(String method, String path, String body, String... by) {
        return switch (method) {
            case "GET" -> rest.get(path + body, by);
            case "PUT" -> rest.put(path, body, by);
            case "DELETE" -> rest.delete(path, by);
            default -> rest.post(path, body, by);
        };
    }

    private static String status(Rest.Answer answer) {
        return String.valueOf(answer.status());
    }

    /** The status, and whether it is this thing that came back. */
    private static String same(Rest.Answer answer, String id) {
        return answer.status() + (answer.string("id").equals(id) ? " same" : " another");
    }

    /** The status, and whether the answer tells this. */
    private static String tells(Rest.Answer answer, String secret) {
        return answer.status() + (answer.text().contains(secret) ? " told" : "");
    }

    static List<Row> ofLeases() {
        return List.of(
                row(
                        "POST /v1/leases",
                        "with the same idempotency key",
                        (it, by) -> {
                            Rest.Answer answer = it.grant(by);
                            return answer.status() == 403 ? "403" : same(answer, it.lease);
                        },
                        "201 same, 201 another, 403, 201 another, 201 another"),
                row(
                        "GET /v1/leases",
                        "",
                        (it, by) -> tells(rest.get("/v1/leases?job=" + it.job, by), it.leaseSecret),
                        "200, 200, 200, 200, 200"),
                row(
                        "GET /v1/leases/{id}",
                        "",
                        (it, by) -> tells(rest.get("/v1/leases/" + it.lease, by), it.leaseSecret),
                        "200, 200, 200, 200, 200"),
                row(
                        "POST /v1/leases/{id}/renewal",
                        "with its secret",
                        (it, by) -> status(it.renewLease(by)),
                        "200, 403, 403, 200, 403"),
                row(
                        "DELETE /v1/leases/{id}",
                        "with its secret",
                        (it, by) -> status(it.releaseLease(by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "DELETE /v1/leases/{id}",
                        "by force",
                        (it, by) ->
                                status(rest.delete("/v1/leases/" + it.lease + "?force=true", by)),
                        "403, 403, 403, 204, 403"),
                open("GET /v1/history", "?address=239.192.0.1", 200, 200, 200, 200, 200));
    }

    static List<Row> ofCommunicators() {
        return List.of(
                row(
                        "POST /v1/communicators",
                        "of the same name",
                        (it, by) -> {
                            Rest.Answer answer = it.make("", by);
                            return answer.status() == 403
                                    ? "403"
                                    : tells(answer, it.wireToken)
                                            + same(answer, it.communicator).substring(3);
                        },
                        "200 told same, 201 another, 403, 201 another, 201 another"),
                row(
                        "POST /v1/communicators",
                        "its child",
                        (it, by) ->
                                status(
                                        it.make(
                                                "\"parent\":\"%s\",".formatted(it.communicator),
                                                by)),
                        "200, 403, 403, 200, 403"),
                row(
                        "POST /v1/communicators",
                        "another child of it",
                        (it, by) ->
                                status(
                                        rest.post(
                                                "/v1/communicators",
                                                "{\"parent\":\"%s\",\"job\":\"%s\",\"name\":\"b\",\"size\":1}"
                                                        .formatted(it.communicator, it.job),
                                                by)),
                        "201, 403, 403, 201, 403"),
                open("GET /v1/communicators", "", 200, 200, 200, 200, 200),
                row(
                        "DELETE /v1/communicators/{id}",
                        "with nobody else's token",
                        (it, by) -> status(rest.delete("/v1/communicators/" + it.communicator, by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "PUT /v1/communicators/{id}/profile",
                        "",
                        (it, by) ->
                                status(
                                        rest.put(
                                                "/v1/communicators/" + it.communicator + "/profile",
                                                ProfileRestTest.PROFILE,
                                                by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "GET /v1/communicators/{id}",
                        "",
                        (it, by) ->
                                tells(
                                        rest.get("/v1/communicators/" + it.communicator, by),
                                        it.wireToken),
                        "200 told, 200, 200, 200 told, 200"),
                row(
                        "GET /v1/communicators/{id}/statistics",
                        "",
                        (it, by) ->
                                tells(
                                        rest.get(
                                                "/v1/communicators/"
                                                        + it.communicator
                                                        + "/statistics",
                                                by),
                                        it.wireToken),
                        "200, 200, 200, 200, 200"));
    }

    static List<Row> ofMembers() {
        String members = "/v1/communicators/{id}/members/{rank}";
        return List.of(
                row(
                        "PUT " + members,
                        "a rank that is free",
                        (it, by) -> status(it.join(1, UUID.randomUUID(), by)),
                        "200, 403, 403, 200, 403"),
                row(
                        "PUT " + members,
                        "a rank of the same process",
                        (it, by) -> tells(it.join(0, it.instance, by), it.memberSecret),
                        "200 told, 403, 403, 200 told, 403"),
                row(
                        "POST " + members + "/renewal",
                        "with its secret",
                        (it, by) -> status(it.renewMember(by)),
                        "200, 403, 403, 200, 403"),
                row(
                        "DELETE " + members,
                        "with its secret",
                        (it, by) -> status(it.leave(by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "POST /v1/reports",
                        "with its secret",
                        (it, by) -> status(it.report(by)),
                        "200, 404, 403, 200, 404"),
                row(
                        "POST " + members + "/reports",
                        "with its secret",
                        (it, by) -> status(it.relay(by)),
                        "200, 404, 403, 200, 404"),
                row(
                        "POST " + members + "/reports",
                        "after the owner",
                        (it, by) -> {
                            it.relay(caller(Who.OWNER)); // its secret is remembered
                            return status(it.relay(by));
                        },
                        "200, 404, 403, 200, 404"));
    }

    static List<Row> ofOthers() {
        String node = "{\"name\":\"n\",\"leaving\":true}";
        return List.of(
                row(
                        "POST /v1/pushes",
                        "news of it",
                        (it, by) -> status(it.push(2, by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "POST /v1/pushes",
                        "old news of it",
                        (it, by) -> status(it.push(1, by)),
                        "204, 403, 403, 204, 403"),
                row(
                        "GET /v1/pushes/{id}",
                        "",
                        (it, by) -> status(rest.get("/v1/pushes/" + it.push, by)),
                        "200, 200, 200, 200, 200"),
                open("POST /v1/nodes", node, 400, 400, 403, 400, 400),
                open("GET /v1/nodes", "", 200, 200, 200, 200, 200),
                open("POST /v1/probes", "{}", 400, 400, 403, 400, 400),
                open("GET /v1/probes/{id}", "", 404, 404, 404, 404, 404),
                open("GET /v1/scopes", "", 200, 200, 200, 200, 200),
                open("GET /v1/scopes/{name}", "", 404, 404, 404, 404, 404),
                open("POST /v1/scopes/{name}", "{}", 403, 403, 403, 400, 401),
                open("PUT /v1/scopes/{name}", "{}", 403, 403, 403, 400, 401),
                open("DELETE /v1/scopes/{name}", "", 403, 403, 403, 404, 401),
                open("GET /v1/reservations", "", 200, 200, 200, 200, 200),
                open("POST /v1/reservations", "{}", 403, 403, 403, 400, 401),
                open("DELETE /v1/reservations/{id}", "", 403, 403, 403, 404, 401),
                open("POST /v1/import", "{}", 403, 403, 403, 415, 401),
                open("GET /v1/topologies", "", 200, 200, 200, 200, 200),
                open("GET /v1/topologies/{name}", "", 404, 404, 404, 404, 404),
                open("PUT /v1/topologies/{name}", "{}", 403, 403, 403, 400, 401),
                open("DELETE /v1/topologies/{name}", "", 403, 403, 403, 404, 401),
                open("GET /v1/audit", "", 403, 403, 403, 200, 401),
                // Of an operator refused as well: a stream would not end.
                open("GET /v1/audit/events", "?what=none", 403, 403, 403, 400, 401),
                open("GET /v1/webhooks", "", 403, 403, 403, 200, 401),
                open("PUT /v1/webhooks/{name}", "{}", 403, 403, 403, 400, 401),
                open("DELETE /v1/webhooks/{name}", "", 403, 403, 403, 404, 401),
                open("GET /v1/state", "", 403, 403, 403, 200, 401),
                open("PUT /v1/state", "{}", 403, 403, 403, 415, 401),
                open("GET /v1/tokens", "", 403, 403, 403, 200, 401),
                open("POST /v1/tokens", "{}", 403, 403, 403, 400, 401),
                open("POST /v1/tokens/{name}/rotation", "{}", 403, 403, 403, 404, 401),
                open("DELETE /v1/tokens/{name}", "", 403, 403, 403, 404, 401));
    }

    @ParameterizedTest
    @MethodSource({"ofLeases", "ofCommunicators", "ofMembers", "ofOthers"})
    void isForWhoseItIsAndForOperators(Row row) {
        OwnedThings things = new OwnedThings(rest, caller(Who.OWNER));
        Iterator<String> outcomes = row.outcomes().iterator(); // in the order of callers
        for (Who who : Who.values()) {
            if (!row.name().isEmpty() && who != Who.OWNER) {
                things = new OwnedThings(rest, caller(Who.OWNER));
            }
            String before = things.seenBy(caller(Who.OWNER));
            assertThat(row.deed().of(things, caller(who)))
                    .as("%s by %s", row, who)
                    .isEqualTo(outcomes.next());
            boolean mayNot = who != Who.OWNER && who != Who.OPERATOR;
            if (mayNot && !row.name().equals("after the owner")) {
                assertThat(things.seenBy(caller(Who.OWNER)))
                        .as("after %s by %s", row, who)
                        .isEqualTo(before);
            }
        }
    }

    /** A new operation is listed here, with which callers may use it. */
    @Test
    void everyOperationIsListed() {
        Set<String> listed = new TreeSet<>();
        for (List<Row> rows : List.of(ofLeases(), ofCommunicators(), ofMembers(), ofOthers())) {
            rows.forEach(it -> listed.add(it.mapping()));
        }
        Set<String> there = new TreeSet<>();
        service.part("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((mapping, method) -> {
                    for (String path : mapping.getPatternValues()) {
                        for (RequestMethod each : mapping.getMethodsCondition().getMethods()) {
                            if (path.startsWith("/v1/") && !path.startsWith("/v1/openapi")) {
                                there.add(each + " " + path);
                            }
                        }
                    }
                });
        assertThat(there).hasSizeGreaterThan(20);
        assertThat(listed).isEqualTo(there);
    }

    @Test
    void theProblemSaysWhatToShow() {
        OwnedThings things = new OwnedThings(rest, caller(Who.OWNER));
        Rest.Answer refused = things.join(1, UUID.randomUUID(), caller(Who.OTHER));
        assertThat(refused.problem()).isEqualTo("foreign-owner");
        assertThat(refused.string("title")).isEqualTo("That belongs to another token");
        assertThat(refused.string("detail")).contains("Madcast-Owner-Secret");
    }

    @Test
    void whatIsMadeWithoutATokenIsForThoseWithoutAndForOperators() {
        OwnedThings things = new OwnedThings(rest);
        assertThat(things.renewLease(caller(Who.OTHER)).problem()).isEqualTo("foreign-owner");
        assertThat(things.join(1, UUID.randomUUID(), caller(Who.OTHER)).status()).isEqualTo(403);
        assertThat(things.push(2, caller(Who.OTHER)).status()).isEqualTo(403);
        assertThat(things.grant().string("id")).isEqualTo(things.lease);
        assertThat(things.make("").string("id")).isEqualTo(things.communicator);
        assertThat(things.join(1, UUID.randomUUID()).status()).isEqualTo(200);
        assertThat(things.renewMember().status()).isEqualTo(200);
        assertThat(things.renewLease(caller(Who.OPERATOR)).status()).isEqualTo(200);
        assertThat(things.releaseLease().status()).isEqualTo(204);
    }

    @Test
    void whoShowsTheOwnerSecretSharesWhatWasMadeWithIt() {
        String secret = "shared-" + UUID.randomUUID();
        String[] owner = with(caller(Who.OWNER), secret);
        OwnedThings things = new OwnedThings(rest, owner);
        for (String[] by : List.of(with(caller(Who.OTHER), secret), with(new String[0], secret))) {
            assertThat(things.make("", by).string("token")).isEqualTo(things.wireToken);
            assertThat(things.join(0, things.instance, by).status()).isEqualTo(200);
            assertThat(things.renewMember(by).status()).isEqualTo(200);
            assertThat(things.renewLease(by).status()).isEqualTo(200);
            assertThat(things.grant(by).string("secret")).isEqualTo(things.leaseSecret);
        }
        String[] guess = with(caller(Who.OTHER), "guess-" + UUID.randomUUID());
        assertThat(things.join(1, UUID.randomUUID(), guess).status()).isEqualTo(403);
        // One token's jobs are apart, too.
        assertThat(things.renewLease(caller(Who.OWNER)).status()).isEqualTo(403);
        assertThat(things.renewLease(with(caller(Who.VIEWER), secret)).problem())
                .isEqualTo("role-needed");
        Rest.Answer tooShort = things.make("", with(caller(Who.OWNER), "short"));
        assertThat(tooShort.problem()).isEqualTo("invalid-request");
    }

    private static String[] with(String[] by, String ownerSecret) {
        String[] all = Arrays.copyOf(by, by.length + 2);
        all[by.length] = "Madcast-Owner-Secret";
        all[by.length + 1] = ownerSecret;
        return all;
    }

    @Test
    void aNameThatIsUsedAgainIsAnotherOwner() {
        String name = "again-" + UUID.randomUUID();
        OwnedThings things = new OwnedThings(rest, token("job", name));
        rest.delete("/v1/tokens/" + name, bearer(OPERATOR));
        String[] namesake = token("job", name);
        assertThat(things.renewLease(namesake).status()).isEqualTo(403);
        assertThat(things.grant(namesake).string("id")).isNotEqualTo(things.lease);
    }

    /** As a replica of the version before writes it. */
    @Test
    void whatHasNoOwnerIsForWhoeverCouldUseItBefore() {
        OwnedThings things = new OwnedThings(rest);
        for (String table : List.of("lease", "communicator", "fleet_push")) {
            service.jdbc()
                    .sql(
                            "update %s set owned_by = null where id in (:lease::uuid, :c::uuid, :push)"
                                    .formatted(table))
                    .param("lease", things.lease)
                    .param("c", things.communicator)
                    .param("push", things.push)
                    .update();
        }
        String[] job = caller(Who.OTHER);
        assertThat(things.grant(job).string("secret")).isEqualTo(things.leaseSecret);
        assertThat(things.make("", job).string("token")).isEqualTo(things.wireToken);
        assertThat(things.join(1, UUID.randomUUID(), job).status()).isEqualTo(200);
        assertThat(things.renewMember(job).status()).isEqualTo(200);
        assertThat(things.push(2, job).status()).isEqualTo(204);
        assertThat(things.renewLease(job).status()).isEqualTo(200);
        assertThat(things.releaseLease(job).status()).isEqualTo(204);
    }
}
