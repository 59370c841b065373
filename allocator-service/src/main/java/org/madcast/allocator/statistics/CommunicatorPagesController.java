package org.madcast.allocator.statistics;

import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of a communicator. */
@PageController
class CommunicatorPagesController {

    private final CommunicatorPage communicators;

    CommunicatorPagesController(CommunicatorPage communicators) {
        this.communicators = communicators;
    }

    @GetMapping("/communicators/{id}")
    String communicator(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String span,
            Model model,
            HttpServletResponse response) {
        return ErrorPage.orMissing("communicator", communicators.view(id, span), model, response);
    }

    @GetMapping("/fragments/communicators/{id}")
    String communicatorFragment(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String span,
            Model model,
            HttpServletResponse response) {
        return communicator(id, span, model, response) + " :: live";
    }
}
