package org.madcast.allocator.rest;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.error.Failure;
import org.madcast.allocator.error.RequestInfo;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/** Ends a request with a problem. */
final class Problem extends RuntimeException implements Failure {

    private final ProblemType type;
    private final transient Map<String, Object> extensions = new LinkedHashMap<>();
    private @Nullable Duration retryAfter;

    Problem(ProblemType type, String detail) {
        super(detail, null, false, false);
        this.type = type;
    }

    /** What can be said when only the status is known. */
    static Problem of(HttpStatusCode status) {
        ProblemType type = ProblemType.of(status.value());
        return new Problem(
                type,
                switch (type) {
                    case STORE_UNAVAILABLE -> "Try again in a moment.";
                    case INTERNAL_ERROR -> "The service's log says more.";
                    default -> "The server refused the request as it is written.";
                });
    }

    /** Adds a member to the problem's JSON; null values are left out. */
    Problem with(String name, @Nullable Object value) {
        if (value != null) {
            extensions.put(name, value);
        }
        return this;
    }

    /** Says when one may try again. */
    Problem retryAfter(Duration wait) {
        retryAfter = wait;
        return this;
    }

    @Override
    public HttpStatus status() {
        return type.status();
    }

    @Override
    public @Nullable Duration retryAfter() {
        return retryAfter == null ? Failure.super.retryAfter() : retryAfter;
    }

    /** Its JSON. */
    ProblemDetail body(RequestInfo asked) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(type.status(), getMessage());
        body.setType(type.uri());
        body.setTitle(type.title());
        body.setInstance(asked.address());
        extensions.forEach(body::setProperty);
        return body;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
