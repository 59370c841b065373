package org.madcast.allocator.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.bind.annotation.RequestBody;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Completes the schemas of the OpenAPI document: patterns as JSON Schema means them, an example of
 * each body, and which fields an answer always has: all that may not be null.
 */
final class OpenApiSchemas {

    private static final ClassPathResource EXAMPLES =
            new ClassPathResource("openapi-examples.json");

    private final Set<Class<?>> read = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> written = ConcurrentHashMap.newKeySet();

    /** Notes what an operation reads and answers. */
    void note(Method operation) {
        Arrays.stream(operation.getParameters())
                .filter(it -> it.isAnnotationPresent(RequestBody.class))
                .forEach(it -> collect(it.getParameterizedType(), read));
        collect(operation.getGenericReturnType(), written);
    }

    /** Completes all schemas of a document whose operations were noted. */
    void complete(OpenAPI document) {
        var schemas = document.getComponents().getSchemas();
        schemas.values().forEach(it -> each(it, OpenApiSchemas::anchor));
        document.getPaths()
                .values()
                .forEach(path ->
                        path.readOperations()
                                .forEach(operation -> {
                                    if (operation.getParameters() != null) {
                                        operation.getParameters().stream()
                                                .map(Parameter::getSchema)
                                                .forEach(it -> each(it, OpenApiSchemas::anchor));
                                    }
                                }));
        Set<Class<?>> all = new HashSet<>(read);
        all.addAll(written);
        for (Class<?> type : all) {
            Schema<?> schema = schemas.get(name(type));
            if (schema == null) {
                continue;
            }
            if (!read.contains(type)) {
                schema.setRequired(always(type));
            }
            if (read.contains(type) || !type.isAnnotationPresent(JsonInclude.class)) {
                allowNulls(type, schema);
            }
        }
        examples()
                .forEach((name, example) -> {
                    Schema<?> schema = schemas.get(name);
                    if (schema != null) {
                        schema.setExample(example);
                    }
                });
    }

    /** The annotation's patterns match a whole text; those of JSON Schema match a part. */
    private static void anchor(Schema<?> schema) {
        String pattern = schema.getPattern();
        if (pattern != null && !pattern.startsWith("^")) {
            schema.setPattern("^(" + pattern + ")$");
        }
    }

    private static void each(@Nullable Schema<?> schema, Consumer<Schema<?>> change) {
        if (schema == null) {
            return;
        }
        change.accept(schema);
        each(schema.getItems(), change);
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            each(values, change);
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(it -> each(it, change));
        }
    }

    private static void collect(Type type, Set<Class<?>> found) {
        if (type instanceof ParameterizedType generic) {
            collect(generic.getRawType(), found);
            Arrays.stream(generic.getActualTypeArguments()).forEach(it -> collect(it, found));
        } else if (type instanceof Class<?> record && record.isRecord() && found.add(record)) {
            Arrays.stream(record.getRecordComponents())
                    .forEach(it -> collect(it.getGenericType(), found));
        }
    }

    private static String name(Class<?> type) {
        io.swagger.v3.oas.annotations.media.Schema given =
                type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return given == null || given.name().isEmpty() ? type.getSimpleName() : given.name();
    }

    private static List<String> always(Class<?> type) {
        List<String> fields = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedType declared = component.getAnnotatedType();
            if (declared.isAnnotationPresent(Nullable.class)) {
                continue;
            }
            if (isUnwrapped(type, component)) {
                fields.addAll(always(component.getType()));
            } else {
                fields.add(component.getName());
            }
        }
        return fields;
    }

    private static void allowNulls(Class<?> type, Schema<?> schema) {
        for (RecordComponent component : type.getRecordComponents()) {
            Schema<?> field = schema.getProperties().get(component.getName());
            boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (field == null || !nullable) {
                continue;
            }
            if (field.get$ref() == null) {
                field.addType("null");
            } else {
                Schema<?> nothing = new JsonSchema().typesItem("null");
                schema.getProperties()
                        .put(component.getName(), new JsonSchema().anyOf(List.of(field, nothing)));
            }
        }
    }

    private static boolean isUnwrapped(Class<?> type, RecordComponent component) {
        try {
            return type.getDeclaredField(component.getName())
                    .isAnnotationPresent(JsonUnwrapped.class);
        } catch (NoSuchFieldException none) {
            throw new IllegalStateException(none);
        }
    }

    private static Map<String, Object> examples() {
        try (InputStream in = EXAMPLES.getInputStream()) {
            return JsonMapper.shared()
                    .readValue(in, new TypeReference<HashMap<String, Object>>() {});
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
