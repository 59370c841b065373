package org.madcast.allocator.lease;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Requester;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of leases, where an operator takes one back. */
@PageController
class LeasePagesController {

    private final LeasesPage leases;
    private final LeaseService leaseService;

    LeasePagesController(LeasesPage leases, LeaseService leaseService) {
        this.leases = leases;
        this.leaseService = leaseService;
    }

    @GetMapping("/leases")
    String leases(
            @RequestParam(required = false) @Nullable String q,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable Integer page,
            Model model) {
        model.addAttribute("view", leases.view(LeasesPage.Search.of(q, scope, state, page)));
        return "leases";
    }

    @GetMapping("/fragments/leases")
    String leasesFragment(
            @RequestParam(required = false) @Nullable String q,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable Integer page,
            Model model) {
        return leases(q, scope, state, page, model) + " :: live";
    }

    @GetMapping("/leases/{id}")
    String lease(@PathVariable UUID id, Model model, HttpServletResponse response) {
        Optional<LeasesPage.Row> lease = leases.find(id);
        if (lease.isEmpty()) {
            return ErrorPage.missing("lease", model, response);
        }
        model.addAttribute("lease", lease.get());
        return "lease";
    }

    @GetMapping("/fragments/leases/{id}")
    String leaseFragment(@PathVariable UUID id, Model model, HttpServletResponse response) {
        return lease(id, model, response) + " :: live";
    }

    /**
     * An operator takes a lease back. Only scripts of these pages send the header: another site's
     * form cannot, and its script is not allowed to.
     */
    @PostMapping("/leases/{id}/release")
    String release(
            @PathVariable UUID id,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String fromPage,
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            Model model,
            HttpServletResponse response) {
        if (!"true".equals(fromPage)) {
            return ErrorPage.refused(response);
        }
        leaseService.takeBack(by, id);
        return lease(id, model, response) + " :: live";
    }
}
