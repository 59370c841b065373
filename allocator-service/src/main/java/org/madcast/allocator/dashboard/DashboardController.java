package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;
import org.madcast.allocator.web.page.PageController;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The pages, and the parts of them that refresh themselves. */
@PageController
class DashboardController {

    /** Alerts of each kind at first: they leave room for the rest of the page. */
    private static final int FEW_ALERTS = 3;

    /** Alerts of each kind at most: a page of all would take long. */
    private static final int MANY_ALERTS = 200;

    private static final String ALL = "all";

    private final OverviewPage overview;
    private final ScopesPage scopes;
    private final AlertService alerts;
    private final Live live;
    private final Duration refreshInterval;

    DashboardController(
            OverviewPage overview,
            ScopesPage scopes,
            AlertService alerts,
            Live live,
            @Value("${madcast.dashboard.refresh-interval:2s}") Duration refreshInterval) {
        this.refreshInterval = refreshInterval;
        this.overview = overview;
        this.scopes = scopes;
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

    @GetMapping("/scopes")
    String scopes(@RequestParam(required = false) @Nullable String address, Model model) {
        model.addAttribute("view", scopes.view(address));
        return "scopes";
    }

    @GetMapping("/fragments/scopes")
    String scopesFragment(@RequestParam(required = false) @Nullable String address, Model model) {
        return scopes(address, model) + " :: live";
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(
            HttpServletRequest request, @RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        return live.open(request.getRemoteAddr(), visitor.known() ? visitor.name() : null);
    }
}
