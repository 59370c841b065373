package org.madcast.allocator.web.page;

import jakarta.servlet.http.HttpServletRequest;

/** Protects the forms of pages against other sites (CSRF). */
public interface FormGuard {

    /** Whether this request is a form that its operator sent from a page of this service. */
    boolean isMeant(HttpServletRequest request);
}
