package org.madcast.allocator.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.madcast.allocator.store.StoreGate;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets no request wait for the database beyond the patience of the settings, and answers requests
 * whose filters failed since the database is in trouble. Nothing on the way keeps REST's answers.
 */
@Component
@Order(ClientShareFilter.BEFORE_BODIES_ARE_READ - 1)
class PatienceFilter extends OncePerRequestFilter {

    private final StoreGate gate;
    private final ErrorAnswers answers;

    PatienceFilter(StoreGate gate, ErrorAnswers answers) {
        this.gate = gate;
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (RequestInfo.isForPrograms(request.getRequestURI())) {
            // Answers hold secrets, and change from one moment to the next.
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        try (StoreGate.Visit _ = gate.visit()) {
            chain.doFilter(request, response);
        } catch (RuntimeException failure) {
            Problem problem = answers.ofDatabase(failure);
            if (problem == null) {
                throw failure;
            }
            answers.answer(request, response, problem);
        }
    }
}
