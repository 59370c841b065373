package org.madcast.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to the service as any client does. */
final class Rest {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String origin;

    Rest(String port) {
        this.origin = "http://127.0.0.1:" + port;
    }

    String origin() {
        return origin;
    }

    /** What came back. */
    record Answer(int status, String text, HttpResponse<String> response) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String string(String field) {
            return json().path(field).asString();
        }

        /** The last part of a problem's type. */
        String problem() {
            return string("type").replace("urn:madcast:problem:", "");
        }
    }

    /** The answer, or null when there was none since the service was away. */
    static @Nullable Answer orNull(Supplier<Answer> ask) {
        try {
            return ask.get();
        } catch (UncheckedIOException away) {
            return null;
        }
    }

    Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    Answer post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    /** As a browser sends what was filled in. */
    Answer form(String path, String body) {
        return send("POST", path, body, "Content-Type", "application/x-www-form-urlencoded");
    }

    Answer put(String path, String body, String... headers) {
        return send("PUT", path, body, headers);
    }

    Answer delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    private Answer send(String method, String path, @Nullable String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(origin + path))
                        .timeout(Duration.ofSeconds(60))
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (body != null && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
