package org.madcast.allocator.access.oidc;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.AccessRules;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.access.Role;
import org.madcast.allocator.access.Tokens;
import org.madcast.allocator.access.oidc.OidcSignIn.Finished.Refused;
import org.madcast.allocator.access.oidc.OidcSignIn.Finished.SignedIn;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.web.page.PageController;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/**
 * Where people show their token, which their browser then shows with each request. No session is
 * kept, so any replica answers. The browser sends the cookie to this service only, and not with
 * requests that other sites cause.
 */
@PageController
class SignInController {

    private static final Duration A_DAY_OF_WORK = Duration.ofHours(12);
    private static final String START = "/";
    private static final String STRICT = "Strict";

    private static final String PAGE = "sign-in";
    private static final String DASHBOARD = "dashboard";

    /** What the browser keeps while its person is at the provider. */
    private static final String UNDER_WAY = "madcast-sign-in";

    /** What it keeps until then for the provider to see when the person signs out. */
    private static final String ID_TOKEN = "madcast-id-token";

    /** Browsers keep no more than 4096 bytes, the name and the attributes included. */
    private static final int LONGEST_ID_TOKEN = 3900;

    private final Tokens tokens;
    private final OidcSignIn oidc;
    private final OidcSignOut signOut;
    private final AuditLog audit;

    SignInController(Tokens tokens, OidcSignIn oidc, OidcSignOut signOut, AuditLog audit) {
        this.tokens = tokens;
        this.oidc = oidc;
        this.signOut = signOut;
        this.audit = audit;
    }

    /** Whether the page offers to sign in at a provider. */
    @ModelAttribute("provider")
    boolean provider() {
        return oidc.isOffered();
    }

    @GetMapping(AccessRules.SIGN_IN)
    String show(@RequestParam(required = false) @Nullable String to, Model model) {
        model.addAttribute("to", safe(to));
        return PAGE;
    }

    /** Sends a browser to the provider. */
    @GetMapping(OidcSignIn.START)
    @Nullable Object atProvider(
            @RequestParam(required = false) @Nullable String to,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!oidc.isOffered()) {
            return again(HttpStatus.NOT_FOUND, to, "There is no provider to sign in at.");
        }
        try {
            OidcSignIn.Started started = oidc.start(request, safe(to));
            // It must come along when the provider's site sends the browser back.
            keep(request, response, UNDER_WAY, started.cookie(), OidcSignIn.UNDER_WAY, "Lax");
            response.setStatus(HttpStatus.SEE_OTHER.value());
            response.setHeader(HttpHeaders.LOCATION, started.uri());
            return null;
        } catch (ProviderAwayException away) {
            return again(HttpStatus.SERVICE_UNAVAILABLE, to, String.valueOf(away.getMessage()));
        }
    }

    /** Ends the sign-in of a browser that the provider has sent back. */
    @GetMapping(OidcSignIn.DONE)
    Object fromProvider(
            @CookieValue(name = UNDER_WAY, required = false) @Nullable String underWay,
            HttpServletRequest request,
            HttpServletResponse response) {
        OidcSignIn.Finished finished;
        try {
            finished = oidc.finish(request, underWay);
        } catch (ProviderAwayException away) {
            return again(HttpStatus.SERVICE_UNAVAILABLE, null, String.valueOf(away.getMessage()));
        }
        keep(request, response, UNDER_WAY, "", Duration.ZERO, "Lax");
        return switch (finished) {
            case SignedIn(Caller person, String session, @Nullable String idToken, String to) -> {
                Actor.isKnown(person.name(), person.role().word());
                if (person.role() == Role.NONE) {
                    failed("no-role");
                    yield again(
                            HttpStatus.FORBIDDEN,
                            to,
                            "The provider knows you as %s, but none of your roles there has one here."
                                    .formatted(person.name().replaceFirst("^oidc:", "")));
                }
                audit.record(AuditKind.SIGN_IN, DASHBOARD, Map.of());
                keep(request, response, AccessRules.COOKIE, session, oidc.session(), STRICT);
                keepIdToken(request, response, idToken, oidc.session());
                // A redirect would still be the provider's, and so without the cookie.
                yield signed(true, safe(to));
            }
            case Refused(String reason) -> {
                failed(reason);
                yield again(
                        HttpStatus.UNAUTHORIZED,
                        null,
                        "The sign-in at the provider did not succeed (%s). Try again."
                                .formatted(reason));
            }
        };
    }

    private void failed(String reason) {
        audit.refused(AuditKind.SIGN_IN_FAILED, Actor.current(), DASHBOARD, reason);
    }

    private ModelAndView again(HttpStatus status, @Nullable String to, String why) {
        return new ModelAndView(PAGE, Map.of("to", safe(to), "failure", why), status);
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
            failed("token-unknown");
            return again(
                    HttpStatus.UNAUTHORIZED,
                    to,
                    "The service does not know this token. It may have been revoked, or a part of it"
                            + " is missing.");
        }
        Actor.isKnown(holder.name(), holder.role().word());
        audit.record(AuditKind.SIGN_IN, DASHBOARD, Map.of());
        lead(request, response, shown, A_DAY_OF_WORK, safe(to));
        return null;
    }

    @PostMapping(AccessRules.SIGN_OUT)
    @Nullable Object signOut(
            @CookieValue(name = AccessRules.COOKIE, required = false) @Nullable String session,
            @CookieValue(name = ID_TOKEN, required = false) @Nullable String idToken,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<String> atProvider = signOut.atProvider(request, response, session, idToken);
        keepIdToken(request, response, "", Duration.ZERO);
        if (atProvider.isEmpty()) {
            lead(request, response, "", Duration.ZERO, START);
            return null;
        }
        keep(request, response, AccessRules.COOKIE, "", Duration.ZERO, STRICT);
        // Browsers follow no redirect of a form to another site where the page's policy forbids it.
        return signed(false, atProvider.get());
    }

    /** The page that leads on. */
    private static ModelAndView signed(boolean in, String to) {
        return new ModelAndView("signed", Map.of("in", in, "to", to));
    }

    private static void keepIdToken(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable String idToken,
            Duration age) {
        String kept = idToken == null || idToken.length() > LONGEST_ID_TOKEN ? "" : idToken;
        ResponseCookie cookie =
                cookie(request, ID_TOKEN, kept, kept.isEmpty() ? Duration.ZERO : age, STRICT)
                        .path(AccessRules.SIGN_OUT)
                        .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    private static void lead(
            HttpServletRequest request,
            HttpServletResponse response,
            String token,
            Duration age,
            String to) {
        keep(request, response, AccessRules.COOKIE, token, age, STRICT);
        response.setStatus(HttpStatus.SEE_OTHER.value());
        response.setHeader(HttpHeaders.LOCATION, to);
    }

    private static void keep(
            HttpServletRequest request,
            HttpServletResponse response,
            String name,
            String value,
            Duration age,
            String sameSite) {
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                cookie(request, name, value, age, sameSite).build().toString());
    }

    private static ResponseCookie.ResponseCookieBuilder cookie(
            HttpServletRequest request, String name, String value, Duration age, String sameSite) {
        return ResponseCookie.from(name, value)
                .path("/")
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite(sameSite)
                .maxAge(age);
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
