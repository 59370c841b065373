package org.madcast.allocator.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreTrouble;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/** A problem (RFC 9457): thrown by a controller, it ends the request with this answer. */
public final class Problem extends RuntimeException {

    /** The attribute of a refused request that holds the last part of its problem's type. */
    public static final String ATTRIBUTE = "madcast.problem";

    private static final Duration RETRY_UNAVAILABLE = Duration.ofSeconds(2);

    /** The member that names the wrong fields. */
    static final String ERRORS = "errors";

    private static final String AGAIN = "Try again in a moment.";

    private final ProblemType type;
    private final transient HttpStatusCode status;
    private final transient Map<String, Object> extensions = new LinkedHashMap<>();
    private @Nullable Duration retryAfter;

    /** A problem and what the client can do about it. */
    public Problem(ProblemType type, String detail) {
        this(type, type.status(), detail);
    }

    private Problem(ProblemType type, HttpStatusCode status, String detail) {
        super(detail, null, false, false);
        this.type = type;
        this.status = status;
    }

    /**
     * A wrong field of a request.
     *
     * @param field where it is, such as {@code labels[a]}
     * @param message what must be true of it
     */
    public record WrongField(String field, String message) {

        /** Both may quote what a client sent, which must not spoil the answer's encoding. */
        public WrongField {
            field = StrictJson.whole(field);
            message = StrictJson.whole(message);
        }
    }

    /** The problem when only the status is known. */
    public static Problem of(HttpStatusCode status) {
        ProblemType type = ProblemType.of(status.value());
        return new Problem(
                type,
                status,
                switch (type) {
                    case STORE_UNAVAILABLE -> AGAIN;
                    case INTERNAL_ERROR -> "The service's log says more.";
                    default -> "The server refused the request as it is written.";
                });
    }

    /** The problem of a request that failed since the database is in trouble. */
    static Problem of(StoreTrouble trouble) {
        return new Problem(
                ProblemType.of(trouble),
                switch (trouble) {
                    case AWAY, BUSY ->
                            AGAIN + " What was asked for may have been done, or may yet be.";
                    case READ_ONLY -> AGAIN + " What changes nothing is answered meanwhile.";
                    case FULL -> "An operator must make room on the database's disk.";
                });
    }

    /** The problem with one field that the annotations cannot express. */
    public static Problem invalid(String field, String message) {
        return new Problem(ProblemType.INVALID_REQUEST, field + " " + message)
                .with(ERRORS, List.of(new WrongField(field, message)));
    }

    /** Several wrong fields, each a problem that {@link #invalid} made, as one problem. */
    public static Problem allOf(List<Problem> invalid) {
        return new Problem(
                        ProblemType.INVALID_REQUEST,
                        invalid.stream().map(Problem::getMessage).collect(Collectors.joining("; ")))
                .with(
                        ERRORS,
                        invalid.stream()
                                .flatMap(it ->
                                        ((List<?>) it.extensions.getOrDefault(ERRORS, List.of()))
                                                .stream())
                                .toList());
    }

    /** Whether a field of the request is wrong. */
    public boolean isInvalid() {
        return type == ProblemType.INVALID_REQUEST && extensions.containsKey(ERRORS);
    }

    /** Adds a member to the problem's JSON, unless it is null. */
    public Problem with(String name, @Nullable Object value) {
        if (value != null) {
            extensions.put(name, value);
        }
        return this;
    }

    /** Sets when the client may try again. */
    public Problem retryAfter(Duration wait) {
        retryAfter = wait;
        return this;
    }

    /** What is wrong, in a sentence without its full stop. */
    public String title() {
        return type.title();
    }

    /** Its status. */
    public HttpStatusCode status() {
        return status;
    }

    /** When the client may try again, null if that is not known. */
    public @Nullable Duration retryAfter() {
        return retryAfter == null && status.isSameCodeAs(HttpStatus.SERVICE_UNAVAILABLE)
                ? RETRY_UNAVAILABLE
                : retryAfter;
    }

    /** Notes in a request what it is answered with. */
    void noteIn(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, type.word());
    }

    HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        Duration wait = retryAfter();
        if (wait != null) {
            long seconds = Math.max(1, (wait.toMillis() + 999) / 1000);
            headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
        }
        return headers;
    }

    /** Sets the status and the headers of a response. */
    public void writeHead(HttpServletResponse response) {
        response.setStatus(status().value());
        headers()
                .forEach(
                        (name, values) -> values.forEach(value -> response.setHeader(name, value)));
    }

    /** Its JSON. */
    ProblemDetail body(RequestInfo request) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, getMessage());
        body.setType(type.uri());
        body.setTitle(type.title());
        body.setInstance(request.address());
        extensions.forEach(body::setProperty);
        return body;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
