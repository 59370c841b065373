package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;

/** The pages, and the parts of them that refresh themselves. */
@Controller
class DashboardController {

    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " frame-ancestors 'none'";

    private final OverviewPage overview;
    private final CommunicatorPage communicators;

    DashboardController(OverviewPage overview, CommunicatorPage communicators) {
        this.overview = overview;
        this.communicators = communicators;
    }

    @ModelAttribute
    void protect(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Cache-Control", "no-store");
    }

    @GetMapping("/")
    String overview(Model model) {
        model.addAttribute("view", overview.view());
        return "overview";
    }

    @GetMapping("/fragments/overview")
    String overviewFragment(Model model) {
        overview(model);
        return "overview :: content";
    }

    @GetMapping("/communicators/{id}")
    String communicator(@PathVariable UUID id, Model model, HttpServletResponse response) {
        Optional<CommunicatorPage.View> view = communicators.view(id);
        if (view.isEmpty()) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            model.addAttribute("id", id);
            return "no-communicator";
        }
        model.addAttribute("view", view.get());
        return "communicator";
    }

    @GetMapping("/fragments/communicators/{id}")
    String communicatorFragment(@PathVariable UUID id, Model model, HttpServletResponse response) {
        String page = communicator(id, model, response);
        return page + " :: content";
    }
}
