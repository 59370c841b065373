package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

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
    void theLimitsOfAGrantAreThere() {
        JsonNode grant =
                document.at(
                        "/paths/~1v1~1leases/post/requestBody/content/application~1json/schema");
        String name = grant.path("$ref").asString().replace("#/components/schemas/", "");
        JsonNode schema = document.path("components").path("schemas").path(name);
        assertThat(schema.at("/properties/count/maximum").asInt()).isEqualTo(64);
        assertThat(schema.path("required").toString()).contains("job");
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
