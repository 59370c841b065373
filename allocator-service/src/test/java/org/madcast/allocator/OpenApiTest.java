package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document tells of every endpoint and every problem that there is. */
class OpenApiTest {

    private static final Pattern TYPE = Pattern.compile("urn:madcast:problem:[a-z0-9-]+");

    private final RunningService service = RunningService.shared();
    private final JsonNode document = service.rest().get("/v1/openapi").json();

    @Test
    void everyEndpointIsDescribed() {
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (RequestMappingInfo mapping :
                service.part("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                        .getHandlerMethods()
                        .keySet()) {
            for (String path : mapping.getPatternValues()) {
                if (!path.startsWith("/v1/") || path.startsWith("/v1/openapi")) {
                    continue;
                }
                for (RequestMethod method : mapping.getMethodsCondition().getMethods()) {
                    seen++;
                    JsonNode operation = operation(path, method.asHttpMethod());
                    if (operation.path("summary").asString("").isBlank()) {
                        missing.add(method + " " + path);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThanOrEqualTo(15);
    }

    @Test
    void everyProblemIsAnsweredSomewhereAndListed() throws ClassNotFoundException {
        Set<String> all = new TreeSet<>();
        Class<?> types = Class.forName("org.madcast.allocator.web.ProblemType");
        for (Object type : types.getEnumConstants()) {
            all.add(
                    "urn:madcast:problem:"
                            + type.toString().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        assertThat(typesIn(document.path("paths").toString())).isEqualTo(all);
        assertThat(typesIn(document.at("/components/schemas/Problem").toString())).isEqualTo(all);
    }

    @Test
    void everyAnswerHasAnExampleThatIsAsItsSchemaSays() {
        OpenApiContract contract = new OpenApiContract(document);
        List<String> faults = new ArrayList<>();
        int seen = 0;
        for (OpenApiContract.Operation each : contract.operations()) {
            for (Map.Entry<String, JsonNode> response :
                    each.description().path("responses").properties()) {
                JsonNode schema = response.getValue().at("/content/application~1json/schema");
                if (schema.isMissingNode()) {
                    continue;
                }
                seen++;
                JsonNode example = contract.resolved(schema).path("example");
                if (example.isMissingNode()) {
                    faults.add(each + ": no example");
                } else {
                    contract.faults(schema, example).forEach(it -> faults.add(each + ": " + it));
                }
            }
        }
        assertThat(faults).isEmpty();
        assertThat(seen).isGreaterThan(30);
    }

    @Test
    void whatPassesSaysWhenToTryAgain() {
        int seen = 0;
        for (OpenApiContract.Operation each : new OpenApiContract(document).operations()) {
            for (String status : List.of("429", "503")) {
                JsonNode response = each.description().path("responses").path(status);
                assertThat(response.at("/headers/Retry-After/schema/type").asString(""))
                        .as(each + " " + status)
                        .isEqualTo("integer");
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(60);
    }

    @Test
    void theLimitsOfAGrantAreThere() {
        JsonNode grant =
                document.at(
                        "/paths/~1v1~1leases/post/requestBody/content/application~1json/schema");
        String name = grant.path("$ref").asString().replace("#/components/schemas/", "");
        JsonNode schema = document.path("components").path("schemas").path(name);
        assertThat(schema.at("/properties/count/maximum").asInt()).isEqualTo(64);
        assertThat(schema.path("required").toString()).contains("job");
    }

    /** As the constructors of the records check them: one more than the limit is refused. */
    @Test
    void theLimitsOfAReportAreThereAndChecked() {
        Map<String, String> places =
                Map.of(
                        "Report", "",
                        "Counters", "/counters",
                        "BroadcastSite", "/broadcasts/0",
                        "DurationNs", "/broadcasts/0/durationNs",
                        "Arrivals", "/broadcasts/0/arrivals");
        Map<String, Integer> limits = new TreeMap<>();
        places.forEach((name, place) -> {
            JsonNode schema = document.at("/components/schemas/" + name);
            for (JsonNode required : schema.path("required")) {
                String field = required.asString();
                assertRefused(place, field, parent -> parent.remove(field));
                limits.merge("required", 1, Integer::sum);
            }
            schema.path("properties")
                    .properties()
                    .forEach(property -> {
                        String field = property.getKey();
                        JsonNode type = property.getValue();
                        if (type.has("minimum")) {
                            long least = type.path("minimum").asLong();
                            assertRefused(place, field, parent -> parent.put(field, least - 1));
                            limits.merge("minimum", 1, Integer::sum);
                        }
                        if (type.has("maximum")) {
                            long most = type.path("maximum").asLong();
                            assertAccepted(place, parent -> parent.put(field, most));
                            assertRefused(place, field, parent -> parent.put(field, most + 1));
                            limits.merge("maximum", 1, Integer::sum);
                        }
                        if (type.has("maxLength")) {
                            int most = type.path("maxLength").asInt();
                            assertAccepted(place, parent -> parent.put(field, "x".repeat(most)));
                            assertRefused(
                                    place,
                                    field,
                                    parent -> parent.put(field, "x".repeat(most + 1)));
                            limits.merge("maxLength", 1, Integer::sum);
                        }
                        if (type.has("maxItems")) {
                            int most = type.path("maxItems").asInt();
                            assertAccepted(place, parent -> repeat(parent.withArray(field), most));
                            assertRefused(
                                    place,
                                    field,
                                    parent -> repeat(parent.withArray(field), most + 1));
                            limits.merge("maxItems", 1, Integer::sum);
                        }
                    });
        });
        assertThat(limits)
                .isEqualTo(
                        Map.of(
                                "required",
                                10,
                                "minimum",
                                26,
                                "maximum",
                                25,
                                "maxLength",
                                5,
                                "maxItems",
                                2));
    }

    private static void repeat(ArrayNode list, int count) {
        JsonNode first = list.get(0);
        list.removeAll();
        for (int i = 0; i < count; i++) {
            list.add(first);
        }
    }

    private void assertAccepted(String place, Consumer<ObjectNode> change) {
        Rest.Answer answer = report(place, change);
        assertThat(answer.problem()).as(answer.text()).isEqualTo("no-such-member");
    }

    private void assertRefused(String place, String field, Consumer<ObjectNode> change) {
        Rest.Answer answer = report(place, change);
        assertThat(answer.problem()).as(place + " " + field).isEqualTo("invalid-request");
        assertThat(answer.json().at("/errors/0/field").asString()).endsWith(field);
    }

    /** The answer to a report that is complete but for this change. */
    private Rest.Answer report(String place, Consumer<ObjectNode> change) {
        ObjectNode report =
                (ObjectNode)
                        JsonMapper.shared()
                                .readTree(
                                        """
                                        {"communicatorId":"0198c0de-0000-7000-8000-00000000abcd",
                                         "instance":"0198c0de-1111-7000-8000-00000000abcd",
                                         "rank":3,"sequence":17,"counters":{},
                                         "foreignSenders":["10.0.0.1:5000"],
                                         "broadcasts":[{"sizeClass":"64KiB..","algorithm":"once",
                                           "durationNs":{},"arrivals":{"early":{},"late":{}}}]}
                                        """);
        change.accept((ObjectNode) report.at(place));
        return service.rest().post("/v1/reports", report.toString());
    }

    private JsonNode operation(String path, HttpMethod method) {
        return document.path("paths").path(path).path(method.name().toLowerCase(Locale.ROOT));
    }

    private static Set<String> typesIn(String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = TYPE.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
