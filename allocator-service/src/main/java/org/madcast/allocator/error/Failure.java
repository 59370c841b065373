package org.madcast.allocator.error;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/** What went wrong with a request, as far as people and programs are told the same. */
public interface Failure {

    /** Its status. */
    HttpStatusCode status();

    /** When to try again, if that is known. */
    default @Nullable Duration retryAfter() {
        return status().isSameCodeAs(HttpStatus.SERVICE_UNAVAILABLE) ? Duration.ofSeconds(2) : null;
    }

    /** The headers that tell it. */
    default HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        Duration wait = retryAfter();
        if (wait != null) {
            long seconds = Math.max(1, (wait.toMillis() + 999) / 1000);
            headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
        }
        return headers;
    }

    /** Sets the status and the headers. */
    default void begin(HttpServletResponse response) {
        response.setStatus(status().value());
        headers()
                .forEach(
                        (name, values) -> values.forEach(value -> response.setHeader(name, value)));
    }

    /** One of which only the status is known. */
    static Failure of(HttpStatusCode status) {
        return () -> status;
    }
}
