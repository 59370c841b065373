package org.madcast.allocator.web.page;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** What every page is sent with: nothing from elsewhere runs in it, nothing keeps it. */
@ControllerAdvice(annotations = PageController.class)
class PageHeaders {

    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    @ModelAttribute
    void protect(HttpServletResponse response) {
        set(response);
    }

    /** The address of this service as the browser reaches it, for commands to copy. */
    @ModelAttribute("service")
    String service() {
        return ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
    }

    /** The program's version; of classes that are in no archive there is none. */
    @ModelAttribute("version")
    String version() {
        String version = PageHeaders.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    static void set(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
    }
}
