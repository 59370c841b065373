package org.madcast.allocator.error;

import jakarta.servlet.http.HttpServletResponse;

/** Tells one audience what went wrong; there is one for each. Any thread calls. */
public interface ErrorRenderer {

    /** Whom. */
    Audience audience();

    /** The body, in UTF-8; sets the headers of its own. Status and length are set by the caller. */
    String render(RequestInfo asked, Failure failure, HttpServletResponse response);
}
