package org.madcast.allocator.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.ObjectMapper;

/** Ends a request with a problem. */
final class Problem extends RuntimeException {

    private final ProblemType type;
    private final transient Map<String, Object> extensions = new LinkedHashMap<>();
    private @Nullable Duration retryAfter;

    Problem(ProblemType type, String detail) {
        super(detail, null, false, false);
        this.type = type;
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

    ResponseEntity<Object> toResponse() {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(type.status(), getMessage());
        body.setType(type.uri());
        body.setTitle(type.title());
        extensions.forEach(body::setProperty);
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (retryAfter != null) {
            long seconds = Math.max(1, (retryAfter.toMillis() + 999) / 1000);
            headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
        }
        return new ResponseEntity<>(body, headers, type.status());
    }

    /** Answers a request that no controller gets to see. */
    void write(HttpServletResponse response, ObjectMapper json) throws IOException {
        ResponseEntity<Object> answer = toResponse();
        response.setStatus(answer.getStatusCode().value());
        answer.getHeaders()
                .forEach((name, values) -> values.forEach(it -> response.addHeader(name, it)));
        response.getOutputStream()
                .write(json.writeValueAsBytes(Objects.requireNonNull(answer.getBody())));
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
