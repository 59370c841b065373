package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the allocation service and its answers. Each request ends within the time given to
 * it, whatever the service does; answers above 16 MiB are refused. Safe for every thread.
 */
final class ServiceConnection implements AutoCloseable {

    private static final long MAX_ANSWER_BYTES = 16L << 20;
    private static final int BAD_REQUEST = 400;

    private final URI base;
    private final @Nullable String bearerToken;
    private final HttpClient client;

    /** Prepares; nothing is sent yet. */
    ServiceConnection(URI base, @Nullable String bearerToken, Duration connectTimeout) {
        String text = base.toString();
        this.base = URI.create(text.endsWith("/") ? text : text + "/");
        this.bearerToken = bearerToken;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(connectTimeout)
                        .build();
    }

    /**
     * What the service answered.
     *
     * @param status the HTTP status
     * @param date when, by the service's clock
     * @param body the JSON object, empty when there is none
     */
    record Answer(int status, Instant date, JsonFields body) {

        boolean isOk() {
            return status < 300;
        }

        /**
         * How long until then, by the service's clock; at least a second, at most a year. The date
         * comes without its fraction of a second, so a whole one is taken off.
         */
        Duration until(Instant then) {
            Duration left = Duration.between(date.plusSeconds(1), then);
            Duration least = Duration.ofSeconds(1);
            Duration most = Duration.ofDays(365);
            return left.compareTo(least) < 0 ? least : left.compareTo(most) > 0 ? most : left;
        }

        /** True when the same request may well succeed later. */
        boolean isTemporary() {
            return status >= 500 || status == 429 || status == 408;
        }

        /** The name behind {@code urn:madcast:problem:}, empty when this is no such problem. */
        String problem() {
            String type = body.textOr("type", "");
            String prefix = "urn:madcast:problem:";
            return type.startsWith(prefix) ? type.substring(prefix.length()) : "";
        }

        /** The problem in the service's own words. */
        String explanation() {
            String detail = body.textOr("detail", body.textOr("title", problem()));
            return "HTTP " + status + (detail.isEmpty() ? "" : ": " + detail);
        }
    }

    /** The service's base URI, for messages. */
    URI base() {
        return base;
    }

    Answer post(String path, JsonObject body, Map<String, String> headers, Duration timeout)
            throws IOException, InterruptedException {
        return postText(path, JsonWriter.string(body), headers, timeout);
    }

    /** Sends a JSON object that is text already. */
    Answer postText(String path, String body, Map<String, String> headers, Duration timeout)
            throws IOException, InterruptedException {
        return exchange(
                request(path, headers).POST(HttpRequest.BodyPublishers.ofString(body)), timeout);
    }

    Answer put(String path, JsonObject body, Duration timeout)
            throws IOException, InterruptedException {
        return exchange(request(path, Map.of()).PUT(json(body)), timeout);
    }

    Answer get(String path, Duration timeout) throws IOException, InterruptedException {
        return exchange(request(path, Map.of()).GET(), timeout);
    }

    Answer delete(String path, Map<String, String> headers, Duration timeout)
            throws IOException, InterruptedException {
        return exchange(request(path, headers).DELETE(), timeout);
    }

    private static HttpRequest.BodyPublisher json(JsonObject body) {
        return HttpRequest.BodyPublishers.ofString(JsonWriter.string(body));
    }

    private HttpRequest.Builder request(String path, Map<String, String> headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, application/problem+json");
        try {
            headers.forEach(request::header);
        } catch (IllegalArgumentException _) {
            // Which names the value: a secret that the service gave.
            throw new IOException("what the service gave to prove who asks cannot be sent");
        }
        if (bearerToken != null) {
            request.header("Authorization", "Bearer " + bearerToken);
        }
        return request;
    }

    private Answer exchange(HttpRequest.Builder request, Duration timeout)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> pending =
                client.sendAsync(
                        request.build(),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
        try {
            return answer(pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            throw new IOException("no answer within " + timeout.toMillis() + " ms", late);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } finally {
            pending.cancel(true);
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof IOException io) {
            String message = io.getMessage() == null ? io.getClass().getSimpleName() : "";
            return message.isEmpty() ? io : new IOException(message, io);
        }
        return new IOException("the request failed: " + cause, cause);
    }

    private static Answer answer(HttpResponse<byte[]> response) throws IOException {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        return new Answer(response.statusCode(), date(response), body(response, text));
    }

    private static JsonFields body(HttpResponse<byte[]> response, String text) throws IOException {
        boolean json = response.headers().firstValue("Content-Type").orElse("").contains("json");
        boolean expected = response.statusCode() < BAD_REQUEST && !text.isBlank();
        return (json && !text.isBlank()) || expected
                ? JsonFields.parse(text)
                : new JsonFields(new JsonObject());
    }

    private static Instant date(HttpResponse<byte[]> response) {
        String date = response.headers().firstValue("Date").orElse("");
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (DateTimeException none) {
            return Instant.now();
        }
    }

    /** Ends everything at once. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
