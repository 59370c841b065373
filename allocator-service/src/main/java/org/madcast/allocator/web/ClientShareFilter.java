package org.madcast.allocator.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests that one address has under way, those that wait for a communicator included,
 * so that others have room. The server takes more connections than this, and the heap has room for
 * all of them.
 */
@Component
@Order(ClientShareFilter.BEFORE_BODIES_ARE_READ)
public class ClientShareFilter extends OncePerRequestFilter {

    /** Its order: before the filters that read bodies. */
    public static final int BEFORE_BODIES_ARE_READ = -200;

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ConcurrentHashMap<String, Integer> underWay = new ConcurrentHashMap<>();
    private final int most;
    private final ErrorAnswers answers;

    ClientShareFilter(
            @Value("${madcast.rest.requests-of-one-client:1024}") int most, ErrorAnswers answers) {
        this.most = most;
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String client = request.getRemoteAddr();
        if (underWay.merge(client, 1, Integer::sum) > most) {
            leave(client);
            answers.answer(request, response, tooMany());
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            leave(client);
        }
    }

    private Problem tooMany() {
        return new Problem(
                        ProblemType.TOO_MANY_REQUESTS,
                        "One client may have " + most + " requests under way at a time.")
                .with("mostUnderWay", most)
                .retryAfter(RETRY);
    }

    private void leave(String client) {
        underWay.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    }
}
