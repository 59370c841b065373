package org.madcast.allocator.statistics;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.BodyLimitFilter;
import org.madcast.allocator.web.BufferedRequest;
import org.madcast.allocator.web.MemberSecret;
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
public class ReportFilter extends HttpFilter {

    private static final long serialVersionUID = 1;

    private static final Pattern RELAYED =
            Pattern.compile(
                    "/v1/communicators/"
                            + "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
                            + "/members/(0|[1-9][0-9]{0,4})/reports");

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
        String secret = only(request.getHeaders(MemberSecret.HEADER));
        Brought brought = secret == null ? null : read(request, secret);
        if (brought == null) {
            chain.doFilter(request, response);
            return;
        }
        answer(brought, request, response);
    }

    /** Reports and who brings them. */
    private record Brought(Reporter speaker, List<Report> reports) {}

    /** The value of a header that was sent once; the framework has a rule for more. */
    public static @Nullable String only(Enumeration<String> values) {
        String first = values.hasMoreElements() ? values.nextElement() : null;
        return values.hasMoreElements() ? null : first;
    }

    private @Nullable Brought read(HttpServletRequest request, String secret) {
        if (!(request instanceof BufferedRequest buffered) || !isPlain(request)) {
            return null;
        }
        String path = request.getRequestURI();
        return ReportController.PATH.equals(path)
                ? readOwn(buffered.body(), secret)
                : readRelayed(buffered.body(), secret, RELAYED.matcher(path));
    }

    private @Nullable Brought readOwn(byte[] body, String secret) {
        Report report = PlainReport.read(json, body);
        return report == null ? null : new Brought(report.speaker(secret), List.of(report));
    }

    private @Nullable Brought readRelayed(byte[] body, String secret, Matcher path) {
        if (!path.matches()) {
            return null;
        }
        UUID communicator = UUID.fromString(path.group(1));
        PlainReport.Relayed relayed = PlainReport.readRelayed(json, body, communicator);
        return relayed == null
                ? null
                : new Brought(
                        new Reporter(
                                communicator,
                                Integer.parseInt(path.group(2)),
                                relayed.instance(),
                                secret),
                        relayed.reports());
    }

    /** Whether it may be reports, and its headers leave nothing to negotiate. */
    static boolean isPlain(HttpServletRequest request) {
        return "POST".equals(request.getMethod())
                && isOfReports(request.getRequestURI())
                && MediaType.APPLICATION_JSON_VALUE.equals(request.getContentType())
                && isJsonWelcome(request.getHeader("Accept"));
    }

    /** Whether a path is one of those at which reports arrive. */
    static boolean isOfReports(String path) {
        return ReportController.PATH.equals(path) || RELAYED.matcher(path).matches();
    }

    /** Whether the client accepts JSON. */
    public static boolean isJsonWelcome(@Nullable String accept) {
        return accept == null
                || "*/*".equals(accept)
                || accept.equals(MediaType.APPLICATION_JSON_VALUE)
                || accept.startsWith(MediaType.APPLICATION_JSON_VALUE + ",");
    }

    private void answer(Brought brought, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] answer;
        try {
            Optional<List<RootDelays.Advice>> advice =
                    statistics.accept(brought.speaker(), brought.reports());
            answer = bytes(advice.orElseThrow(MemberSecret::noSuchMember));
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
