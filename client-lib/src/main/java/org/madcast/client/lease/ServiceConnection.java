package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ServiceTrust;

/**
 * Requests to the allocation service and its answers, over HTTP or HTTPS, with no proxy. Each
 * request ends within the time given to it, whatever the service does; answers above 16 MiB are
 * refused. Safe for every thread.
 *
 * <p>This is the JDK's older client: the newer one prepares for TLS and starts a thread before the
 * first request, which costs a rank more time than all of its requests.
 */
final class ServiceConnection implements AutoCloseable {

    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int BAD_REQUEST = 400;

    private final URI base;
    private final @Nullable String bearerToken;
    private final @Nullable String ownerSecret;
    private final Duration connectTimeout;
    private final Set<FutureTask<Answer>> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Prepares, for a job whose ranks share their token; nothing is sent yet. */
    ServiceConnection(URI base, @Nullable String bearerToken, Duration connectTimeout) {
        this(base, bearerToken, null, connectTimeout);
    }

    /**
     * Prepares; nothing is sent yet.
     *
     * @param ownerSecret see {@link org.madcast.client.CommunicatorConfig#ownerSecret()}
     */
    ServiceConnection(
            URI base,
            @Nullable String bearerToken,
            @Nullable String ownerSecret,
            Duration connectTimeout) {
        String text = base.toString();
        this.base = URI.create(text.endsWith("/") ? text : text + "/");
        this.bearerToken = bearerToken;
        this.ownerSecret = ownerSecret;
        this.connectTimeout = connectTimeout;
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
        return exchange(new Request("POST", path, headers, body), timeout);
    }

    Answer put(String path, JsonObject body, Duration timeout)
            throws IOException, InterruptedException {
        return exchange(new Request("PUT", path, Map.of(), JsonWriter.string(body)), timeout);
    }

    Answer get(String path, Duration timeout) throws IOException, InterruptedException {
        return exchange(new Request("GET", path, Map.of(), null), timeout);
    }

    Answer delete(String path, Map<String, String> headers, Duration timeout)
            throws IOException, InterruptedException {
        return exchange(new Request("DELETE", path, headers, null), timeout);
    }

    private record Request(
            String method, String path, Map<String, String> headers, @Nullable String body) {}

    private HttpURLConnection open(Request request) throws IOException {
        HttpURLConnection http =
                (HttpURLConnection)
                        base.resolve(request.path()).toURL().openConnection(Proxy.NO_PROXY);
        try {
            ServiceTrust.prepare(http);
        } catch (IOException unusable) {
            throw failure(unusable);
        }
        http.setRequestMethod(request.method());
        http.setInstanceFollowRedirects(false);
        http.setUseCaches(false);
        http.setConnectTimeout(millis(connectTimeout));
        http.setRequestProperty("Content-Type", "application/json");
        http.setRequestProperty("Accept", "application/json, application/problem+json");
        try {
            request.headers().forEach(http::setRequestProperty);
        } catch (IllegalArgumentException _) {
            // Which names the value: a secret that the service gave.
            throw new IOException("what the service gave to prove who asks cannot be sent");
        }
        if (bearerToken != null) {
            http.setRequestProperty("Authorization", "Bearer " + bearerToken);
        }
        if (ownerSecret != null) {
            http.setRequestProperty("Madcast-Owner-Secret", ownerSecret);
        }
        return http;
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
    }

    /**
     * A thread of its own for each, so that the caller's time is limited and can be interrupted.
     * Not a virtual one: see {@link RootListener#threads}.
     */
    private Answer exchange(Request request, Duration timeout)
            throws IOException, InterruptedException {
        HttpURLConnection http = open(request);
        FutureTask<Answer> exchange = new FutureTask<>(() -> exchange(http, request.body()));
        pending.add(exchange);
        boolean answered = false;
        try {
            if (closed) {
                throw new IOException("the connection is closed");
            }
            Thread _ = Thread.ofPlatform().daemon().name("madcast-request").start(exchange);
            Answer answer = exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            answered = true;
            return answer;
        } catch (TimeoutException late) {
            throw new TemporaryFailureException(
                    "no answer within " + timeout.toMillis() + " ms", late);
        } catch (CancellationException closing) {
            throw new IOException("the connection is closed", closing);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } finally {
            pending.remove(exchange);
            if (!answered) {
                exchange.cancel(true);
                http.disconnect();
            }
        }
    }

    private static Answer exchange(HttpURLConnection http, @Nullable String body)
            throws IOException {
        if (body != null) {
            http.setDoOutput(true);
            http.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        int status = http.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        String text = "";
        try (InputStream in =
                status < BAD_REQUEST ? http.getInputStream() : http.getErrorStream()) {
            if (in != null) {
                byte[] bytes = in.readNBytes(MAX_ANSWER_BYTES + 1);
                if (bytes.length > MAX_ANSWER_BYTES) {
                    throw new IOException("the answer is longer than 16 MiB");
                }
                text = new String(bytes, StandardCharsets.UTF_8);
            }
        }
        String type = String.valueOf(http.getContentType());
        return new Answer(status, date(http), body(status, type, text));
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof IOException io) {
            Optional<String> trouble = ServiceTrust.trouble(io);
            if (trouble.isPresent()) {
                return new UntrustedServiceException(trouble.get(), io);
            }
            return io.getMessage() == null
                    ? new IOException(io.getClass().getSimpleName(), io)
                    : io;
        }
        return new IOException("the request failed: " + cause, cause);
    }

    private static JsonFields body(int status, String type, String text) throws IOException {
        boolean expected = type.contains("json") || status < BAD_REQUEST;
        return expected && !text.isBlank()
                ? JsonFields.parse(text)
                : new JsonFields(new JsonObject());
    }

    private static Instant date(HttpURLConnection http) {
        String date = String.valueOf(http.getHeaderField("Date"));
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (DateTimeException none) {
            return Instant.now();
        }
    }

    /** Ends everything at once. */
    @Override
    public void close() {
        closed = true;
        pending.forEach(exchange -> exchange.cancel(true));
    }
}
