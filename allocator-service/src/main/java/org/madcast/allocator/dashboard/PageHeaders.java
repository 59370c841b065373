package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Caller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** What every page is sent with: nothing from elsewhere runs in it, nothing keeps it. */
@ControllerAdvice(
        assignableTypes = {
            AuditPagesController.class,
            DashboardController.class,
            FleetPagesController.class,
            JobPagesController.class,
            ReservationPagesController.class,
            ScopePagesController.class,
            SignInController.class,
            TokenPagesController.class,
            TopologyPagesController.class
        })
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

    /** What the forms of a signed-in browser carry, null for others. */
    @ModelAttribute("proof")
    @Nullable String proof(HttpServletRequest request) {
        return FormGuard.proof(request);
    }

    /** The program's version; of classes that are in no archive there is none. */
    @ModelAttribute("version")
    String version() {
        String version = PageHeaders.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    /** The caller, whose role decides what pages offer. */
    @ModelAttribute("visitor")
    Caller visitor(@RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        return visitor;
    }

    static void set(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
    }
}
