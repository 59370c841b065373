package org.madcast.allocator.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.web.BodyLimitFilter;
import org.madcast.allocator.web.BufferedRequest;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.databind.ObjectMapper;

/**
 * Takes plain grants ({@link PlainGrant}) and releases of leases before they reach the framework,
 * which costs more than they do. It calls {@link LeaseController} as the framework would;
 * everything that is not plain goes on to that.
 */
@Component
@Order(BodyLimitFilter.ORDER + 1)
class LeaseFilter extends HttpFilter {

    private static final long serialVersionUID = 1;
    private static final String ONE = LeaseController.PATH + "/";

    private final transient Supplier<LeaseController> leases;
    private final transient ObjectMapper json;
    private final transient HandlerExceptionResolver problems;

    LeaseFilter(
            ObjectProvider<LeaseController> leases,
            ObjectMapper json,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        // Filters are made before what a lease needs.
        this.leases = SingletonSupplier.of(leases::getObject);
        this.json = json;
        this.problems = problems;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        GrantRequest grant = isPlainGrant(request) ? read(request) : null;
        UUID released = grant == null ? plainlyReleased(request) : null;
        try {
            if (grant != null) {
                observed(request, LeaseController.PATH);
                byte[] answer = json.writeValueAsBytes(leases.get().grant(grant, null));
                response.setStatus(HttpServletResponse.SC_CREATED);
                response.setContentType(MediaType.APPLICATION_JSON_VALUE);
                response.setContentLength(answer.length);
                response.getOutputStream().write(answer);
            } else if (released != null) {
                observed(request, ONE + "{id}");
                leases.get().release(released, request.getHeader(LeaseController.SECRET));
                response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            } else {
                chain.doFilter(request, response);
            }
        } catch (RuntimeException refused) {
            boolean ours = grant != null || released != null;
            if (!ours || problems.resolveException(request, response, null, refused) == null) {
                throw refused;
            }
        }
    }

    /** Whether its headers leave nothing to negotiate, nor to look up. */
    static boolean isPlainGrant(HttpServletRequest request) {
        return "POST".equals(request.getMethod())
                && LeaseController.PATH.equals(request.getRequestURI())
                && MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType())
                && request.getHeader(LeaseController.KEY) == null
                && isJsonWelcome(request.getHeader("Accept"));
    }

    /** The lease that is plainly to be released; null when there is more to it. */
    static @Nullable UUID plainlyReleased(HttpServletRequest request) {
        String path = request.getRequestURI();
        if (!"DELETE".equals(request.getMethod())
                || !path.startsWith(ONE)
                || !isJsonWelcome(request.getHeader("Accept"))) {
            return null;
        }
        return only(request.getHeaders(LeaseController.SECRET)) == null
                ? null
                : uuidOrNull(path.substring(ONE.length()));
    }

    private @Nullable GrantRequest read(HttpServletRequest request) {
        return request instanceof BufferedRequest buffered
                ? PlainGrant.read(json, buffered.body())
                : null;
    }

    /** Requests are timed by the pattern of their path. */
    private static void observed(HttpServletRequest request, String pattern) {
        ServerHttpObservationFilter.findObservationContext(request)
                .ifPresent(it -> it.setPathPattern(pattern));
    }

    private static boolean isJsonWelcome(@Nullable String accept) {
        return accept == null
                || "*/*".equals(accept)
                || accept.equals(MediaType.APPLICATION_JSON_VALUE)
                || accept.startsWith(MediaType.APPLICATION_JSON_VALUE + ",");
    }

    private static @Nullable String only(Enumeration<String> values) {
        String first = values.hasMoreElements() ? values.nextElement() : null;
        return values.hasMoreElements() ? null : first;
    }

    private static @Nullable UUID uuidOrNull(String text) {
        return text.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
                ? UUID.fromString(text)
                : null;
    }
}
