package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.client.ServiceTrust;

/**
 * The allocation service's REST interface, as the commands need it. A refusal is a {@link
 * CommandFailure} with what the service says. For one thread.
 */
public final class ServiceClient {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    static final String STATE = "application/x-ndjson";
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(2);
    private static final String PROBLEM = "urn:madcast:problem:";

    private final URI service;
    private final @Nullable String token;

    static {
        // A request that may have been served is not repeated unasked.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    /**
     * A client that speaks when it is asked to.
     *
     * @param token a bearer token, or null
     */
    public ServiceClient(URI service, @Nullable String token) {
        String scheme = service.getScheme();
        if (service.getHost() == null
                || !("http".equals(scheme) || "https".equals(scheme))
                || service.getPort() > 65_535) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "'" + service + "' is not a service's address; write http://host:8730");
        }
        this.service = service;
        this.token = token;
    }

    /** True when the service says that it is well. */
    public boolean isHealthy() throws InterruptedException {
        try {
            HttpURLConnection request = open("GET", "/actuator/health", HEALTH_TIMEOUT);
            boolean healthy = request.getResponseCode() == 200;
            request.disconnect();
            return healthy;
        } catch (IOException _) {
            return false;
        }
    }

    /** Reads what is at the path. */
    public JsonObject get(String path) throws InterruptedException {
        return exchange("GET", path, null, Map.of());
    }

    /** Sends a body to the path and reads the answer. */
    public JsonObject post(String path, JsonObject body, Map<String, String> headers)
            throws InterruptedException {
        return exchange("POST", path, body, headers);
    }

    /** Replaces what is at the path and reads the answer. */
    public JsonObject put(String path, JsonObject body) throws InterruptedException {
        return exchange("PUT", path, body, Map.of());
    }

    /** Deletes what is at the path. */
    public void delete(String path, Map<String, String> headers) throws InterruptedException {
        JsonObject _ = exchange("DELETE", path, null, headers);
    }

    /** Copies what is at the path, however long it takes. */
    public void download(String path, OutputStream to) throws InterruptedException {
        try {
            HttpURLConnection request = open("GET", path, LONG_PATIENCE);
            request.setRequestProperty("Accept", STATE + ", application/problem+json");
            if (request.getResponseCode() / 100 != 2) {
                throw refused(request);
            }
            try (InputStream answer = request.getInputStream()) {
                answer.transferTo(to);
            }
        } catch (IOException e) {
            throw unanswered(e);
        }
    }

    /**
     * Reads server-sent events.
     *
     * @param last the id of the last event that was received, null for none
     * @return the stream's text; its reads fail when it is silent for a minute
     * @throws IOException when the service does not answer, or cannot at the moment
     * @throws CommandFailure when it refuses
     */
    InputStream follow(String path, @Nullable String last)
            throws IOException, InterruptedException {
        HttpURLConnection request = open("GET", path, SILENCE);
        request.setRequestProperty("Accept", "text/event-stream, application/problem+json");
        if (last != null) {
            request.setRequestProperty("Last-Event-ID", last);
        }
        int status = request.getResponseCode();
        if (status >= 500) {
            throw new IOException("status " + status);
        }
        if (status / 100 != 2) {
            throw refused(request);
        }
        return request.getInputStream();
    }

    /** Sends a large body of this type, and reads the answer. */
    public JsonObject upload(String method, String path, String type, InputStream body)
            throws InterruptedException {
        try {
            HttpURLConnection request = open(method, path, LONG_PATIENCE);
            request.setRequestProperty("Content-Type", type);
            request.setDoOutput(true);
            request.setChunkedStreamingMode(0);
            try (OutputStream out = request.getOutputStream()) {
                body.transferTo(out);
            }
            if (request.getResponseCode() / 100 != 2) {
                throw refused(request);
            }
            try (InputStream answer = request.getInputStream()) {
                return parse(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw unanswered(e);
        }
    }

    private CommandFailure refused(HttpURLConnection request) throws IOException {
        try (InputStream answer = request.getErrorStream()) {
            String text =
                    answer == null ? "" : new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            return refusal(request.getResponseCode(), parse(text));
        }
    }

    /** By the JDK's old client: the new one takes 0.3 s to start, most of it for TLS. */
    private HttpURLConnection open(String method, String path, Duration timeout)
            throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        HttpURLConnection request =
                (HttpURLConnection) service.resolve(path).toURL().openConnection();
        ServiceTrust.prepare(request);
        request.setRequestMethod(method);
        request.setConnectTimeout((int) timeout.toMillis());
        request.setReadTimeout((int) timeout.toMillis());
        request.setInstanceFollowRedirects(false);
        request.setRequestProperty("Accept", "application/json, application/problem+json");
        if (token != null) {
            request.setRequestProperty("Authorization", "Bearer " + token);
        }
        return request;
    }

    private JsonObject exchange(
            String method, String path, @Nullable JsonObject body, Map<String, String> headers)
            throws InterruptedException {
        int status;
        String text;
        try {
            HttpURLConnection request = open(method, path, PATIENCE);
            headers.forEach(request::setRequestProperty);
            if (body != null) {
                request.setRequestProperty("Content-Type", "application/json");
                request.setDoOutput(true);
                try (OutputStream out = request.getOutputStream()) {
                    out.write(JsonWriter.string(body).getBytes(StandardCharsets.UTF_8));
                }
            }
            status = request.getResponseCode();
            InputStream answer = status < 400 ? request.getInputStream() : request.getErrorStream();
            try (answer) {
                text =
                        answer == null
                                ? ""
                                : new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw unanswered(e);
        }
        if (status == 400 && text.contains("requires TLS")) {
            throw new CommandFailure(
                    ExitCode.SERVICE, "the service at " + service + " wants https:// instead");
        }
        JsonObject answer = parse(text);
        if (status / 100 != 2) {
            throw refusal(status, answer);
        }
        return answer;
    }

    CommandFailure unanswered(IOException failure) {
        return ServiceTrust.trouble(failure)
                .map(it ->
                        new CommandFailure(
                                ExitCode.SERVICE, "the service at " + service + ": " + it, failure))
                .orElseGet(() ->
                        new CommandFailure(
                                ExitCode.SERVICE,
                                "no service answers at "
                                        + service
                                        + "; start one with 'madcast serve', or name another with"
                                        + " --service",
                                failure));
    }

    private JsonObject parse(String body) {
        if (body.isBlank()) {
            return new JsonObject();
        }
        try {
            return JsonParser.object().from(body);
        } catch (JsonParserException e) {
            throw new CommandFailure(
                    ExitCode.SERVICE,
                    "what answers at " + service + " is not a Madcast allocation service",
                    e);
        }
    }

    private CommandFailure refusal(int status, JsonObject problem) {
        String type = problem.getString("type", "");
        String name = type.startsWith(PROBLEM) ? type.substring(PROBLEM.length()) : "";
        String detail =
                Stream.of("title", "detail")
                        .map(field -> problem.getString(field, ""))
                        .filter(text -> !text.isBlank())
                        .distinct()
                        .collect(Collectors.joining(": "));
        return switch (name) {
            case "no-such-lease" ->
                    new CommandFailure(
                            ExitCode.NO_SUCH_LEASE,
                            "no lease has this id and secret; perhaps it has expired"
                                    + " ('madcast lease list' shows the active ones)");
            case "token-needed", "role-needed" ->
                    new CommandFailure(
                            ExitCode.SERVICE,
                            detail
                                    + " Name one with MADCAST_TOKEN or --token; the first operator's"
                                    + " is in operator-token in the service's data directory");
            case "lease-ended" ->
                    new CommandFailure(
                            ExitCode.NO_SUCH_LEASE,
                            "the lease has ended and its groups may be leased to another job by now;"
                                    + " grant a new one");
            case "pool-exhausted" ->
                    new CommandFailure(
                            ExitCode.POOL_EXHAUSTED,
                            "no group is free"
                                    + (problem.has("scope")
                                            ? " in scope '" + problem.getString("scope") + "'"
                                            : "")
                                    + (problem.has("nextFreeAt")
                                            ? "; the next one at " + problem.getString("nextFreeAt")
                                            : "")
                                    + "; try again then, or choose another scope");
            case "no-such-scope" ->
                    new CommandFailure(
                            ExitCode.USAGE,
                            "there is no scope '"
                                    + problem.getString("scope", "?")
                                    + "'; 'madcast scope list' shows those that there are");
            default ->
                    new CommandFailure(
                            status == 400 || name.equals("not-possible-here")
                                    ? ExitCode.USAGE
                                    : ExitCode.SERVICE,
                            "the service refuses with status "
                                    + status
                                    + (detail.isEmpty() ? "" : ": " + detail));
        };
    }

    /** Adds a field to a request, if it has a value. */
    static void putIfGiven(JsonObject request, String field, @Nullable Object value) {
        if (value != null) {
            request.put(field, value);
        }
    }
}
