package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.AccessRules;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.access.Tokens;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/**
 * Where people show their token, which their browser then shows with each request. No session is
 * kept, so any replica answers. The browser sends the cookie to this service only, and not with
 * requests that other sites cause.
 */
@Controller
class SignInController {

    private static final Duration A_DAY_OF_WORK = Duration.ofHours(12);
    private static final String START = "/";

    private final Tokens tokens;
    private final AuditLog audit;

    SignInController(Tokens tokens, AuditLog audit) {
        this.tokens = tokens;
        this.audit = audit;
    }

    @GetMapping(AccessRules.SIGN_IN)
    String show(@RequestParam(required = false) @Nullable String to, Model model) {
        model.addAttribute("to", safe(to));
        return "sign-in";
    }

    @PostMapping(AccessRules.SIGN_IN)
    @Nullable Object signIn(
            @RequestParam String token,
            @RequestParam(required = false) @Nullable String to,
            HttpServletRequest request,
            HttpServletResponse response) {
        String shown = token.strip();
        if (!(tokens.show(shown, request.getRemoteAddr())
                instanceof Tokens.Shown.Known(Caller holder))) {
            audit.refused(AuditKind.SIGN_IN_FAILED, Actor.current(), "dashboard", "token-unknown");
            ModelAndView again = new ModelAndView("sign-in", HttpStatus.UNAUTHORIZED);
            again.addObject("to", safe(to));
            again.addObject("unknown", true);
            return again;
        }
        Actor.isKnown(holder.name(), holder.role().word());
        audit.record(AuditKind.SIGN_IN, "dashboard", Map.of());
        lead(request, response, shown, A_DAY_OF_WORK, safe(to));
        return null;
    }

    @PostMapping(AccessRules.SIGN_OUT)
    void signOut(HttpServletRequest request, HttpServletResponse response) {
        lead(request, response, "", Duration.ZERO, START);
    }

    private static void lead(
            HttpServletRequest request,
            HttpServletResponse response,
            String token,
            Duration age,
            String to) {
        ResponseCookie cookie =
                ResponseCookie.from(AccessRules.COOKIE, token)
                        .path("/")
                        .httpOnly(true)
                        .secure(request.isSecure())
                        .sameSite("Strict")
                        .maxAge(age)
                        .build();
        response.setHeader(HttpHeaders.SET_COOKIE, cookie.toString());
        response.setStatus(HttpStatus.SEE_OTHER.value());
        response.setHeader(HttpHeaders.LOCATION, to);
    }

    /** A page of this service: a link to the sign-in page must not lead to another site. */
    private static String safe(@Nullable String to) {
        if (to == null || !to.startsWith("/") || to.startsWith(AccessRules.SIGN_IN)) {
            return START;
        }
        try {
            URI address = URI.create(to);
            boolean ours = address.getScheme() == null && address.getRawAuthority() == null;
            // Browsers take a backslash for a slash, and leave out what no address may have.
            return ours && !to.startsWith("//") && to.indexOf('\\') < 0
                    ? address.toString()
                    : START;
        } catch (IllegalArgumentException noAddress) {
            return START;
        }
    }
}
