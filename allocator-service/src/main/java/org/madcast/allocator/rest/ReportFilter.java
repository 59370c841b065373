package org.madcast.allocator.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.statistics.Report;
import org.madcast.allocator.statistics.RootDelays;
import org.madcast.allocator.statistics.StatisticsService;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.databind.ObjectMapper;

/**
 * Takes the reports that are plain ({@link PlainReport}) before they reach the framework, which
 * would cost most of what a report does. Everything else goes on to {@link ReportController}, which
 * answers the same.
 */
@Component
@Order(BodyLimitFilter.ORDER + 1)
class ReportFilter extends HttpFilter {

    private static final long serialVersionUID = 1;

    private final transient StatisticsService statistics;
    private final transient ObjectMapper json;
    private final transient HandlerExceptionResolver problems;
    private final transient byte[] noAdvice;

    ReportFilter(
            StatisticsService statistics,
            ObjectMapper json,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.statistics = statistics;
        this.json = json;
        this.problems = problems;
        this.noAdvice = json.writeValueAsBytes(ReportController.advice(List.of()));
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String secret = only(request.getHeaders(MemberController.SECRET));
        Report report = secret != null && isPlain(request) ? read(request) : null;
        if (report == null || secret == null) {
            chain.doFilter(request, response);
            return;
        }
        answer(report, secret, request, response);
    }

    /** The value of a header that was sent once; the framework has a rule for more. */
    private static @Nullable String only(Enumeration<String> values) {
        String first = values.hasMoreElements() ? values.nextElement() : null;
        return values.hasMoreElements() ? null : first;
    }

    /** Whether its headers leave nothing to negotiate. */
    static boolean isPlain(HttpServletRequest request) {
        return "POST".equals(request.getMethod())
                && ReportController.PATH.equals(request.getRequestURI())
                && MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType())
                && isJsonWelcome(request.getHeader("Accept"));
    }

    private static boolean isJsonWelcome(@Nullable String accept) {
        return accept == null
                || "*/*".equals(accept)
                || accept.equals(MediaType.APPLICATION_JSON_VALUE)
                || accept.startsWith(MediaType.APPLICATION_JSON_VALUE + ",");
    }

    private @Nullable Report read(HttpServletRequest request) {
        return request instanceof BufferedRequest buffered
                ? PlainReport.read(json, buffered.body())
                : null;
    }

    private void answer(
            Report report, String secret, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] answer;
        try {
            Optional<List<RootDelays.Advice>> advice = statistics.accept(report, secret);
            answer = bytes(advice.orElseThrow(MemberController::noSuchMember));
        } catch (RuntimeException refused) {
            if (problems.resolveException(request, response, null, refused) == null) {
                throw refused;
            }
            return;
        }
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setContentLength(answer.length);
        response.getOutputStream().write(answer);
    }

    private byte[] bytes(List<RootDelays.Advice> advice) {
        return advice.isEmpty()
                ? noAdvice
                : json.writeValueAsBytes(ReportController.advice(advice));
    }
}
