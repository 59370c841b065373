package org.madcast.allocator.rest;

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
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.ObjectMapper;

/**
 * Refuses bodies that are larger than any that the service reads, before anything parses them, and
 * such as are more than there is room for together: whoever sends many at a time, and slowly, must
 * not fill the heap. Small ones, such as all of leases, always have room.
 */
@Component
class BodyLimitFilter extends OncePerRequestFilter {

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
            tooLarge().write(response, json);
        } else if (length < 0 && !isChunked(request)) {
            chain.doFilter(new Buffered(request, NONE), response);
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
                tooBusy().write(response, json);
            }
        }
    }

    private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        byte[] body = read(request);
        if (body.length > MOST_BYTES) {
            tooLarge().write(response, json);
        } else {
            chain.doFilter(new Buffered(request, body), response);
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

    /** A request whose body has been read. */
    private static final class Buffered extends HttpServletRequestWrapper {

        private final byte[] body;

        Buffered(HttpServletRequest request, byte[] body) {
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
