package org.madcast.allocator.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.madcast.allocator.error.ErrorAnswers;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies that are larger than any that the service reads, before anything parses them, and
 * such as are more than there is room for together: whoever sends many at a time, and slowly, must
 * not fill the heap. Small ones, such as all of leases, always have room.
 */
@Component
@Order(BodyLimitFilter.ORDER)
class BodyLimitFilter extends OncePerRequestFilter {

    /** Behind whatever asks who is calling; what wants the bytes at once comes after it. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    /** A report with the most sites, and room to spare. */
    static final int MOST_BYTES = 256 * 1024;

    /** What always has room. */
    static final int SMALL_BYTES = 4 * 1024;

    /** The part of the heap that the others may fill: what is read of them takes a multiple. */
    private static final int HEAP_PART = 16;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final byte[] NONE = {};

    private final Semaphore roomBytes =
            new Semaphore((int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / HEAP_PART));

    private final ErrorAnswers answers;

    BodyLimitFilter(ErrorAnswers answers) {
        this.answers = answers;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        // Not as it was written: %76 is a v.
        return !request.getServletPath().startsWith("/v1/");
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long length = request.getContentLengthLong();
        if (length > MOST_BYTES) {
            answers.answer(request, response, tooLarge());
        } else if (length < 0 && !isChunked(request)) {
            chain.doFilter(new BufferedRequest(request, NONE), response);
        } else {
            int needed = length < 0 ? MOST_BYTES : (int) length;
            if (needed <= SMALL_BYTES) {
                pass(request, response, chain);
            } else if (roomBytes.tryAcquire(needed)) {
                try {
                    pass(request, response, chain);
                } finally {
                    roomBytes.release(needed);
                }
            } else {
                answers.answer(request, response, tooBusy());
            }
        }
    }

    private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        byte[] body = read(request);
        if (body.length > MOST_BYTES) {
            answers.answer(request, response, tooLarge());
        } else {
            chain.doFilter(new BufferedRequest(request, body), response);
        }
    }

    /** Without a length, only a body in chunks can be there (RFC 9112, section 6.3). */
    private static boolean isChunked(HttpServletRequest request) {
        return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    /**
     * The body, or one byte more than there may be; what says its length is read as long as that.
     */
    private static byte[] read(HttpServletRequest request) throws IOException {
        long length = request.getContentLengthLong();
        return request.getInputStream().readNBytes(length < 0 ? MOST_BYTES + 1 : (int) length);
    }

    private static Problem tooLarge() {
        return new Problem(ProblemType.BODY_TOO_LARGE, "The limit is " + MOST_BYTES + " bytes.")
                .with("limitBytes", MOST_BYTES);
    }

    private static Problem tooBusy() {
        return new Problem(
                        ProblemType.TOO_BUSY,
                        "Others are sending large bodies. Those of up to "
                                + SMALL_BYTES
                                + " bytes are read all the same.")
                .retryAfter(RETRY);
    }
}
