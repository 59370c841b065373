package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.OpenApiContract.Operation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends valid and invalid requests, made from the OpenAPI document, to each operation: every answer
 * has a documented status and problem, and a body as its schema says, with no field that the schema
 * does not have.
 */
class OpenApiFuzzTest {

    /** They answer for minutes, or only in a service that has granted nothing. */
    private static final Set<String> WITHOUT_SUCCESS =
            Set.of("GET /v1/audit/events", "PUT /v1/state");

    private static final List<String> ORDER = List.of("PUT", "POST", "GET", "DELETE");
    private static final String NAME = "fuzzed";

    private RunningService service;
    private Rest rest;
    private OpenApiContract contract;
    private RequestMaker maker;

    /** What was answered, by the first part of the path and the field: lease ids, secrets. */
    private final Map<String, List<String>> known = new HashMap<>();

    private final Set<String> succeeded = new TreeSet<>();
    private final Set<String> faults = new TreeSet<>();
    private int jobs;

    @BeforeEach
    void start() {
        service = RunningService.onDatabaseNamed(RunningService.newDatabase("fuzz"));
        rest = service.rest();
        contract = new OpenApiContract(rest.get("/v1/openapi").json());
        maker = new RequestMaker(contract, new Random(Long.getLong("madcast.seed", 1)));
    }

    @AfterEach
    void end() {
        service.close();
    }

    @Test
    void everyAnswerIsAsDocumented() {
        fuzz(12);
    }

    @Tag("slow")
    @Test
    void everyAnswerToManyRequestsIsAsDocumented() {
        fuzz(400);
    }

    private void fuzz(int requestsEach) {
        List<Operation> operations = inOrder();
        operations.forEach(it -> send(it, true));
        TreeSet<String> all = new TreeSet<>();
        operations.forEach(it -> all.add(it.toString()));
        all.removeAll(WITHOUT_SUCCESS);
        assertThat(faults).isEmpty();
        assertThat(succeeded).isEqualTo(all);
        for (int i = 0; i < requestsEach; i++) {
            operations.forEach(it -> send(it, false));
        }
        assertThat(faults).isEmpty();
    }

    /** First what makes things, then what reads and removes them; long paths are of parts. */
    private List<Operation> inOrder() {
        List<Operation> all = new ArrayList<>(contract.operations());
        Comparator<Operation> depth = Comparator.comparingInt(it -> it.path().length());
        all.sort(
                Comparator.<Operation>comparingInt(it -> it.method().equals("DELETE") ? 1 : 0)
                        .thenComparing((one, other) ->
                                one.method().equals("DELETE")
                                        ? depth.compare(other, one)
                                        : depth.compare(one, other))
                        .thenComparingInt(it -> it.path().equals("/v1/reports") ? 1 : 0)
                        .thenComparingInt(it -> ORDER.indexOf(it.method())));
        // A scope is made before it is replaced; a report needs a rank.
        all.sort(Comparator.comparingInt(OpenApiFuzzTest::turn));
        return all;
    }

    private static int turn(Operation operation) {
        boolean makes =
                operation.method().equals("POST") && operation.path().equals("/v1/scopes/{name}");
        if (makes || operation.path().equals("/v1/communicators")) {
            return 0;
        }
        boolean late = operation.path().endsWith("reports") || operation.path().contains("/statis");
        return operation.method().equals("DELETE") ? 3 : late ? 2 : 1;
    }

    private void send(Operation operation, boolean valid) {
        StringBuilder path = new StringBuilder(operation.path());
        List<String> query = new ArrayList<>();
        List<String> headers = new ArrayList<>();
        for (JsonNode parameter : operation.description().path("parameters")) {
            String name = parameter.path("name").asString();
            boolean needed =
                    parameter.path("required").asBoolean()
                            || !parameter.path("in").asString().equals("query");
            if (!needed && (valid || maker.chance(0.6))) {
                continue;
            }
            String value = value(operation, parameter, valid);
            switch (parameter.path("in").asString()) {
                case "path" -> {
                    int at = path.indexOf("{" + name + "}");
                    path.replace(at, at + name.length() + 2, encoded(value));
                }
                case "query" -> query.add(name + "=" + encoded(value));
                default -> {
                    String plain = value.replaceAll("[^ -~]", "?").strip();
                    headers.addAll(List.of(name, plain));
                }
            }
        }
        if (operation.path().equals("/v1/audit/events")) {
            query.add("what=nothing"); // else it does not end
        }
        if (!query.isEmpty()) {
            path.append('?').append(String.join("&", query));
        }
        String body = body(operation, valid, headers);
        check(operation, path.toString(), body, headers);
    }

