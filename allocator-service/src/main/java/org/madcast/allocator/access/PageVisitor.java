package org.madcast.allocator.access;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.web.page.FormGuard;
import org.madcast.allocator.web.page.PageController;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.util.WebUtils;

/**
 * What pages know of their caller. A form carries a hash of the cookie with which its operator
 * signed in. Another site neither reads the cookie nor sends it ({@code SameSite=Strict}). No
 * session is kept, so any replica checks it.
 */
@ControllerAdvice(annotations = PageController.class)
class PageVisitor implements FormGuard {

    /** The hidden field of each form. */
    private static final String FIELD = "proof";

    /** What a form of this browser must carry; null when it has no cookie of an operator. */
    @ModelAttribute(FIELD)
    @Nullable String proof(HttpServletRequest request) {
        var cookie = WebUtils.getCookie(request, AccessRules.COOKIE);
        return cookie == null || cookie.getValue().isEmpty()
                ? null
                : Secrets.hash("madcast form " + cookie.getValue());
    }

    /** The caller, whose role decides what pages offer. */
    @ModelAttribute("visitor")
    Caller visitor(@RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        return visitor;
    }

    @Override
    public boolean isMeant(HttpServletRequest request) {
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
}
