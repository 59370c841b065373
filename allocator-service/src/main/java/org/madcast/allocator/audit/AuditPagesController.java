package org.madcast.allocator.audit;

import java.util.Map;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of what was done, by whom. Only operators reach it. */
@PageController
class AuditPagesController {

    private final AuditPage audit;

    AuditPagesController(AuditPage audit) {
        this.audit = audit;
    }

    @GetMapping("/audit")
    String audit(@RequestParam Map<String, String> typed, Model model) {
        model.addAttribute("view", audit.view(AuditPage.Search.of(typed)));
        return "audit";
    }
}
