package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.AccessRules;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.lease.Secrets;
import org.springframework.http.HttpStatus;
import org.springframework.web.util.WebUtils;

/**
 * Protects forms against other sites (CSRF): a form carries a hash of the cookie with which its
 * operator signed in. Another site neither reads the cookie nor sends it ({@code SameSite=Strict}).
 * No session is kept, so any replica checks it.
 */
final class FormGuard {

    /** The hidden field of each form. */
    static final String FIELD = "proof";

    private FormGuard() {}

    /** What a form of this browser must carry; null when it has no cookie of an operator. */
    static @Nullable String proof(HttpServletRequest request) {
        var cookie = WebUtils.getCookie(request, AccessRules.COOKIE);
        return cookie == null || cookie.getValue().isEmpty()
                ? null
                : Secrets.hash("madcast form " + cookie.getValue());
    }

    /** Whether this request is a form that its operator sent from a page of this service. */
    static boolean isMeant(HttpServletRequest request) {
        String proof = proof(request);
        return proof != null
                && request.getAttribute(Caller.ATTRIBUTE) instanceof Caller caller
                && caller.known()
                && caller.mayOperate()
                && Secrets.hash(proof).equals(Secrets.hash(field(request)));
    }

    private static String field(HttpServletRequest request) {
        String field = request.getParameter(FIELD);
        return field == null ? "" : field;
    }

    /** The page for a form that is not meant; nothing was changed. */
    static String refused(HttpServletResponse response) {
        response.setStatus(HttpStatus.FORBIDDEN.value());
        return "refused";
    }
}
