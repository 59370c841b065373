package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.UUID;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Tells people what went wrong by a page that looks like the others. Programs, and the pages' own
 * scripts, get a problem instead: the resolvers behind this one answer them.
 */
@Component
@Order(ErrorPages.BEFORE_PROBLEMS)
class ErrorPages implements HandlerExceptionResolver {

    static final int BEFORE_PROBLEMS = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorPages.class);
    private static final int RETRY_SECONDS = 2;

    /** What is said of a number that cannot be one, by the first part of the path. */
    private static final Map<String, String> UNKNOWN =
            Map.of(
                    "communicators", "no-communicator",
                    "leases", "no-lease",
                    "probes", "no-probe",
                    "pushes", "no-push");

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception failure) {
        if (!wantsPage(request, request.getServletPath()) || response.isCommitted()) {
            return null;
        }
        if (failure instanceof TypeMismatchException wrong && isNumber(wrong)) {
            String view = UNKNOWN.get(request.getRequestURI().split("/", -1)[1]);
            if (view != null) {
                return page(view, HttpStatus.NOT_FOUND, response);
            }
        }
        ModelAndView page = page("error", statusOf(failure), response);
        page.addObject("path", request.getRequestURI());
        page.addObject("method", request.getMethod());
        if (failure instanceof TypeMismatchException wrong) {
            page.addObject("parameter", String.valueOf(wrong.getPropertyName()));
        }
        if (failure instanceof ErrorResponse told) {
            told.getHeaders()
                    .forEach((name, values) ->
                            values.forEach(value -> response.setHeader(name, value)));
        }
        report(request, failure, page);
        return page;
    }

    private static void report(HttpServletRequest request, Exception failure, ModelAndView page) {
        if (page.getStatus() == HttpStatus.INTERNAL_SERVER_ERROR) {
            LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), failure);
        } else if (page.getStatus() == HttpStatus.SERVICE_UNAVAILABLE) {
            LOG.warn("The database does not answer: {}", failure.getMessage());
        }
    }

    /** The page for a status; its texts are in the template. */
    static ModelAndView page(String view, HttpStatusCode status, HttpServletResponse response) {
        PageHeaders.set(response);
        if (status.isSameCodeAs(HttpStatus.SERVICE_UNAVAILABLE)) {
            response.setIntHeader("Retry-After", RETRY_SECONDS);
        }
        ModelAndView page = new ModelAndView(view, texts(status));
        page.setStatus(status);
        return page;
    }

    /** What the template needs to know of a status. */
    static Map<String, Object> texts(HttpStatusCode status) {
        HttpStatus known = HttpStatus.resolve(status.value());
        return Map.of(
                "status",
                status.value(),
                "reason",
                known == null ? "" : known.getReasonPhrase(),
                "title",
                title(status));
    }

    private static String title(HttpStatusCode status) {
        return switch (status.value()) {
            case 400 -> "This address is not understood";
            case 404 -> "There is no such page";
            case 405 -> "That cannot be done here";
            case 503 -> "The database does not answer";
            default -> status.is5xxServerError() ? "The service failed" : "That was refused";
        };
    }

    /** Whether a person with a browser asked for it: REST and metrics are for programs alone. */
    static boolean wantsPage(HttpServletRequest request, String path) {
        String accepted = request.getHeader("Accept");
        return accepted != null
                && accepted.contains("text/html")
                && !path.startsWith("/v1/")
                && !path.startsWith("/actuator/");
    }

    private static boolean isNumber(TypeMismatchException wrong) {
        return wrong.getRequiredType() == UUID.class;
    }

    private static HttpStatusCode statusOf(Exception failure) {
        if (failure instanceof ErrorResponse told) {
            return told.getStatusCode();
        }
        if (failure instanceof TypeMismatchException
                || failure instanceof InvalidParameterException
                || StoreFailures.isUnstorable(failure)) {
            return HttpStatus.BAD_REQUEST;
        }
        return StoreFailures.isAway(failure)
                ? HttpStatus.SERVICE_UNAVAILABLE
                : HttpStatus.INTERNAL_SERVER_ERROR;
    }
}
