package org.madcast.allocator.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Has browsers that came by HTTPS come by it again (HSTS, RFC 6797), for a year. Not for this
 * machine's own name, whose other ports are other programs' business.
 */
final class Https {

    private static final String HEADER = "Strict-Transport-Security";
    private static final String YEAR = "max-age=31536000";

    private Https() {}

    static void tell(HttpServletRequest request, HttpServletResponse response) {
        if (request.isSecure() && !request.getServerName().endsWith("localhost")) {
            response.setHeader(HEADER, YEAR);
        }
    }
}
