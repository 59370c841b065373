package org.madcast.allocator.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.madcast.allocator.store.StoreGate;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies that are larger than the largest report, and large bodies beyond the room that
 * there is for all of them: clients that send many at a time, and slowly, must not fill the heap.
 * Small bodies, such as all of leases, always have room.
 */
@Component
@Order(BodyLimitFilter.ORDER)
class BodyLimitFilter extends OncePerRequestFilter {

    /** After the filter that checks access, before filters that read the body. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    /** More than a report of the most sites has. */
    static final int MOST_BYTES = 256 * 1024;

    /** Bodies up to this size always have room. */
    static final int SMALL_BYTES = 4 * 1024;

    /** Large bodies fill at most this part of the heap; parsed, they take a multiple. */
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
        // The decoded path: %76 is a v. A whole state and a table are large, and read line by
        // line, of operators.
        String path = request.getServletPath();
        return !path.startsWith("/v1/") || path.equals("/v1/state") || path.equals("/v1/import");
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
        StoreGate.restart(); // a client may send slowly
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

    /** The body up to its declared length; without one, up to one byte more than the limit. */
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
                        "Other clients are sending large bodies. Bodies of up to "
                                + SMALL_BYTES
                                + " bytes are read nevertheless.")
                .retryAfter(RETRY);
    }

    /** A request whose body has been read, and can be read again any number of times. */
    private static final class BufferedRequest extends HttpServletRequestWrapper {

        private final byte[] body;

        /** Keeps the array itself, which must not change. */
        BufferedRequest(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new BodyStream(new ByteArrayInputStream(body));
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(
                    new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }

        private static final class BodyStream extends ServletInputStream {

            private final ByteArrayInputStream bytes;

            BodyStream(ByteArrayInputStream bytes) {
                this.bytes = bytes;
            }

            @Override
            public int read() {
                return bytes.read();
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                return bytes.read(target, offset, length);
            }

            @Override
            public boolean isFinished() {
                return bytes.available() == 0;
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new UnsupportedOperationException("the body has been read");
            }
        }
    }
}
