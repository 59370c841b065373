package org.madcast.allocator.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.ObjectMapper;

/** Refuses bodies that are larger than any that the service reads, before anything parses them. */
@Component
@Order(BodyLimitFilter.ORDER)
class BodyLimitFilter extends OncePerRequestFilter {

    /** Behind whatever asks who is calling; what wants the bytes at once comes after it. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    /** A report with the most sites, and room to spare. */
    static final int MOST_BYTES = 256 * 1024;

    private static final byte[] NONE = {};

    private final ObjectMapper json;

    BodyLimitFilter(ObjectMapper json) {
        this.json = json;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/v1/");
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long length = request.getContentLengthLong();
        if (length > MOST_BYTES) {
            refuse(response);
            return;
        }
        byte[] body = length < 0 && !isChunked(request) ? NONE : read(request, length);
        if (body.length > MOST_BYTES) {
            refuse(response);
            return;
        }
        chain.doFilter(new BufferedRequest(request, body), response);
    }

    /** Without a length, only a body in chunks can be there (RFC 9112, section 6.3). */
    private static boolean isChunked(HttpServletRequest request) {
        return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    /**
     * The body, or one byte more than there may be; what says its length is read as long as that.
     */
    private static byte[] read(HttpServletRequest request, long length) throws IOException {
        return request.getInputStream().readNBytes(length < 0 ? MOST_BYTES + 1 : (int) length);
    }

    private void refuse(HttpServletResponse response) throws IOException {
        ResponseEntity<Object> problem =
                new Problem(ProblemType.BODY_TOO_LARGE, "The limit is " + MOST_BYTES + " bytes.")
                        .with("limitBytes", MOST_BYTES)
                        .toResponse();
        response.setStatus(problem.getStatusCode().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream()
                .write(json.writeValueAsBytes(Objects.requireNonNull(problem.getBody())));
    }
}
