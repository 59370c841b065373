package org.madcast.allocator.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.web.ClientShareFilter;
import org.madcast.allocator.web.ErrorAnswers;
import org.madcast.allocator.web.Problem;
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
 * 6750), in a browser by the cookie that the sign-in page sets, without either by a certificate of
 * the connection, and without that by the address of the sender. What operators change is logged.
 */
@Component
@Order(ClientShareFilter.BEFORE_BODIES_ARE_READ + 1)
class AccessFilter extends OncePerRequestFilter {

    private static final Logger AUDIT = LoggerFactory.getLogger("org.madcast.allocator.audit");
    private static final String BEARER = "Bearer ";

    private final Tokens tokens;
    private final Certificates certificates;
    private final Strangers strangers;
    private final ErrorAnswers answers;

    AccessFilter(
            Tokens tokens, Certificates certificates, Strangers strangers, ErrorAnswers answers) {
        this.tokens = tokens;
        this.certificates = certificates;
        this.strangers = strangers;
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Https.tell(request, response);
        // As the server has decoded it, which is how controllers are found too.
        Role needed = AccessRules.needed(request.getMethod(), request.getServletPath());
        Tokens.Shown shown =
                needed == Role.NONE
                        ? new Tokens.Shown.Known(strangers.of(request))
                        : shown(request);
        if (shown instanceof Tokens.Shown.Known(Caller known)) {
            Actor.isKnown(known.name(), known.role().word());
        }
        if (!(shown instanceof Tokens.Shown.Known(Caller visitor))) {
            refuse(request, response, TokenProblems.of(shown));
        } else if (visitor.role().allows(needed)) {
            request.setAttribute(Caller.ATTRIBUTE, visitor);
            serve(request, response, chain, visitor);
            audit(request, response, visitor, needed);
        } else {
            refuse(request, response, TokenProblems.notAllowed(visitor, needed));
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

    private Tokens.Shown shown(HttpServletRequest request) {
        String from = request.getRemoteAddr();
        String given = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return tokens.show(given.substring(BEARER.length()).strip(), from);
        }
        Cookie cookie = WebUtils.getCookie(request, AccessRules.COOKIE);
        Tokens.Shown shown =
                cookie == null ? new Tokens.Shown.Unknown() : tokens.show(cookie.getValue(), from);
        return switch (shown) {
            // One that has ended is as good as none.
            case Tokens.Shown.Unknown none -> withoutToken(request);
            case Tokens.Shown.Expired ended -> withoutToken(request);
            default -> shown;
        };
    }

    private Tokens.Shown withoutToken(HttpServletRequest request) {
        return new Tokens.Shown.Known(
                certificates.holder(request).orElseGet(() -> strangers.of(request)));
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
