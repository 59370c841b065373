package org.madcast.allocator.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.web.ClientShareFilter;
import org.madcast.allocator.web.ErrorAnswers;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.RequestInfo;
import org.madcast.allocator.web.Requester;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;

/**
 * Refuses requests whose caller may not make them. The caller is known by a bearer token (RFC
 * 6750), in a browser by the cookie that the sign-in page sets, and without either by the address
 * of the sender. What operators change is logged.
 */
@Component
@Order(ClientShareFilter.BEFORE_BODIES_ARE_READ + 1)
class AccessFilter extends OncePerRequestFilter {

    private static final Logger AUDIT = LoggerFactory.getLogger("org.madcast.allocator.audit");
    private static final String BEARER = "Bearer ";

    /** What a proxy adds: the request comes from somewhere else. */
    private static final List<String> OF_PROXIES =
            List.of("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via");

    private final Tokens tokens;
    private final AccessProperties access;
    private final ErrorAnswers answers;

    AccessFilter(Tokens tokens, AccessProperties access, ErrorAnswers answers) {
        this.tokens = tokens;
        this.access = access;
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // As the server has decoded it, which is how controllers are found too.
        Role needed = AccessRules.needed(request.getMethod(), request.getServletPath());
        Caller visitor = needed == Role.NONE ? stranger(request) : visitor(request);
        if (visitor != null) {
            Actor.isKnown(visitor.name(), visitor.role().word());
        }
        if (visitor == null) {
            refuse(request, response, unknown());
        } else if (visitor.role().allows(needed)) {
            request.setAttribute(Caller.ATTRIBUTE, visitor);
            serve(request, response, chain, visitor);
            audit(request, response, visitor, needed);
        } else {
            refuse(request, response, notAllowed(visitor, needed));
        }
    }

    private void serve(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            Caller visitor)
            throws ServletException, IOException {
        String secret = request.getHeader(Requester.SECRET_HEADER);
        if (secret != null && !Owners.isSecret(secret)) {
            answers.answer(request, response, Owners.wrongSecret());
            return;
        }
        Caller maker = secret == null ? visitor : visitor.makingFor(Owners.ofSecret(secret));
        request.setAttribute(Requester.ATTRIBUTE, maker.requester());
        chain.doFilter(request, response);
    }

    /** Null for a token that is not known. */
    private @Nullable Caller visitor(HttpServletRequest request) {
        String given = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return tokens.holder(given.substring(BEARER.length()).strip()).orElse(null);
        }
        // One that was revoked is as good as none.
        return Optional.ofNullable(WebUtils.getCookie(request, AccessRules.COOKIE))
                .flatMap(it -> tokens.holder(it.getValue()))
                .orElseGet(() -> stranger(request));
    }

    private Caller stranger(HttpServletRequest request) {
        boolean near =
                InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
                        && OF_PROXIES.stream().allMatch(it -> request.getHeader(it) == null)
                        && isLocalName(request.getServerName());
        return near
                ? new Caller("loopback", access.fromLoopback(), false, Requester.NO_TOKEN)
                : new Caller(
                        request.getRemoteAddr(), access.fromElsewhere(), false, Requester.NO_TOKEN);
    }

    /**
     * Another site can have its own name mean this machine, and then its scripts may ask here as
     * this machine's user's browser. Such a name has a dot.
     */
    private static boolean isLocalName(String host) {
        return !host.contains(".")
                || host.endsWith(".localhost")
                || host.chars().allMatch(it -> it == '.' || Character.digit(it, 10) >= 0);
    }

    private static Problem unknown() {
        return new Problem(
                ProblemType.TOKEN_NEEDED, "The token is not known; perhaps it was revoked.");
    }

    private static Problem notAllowed(Caller visitor, Role needed) {
        String detail = "This is for the role " + needed.word() + "; ";
        Problem problem =
                visitor.known()
                        ? new Problem(
                                ProblemType.ROLE_NEEDED,
                                detail + "the token is for " + visitor.role().word() + ".")
                        : new Problem(
                                ProblemType.TOKEN_NEEDED,
                                detail + "bring a token: Authorization: Bearer TOKEN.");
        return problem.with("role", needed.word());
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        boolean looks = "GET".equals(request.getMethod());
        boolean signsIn = problem.status().value() == HttpServletResponse.SC_UNAUTHORIZED;
        if (looks && signsIn && RequestInfo.of(request).wantsPage()) {
            String query = request.getQueryString();
            String from = request.getRequestURI() + (query == null ? "" : "?" + query);
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader(
                    HttpHeaders.LOCATION,
                    AccessRules.SIGN_IN + "?to=" + URLEncoder.encode(from, StandardCharsets.UTF_8));
            return;
        }
        if (signsIn) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"madcast\"");
        }
        answers.answer(request, response, problem);
    }

    private static void audit(
            HttpServletRequest request, HttpServletResponse response, Caller visitor, Role needed) {
        // A lease that is taken back; a parameter, however it is written.
        boolean forced =
                "DELETE".equals(request.getMethod()) && request.getParameter("force") != null;
        if (forced || (needed == Role.OPERATOR && !"GET".equals(request.getMethod()))) {
            AUDIT.info(
                    "{} from {}: {} {}: {}",
                    visitor.name(),
                    request.getRemoteAddr(),
                    request.getMethod(),
                    // As it was written: what is decoded could begin a line of its own.
                    request.getRequestURI(),
                    response.getStatus());
        }
    }
}
