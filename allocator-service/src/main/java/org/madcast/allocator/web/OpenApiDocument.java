package org.madcast.allocator.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;

/** The OpenAPI document: what the endpoints' own types do not tell, above all their problems. */
@Configuration(proxyBeanMethods = false)
class OpenApiDocument {

    private static final String PROBLEM = "Problem";
    private static final String BEARER = "bearer";

    /** What any endpoint may answer. */
    private static final List<ProblemType> ALWAYS =
            List.of(
                    ProblemType.INVALID_REQUEST,
                    ProblemType.TOKEN_NEEDED,
                    ProblemType.ROLE_NEEDED,
                    ProblemType.NOT_FOUND,
                    ProblemType.METHOD_NOT_ALLOWED,
                    ProblemType.NOT_ACCEPTABLE,
                    ProblemType.BODY_TOO_LARGE,
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    ProblemType.INTERNAL_ERROR,
                    ProblemType.TOO_MANY_REQUESTS,
                    ProblemType.TOO_BUSY,
                    ProblemType.PROVIDER_UNAVAILABLE,
                    ProblemType.STORE_UNAVAILABLE,
                    ProblemType.STORE_READ_ONLY,
                    ProblemType.STORE_FULL,
                    ProblemType.STORE_BUSY);

    @Bean
    OpenAPI madcastOpenApi() {
        return new OpenAPI()
                .schemaRequirement(
                        BEARER,
                        new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer"))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .info(
                        new Info()
                                .title("Madcast allocation service")
                                .version("v1")
                                .description(
                                        "Leases of multicast groups, communicators and their"
                                                + " statistics. Whatever goes wrong is answered as"
                                                + " application/problem+json (RFC 9457)."));
    }

    @Bean
    OpenApiSchemas openApiSchemas() {
        return new OpenApiSchemas();
    }

    @Bean
    OpenApiCustomizer completeSchemas(OpenApiSchemas schemas) {
        return document -> {
            schemas.complete(document);
            document.schema(PROBLEM, schema());
        };
    }

    @Bean
    OperationCustomizer describeOperation(OpenApiSchemas schemas) {
        return (operation, handler) -> {
            schemas.note(handler.getMethod());
            return describe(operation, handler);
        };
    }

    private static Operation describe(Operation operation, HandlerMethod handler) {
        List<ProblemType> problems = new ArrayList<>(ALWAYS);
        Refuses own = handler.getMethodAnnotation(Refuses.class);
        if (own != null) {
            problems.addAll(Arrays.asList(own.value()));
        }
        Map<Integer, List<ProblemType>> byStatus =
                problems.stream()
                        .distinct()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.status().value(),
                                        TreeMap::new,
                                        Collectors.toList()));
        ApiResponses responses = operation.getResponses();
        byStatus.forEach((status, types) ->
                responses.addApiResponse(String.valueOf(status), response(types)));
        return operation;
    }

    private static ApiResponse response(List<ProblemType> types) {
        String description =
                types.stream()
                        .map(it -> it.title() + ": `" + it.uri() + "`")
                        .collect(Collectors.joining("; "));
        Schema<?> schema = new Schema<>().$ref("#/components/schemas/" + PROBLEM);
        MediaType body = new MediaType().schema(schema);
        types.forEach(it -> body.addExamples(it.word(), new Example().value(example(it))));
        ApiResponse response =
                new ApiResponse()
                        .description(description)
                        .content(new Content().addMediaType("application/problem+json", body));
        return types.stream().anyMatch(ProblemType::passes)
                ? response.addHeaderObject(HttpHeaders.RETRY_AFTER, retryAfter())
                : response;
    }

    private static Header retryAfter() {
        Schema<?> seconds = new IntegerSchema();
        seconds.setMinimum(BigDecimal.ZERO);
        return new Header()
                .description("In how many seconds another try is worth while.")
                .schema(seconds);
    }

    private static Map<String, Object> example(ProblemType type) {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("type", type.uri().toString());
        example.put("title", type.title());
        example.put("status", type.status().value());
        return example;
    }

    private static Schema<?> schema() {
        StringSchema type = new StringSchema();
        type.setDescription("What is wrong; a type never changes its meaning.");
        for (ProblemType each : ProblemType.values()) {
            type.addEnumItem(each.uri().toString());
        }
        Schema<?> wrong =
                new ObjectSchema()
                        .addProperty("field", new StringSchema())
                        .addProperty("message", new StringSchema());
        Schema<?> problem =
                new ObjectSchema()
                        .description(
                                "RFC 9457; some types add members of their own, such as nextFreeAt.")
                        .addProperty("type", type)
                        .addProperty("title", new StringSchema())
                        .addProperty("status", new IntegerSchema())
                        .addProperty("detail", new StringSchema())
                        .addProperty("instance", new StringSchema())
                        .addProperty(
                                "errors",
                                new ArraySchema()
                                        .items(wrong)
                                        .description(
                                                "Of invalid-request: the fields that are wrong."));
        problem.setRequired(List.of("type", "title", "status"));
        return problem;
    }
}
