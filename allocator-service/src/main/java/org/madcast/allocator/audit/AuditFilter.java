package org.madcast.allocator.audit;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.ClientShareFilter;
import org.madcast.allocator.web.Problem;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Gives each request a number, which its answer tells, knows whom its thread acts for, and records
 * what is refused: to those who may not (401, 403), and since there is nothing left or something is
 * in the way (409).
 */
@Component
@Order(ClientShareFilter.BEFORE_BODIES_ARE_READ)
class AuditFilter extends OncePerRequestFilter {

    /** The header with the request's number: the client's own, if it sends one that is plain. */
    static final String NUMBER = "X-Request-Id";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Set<Integer> REFUSED = Set.of(401, 403, 409);

    private final AuditLog audit;

    AuditFilter(AuditLog audit) {
        this.audit = audit;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String number = number(request.getHeader(NUMBER));
        response.setHeader(NUMBER, number);
        Actor.begin(withoutZone(request.getRemoteAddr()), number);
        try {
            chain.doFilter(request, response);
            if (REFUSED.contains(response.getStatus())) {
                refused(request);
            }
        } finally {
            Actor.end();
        }
    }

    private void refused(HttpServletRequest request) {
        if (request.getAttribute(Problem.ATTRIBUTE) instanceof String reason) {
            Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
            String path = pattern == null ? request.getRequestURI() : pattern.toString();
            audit.refused(
                    AuditKind.REFUSED, Actor.current(), request.getMethod() + " " + path, reason);
        }
    }

    private static String number(@Nullable String given) {
        return given != null && PLAIN.matcher(given).matches()
                ? given
                : HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** The database's addresses have no zones: {@code fe80::1%2} is none. */
    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
