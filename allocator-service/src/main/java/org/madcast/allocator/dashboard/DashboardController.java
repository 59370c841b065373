package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.web.Requester;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The pages, and the parts of them that refresh themselves. */
@Controller
class DashboardController {

    /** Alerts of each kind at first: they leave room for the rest of the page. */
    private static final int FEW_ALERTS = 3;

    /** Alerts of each kind at most: a page of all would take long. */
    private static final int MANY_ALERTS = 200;

    private static final String ALL = "all";

    private final OverviewPage overview;
    private final CommunicatorPage communicators;
    private final LeasesPage leases;
    private final LeaseService leaseService;
    private final AlertService alerts;
    private final Live live;
    private final Duration refreshInterval;

    DashboardController(
            OverviewPage overview,
            CommunicatorPage communicators,
            LeasesPage leases,
            LeaseService leaseService,
            AlertService alerts,
            Live live,
            @Value("${madcast.dashboard.refresh-interval:2s}") Duration refreshInterval) {
        this.refreshInterval = refreshInterval;
        this.overview = overview;
        this.communicators = communicators;
        this.leases = leases;
        this.leaseService = leaseService;
        this.alerts = alerts;
        this.live = live;
    }

    @GetMapping("/")
    String overview(
            @RequestParam(name = "alerts", required = false) @Nullable String which, Model model) {
        return overview(which, model, overview.view());
    }

    private String overview(@Nullable String which, Model model, OverviewPage.View view) {
        List<Alert> current = alerts.current();
        boolean all = ALL.equals(which);
        model.addAttribute("view", view);
        model.addAttribute("alertCount", current.size());
        model.addAttribute(
                "alerts", Alert.firstOfEachKind(current, all ? MANY_ALERTS : FEW_ALERTS));
        model.addAttribute("which", all ? ALL : "");
        return "overview";
    }

    @GetMapping("/fragments/overview")
    String overviewFragment(
            @RequestParam(name = "alerts", required = false) @Nullable String which, Model model) {
        return overview(which, model, overview.refreshed(refreshInterval.dividedBy(2)))
                + " :: live";
    }

    /** The page of something that is not known, or no more. */
    static String missing(String what, Model model, HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        model.addAttribute("missing", what);
        return "missing";
    }

    @GetMapping("/communicators/{id}")
    String communicator(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String span,
            Model model,
            HttpServletResponse response) {
        Optional<CommunicatorPage.View> view = communicators.view(id, span);
        if (view.isEmpty()) {
            return missing("communicator", model, response);
        }
        model.addAttribute("view", view.get());
        model.addAttribute("span", view.get().span());
        return "communicator";
    }

    @GetMapping("/fragments/communicators/{id}")
    String communicatorFragment(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String span,
            Model model,
            HttpServletResponse response) {
        return communicator(id, span, model, response) + " :: live";
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
            return missing("lease", model, response);
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
            response.setStatus(HttpServletResponse.SC_FORBIDDEN);
            return "refused";
        }
        leaseService.takeBack(by, id);
        return lease(id, model, response) + " :: live";
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(
            HttpServletRequest request, @RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        return live.open(request.getRemoteAddr(), visitor.known() ? visitor.name() : null);
    }
}