    private void check(Operation operation, String path, String body, List<String> headers) {
        String[] all = headers.toArray(String[]::new);
        Rest.Answer answer =
                switch (operation.method()) {
                    case "GET" -> rest.get(path, all);
                    case "PUT" -> rest.put(path, body, all);
                    case "DELETE" -> rest.delete(path, all);
                    default -> rest.post(path, body, all);
                };
        for (String fault : contract.faults(operation, answer)) {
            faults.add(
                    "%s: %s%n    %s %s %s%n    %d %s"
                            .formatted(
                                    operation,
                                    fault,
                                    path,
                                    headers,
                                    cut(body),
                                    answer.status(),
                                    cut(answer.text())));
        }
        if (answer.status() < 300) {
            succeeded.add(operation.toString());
            boolean tells =
                    "POST PUT".contains(operation.method()) && answer.text().startsWith("{");
            if (tells) {
                learn(operation, answer.json());
            }
        }
    }

    /** Keeps what a later request can name. */
    private void learn(Operation operation, JsonNode answer) {
        for (String field : List.of("id", "secret", "memberSecret")) {
            if (answer.has(field)) {
                known(operation, field).add(answer.path(field).asString());
            }
        }
    }

    private List<String> known(Operation operation, String field) {
        String first = operation.path().split("/", -1)[2];
        return known.computeIfAbsent(first + "." + field, it -> new ArrayList<>());
    }

    private String value(Operation operation, JsonNode parameter, boolean valid) {
        String name = parameter.path("name").asString();
        if (!valid && maker.chance(0.3)) {
            return maker.parameter(parameter.path("schema"));
        }
        List<String> ids =
                known(
                        operation,
                        switch (name) {
                            case "Madcast-Lease-Secret" -> "secret";
                            case "Madcast-Member-Secret" -> "memberSecret";
                            default -> name;
                        });
        return switch (name) {
            case "name" -> NAME;
            case "rank", "waitSeconds" -> "0";
            case "address" -> "239.192.17.4";
            case "id", "Madcast-Lease-Secret" ->
                    ids.isEmpty() ? ofExample(operation) : ids.getLast();
            case "Madcast-Member-Secret" -> lastMember();
            case "Idempotency-Key" -> "key-" + jobs;
            default -> maker.parameter(parameter.path("schema"));
        };
    }

    private String lastMember() {
        List<String> secrets = known.getOrDefault("communicators.memberSecret", List.of());
        return secrets.isEmpty() ? "none" : secrets.getLast();
    }

    /** Pushes and probes have numbers that their senders gave them. */
    private static String ofExample(Operation operation) {
        return "0198c0de-0000-7000-8000-00000000000"
                + (operation.path().startsWith("/v1/pushes") ? 3 : 4);
    }

    private String body(Operation operation, boolean valid, List<String> headers) {
        JsonNode content = operation.description().path("requestBody").path("content");
        if (content.isEmpty()) {
            return "";
        }
        Map.Entry<String, JsonNode> first = content.properties().iterator().next();
        JsonNode schema = first.getValue().path("schema");
        if (!first.getKey().equals("application/json")) {
            headers.addAll(List.of("Content-Type", first.getKey()));
            return valid || maker.chance(0.3)
                    ? "address,port,job\n239.192.18." + jobs++ % 250 + ",5000,render\n"
                    : maker.parameter(schema) + "\n" + maker.parameter(schema);
        }
        JsonNode example = contract.resolved(schema).path("example");
        assertThat(contract.faults(schema, example)).as("the example of " + operation).isEmpty();
        ObjectNode body = (ObjectNode) example.deepCopy();
        if (operation.path().equals("/v1/leases") && !valid) {
            body.put("job", "render-" + jobs++);
        }
        if (operation.path().equals("/v1/tokens")) {
            body.put("name", valid ? NAME : NAME + jobs++ % 50);
        }
        List<String> made = known.getOrDefault("communicators.id", List.of());
        if (!made.isEmpty() && body.has("communicatorId")) {
            body.put("communicatorId", made.getLast());
        }
        if (!made.isEmpty() && body.path("reports").isArray()) {
            ((ObjectNode) body.at("/reports/0")).put("communicatorId", made.getLast());
        }
        return valid || maker.chance(0.1) ? body.toString() : maker.spoiled(body, schema);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String cut(String text) {
        return text.length() <= 400 ? text : text.substring(0, 400) + "...";
    }
}
