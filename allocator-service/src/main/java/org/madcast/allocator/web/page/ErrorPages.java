package org.madcast.allocator.web.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.UUID;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.ErrorAnswers;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.RequestInfo;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers people with a page that looks like the others. Programs, and the pages' own scripts, get
 * a problem instead: the resolvers behind this one answer them.
 */
@Component
@Order(ErrorPages.BEFORE_PROBLEMS)
class ErrorPages implements HandlerExceptionResolver {

    static final int BEFORE_PROBLEMS = -1;

    /** What an address that cannot be one is of, by the first part of the path. */
    private static final Map<String, String> UNKNOWN =
            Map.of(
                    "communicators", "communicator",
                    "leases", "lease",
                    "probes", "probe",
                    "pushes", "push");

    private final ErrorAnswers answers;

    ErrorPages(ErrorAnswers answers) {
        this.answers = answers;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception exception) {
        RequestInfo asked = RequestInfo.of(request);
        if (!asked.wantsPage() || response.isCommitted()) {
            return null;
        }
        PageHeaders.set(response);
        if (exception instanceof TypeMismatchException wrong && isNumber(wrong)) {
            String missing = UNKNOWN.get(asked.path().split("/", -1)[1]);
            if (missing != null) {
                return new ModelAndView(
                        "missing", Map.of("missing", missing), HttpStatus.NOT_FOUND);
            }
        }
        if (exception instanceof ErrorResponse told) {
            told.getHeaders()
                    .forEach((name, values) ->
                            values.forEach(value -> response.setHeader(name, value)));
        }
        Problem problem = problemOf(asked, exception);
        problem.writeHead(response);
        ModelAndView page = new ModelAndView(ErrorPage.VIEW, ErrorPage.facts(asked, problem));
        if (exception instanceof TypeMismatchException wrong) {
            page.addObject("parameter", String.valueOf(wrong.getPropertyName()));
        }
        return page;
    }

    private static boolean isNumber(TypeMismatchException wrong) {
        return wrong.getRequiredType() == UUID.class;
    }

    private Problem problemOf(RequestInfo asked, Exception exception) {
        if (exception instanceof ErrorResponse told) {
            return Problem.of(told.getStatusCode());
        }
        return exception instanceof TypeMismatchException
                        || exception instanceof InvalidParameterException
                ? Problem.of(HttpStatus.BAD_REQUEST)
                : answers.problemOf(asked, exception);
    }
}
