package org.madcast.allocator.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of the scopes: what may be leased, by which rules, and who had an address. */
@Controller
class ScopePagesController {

    private final ScopesPage scopes;

    ScopePagesController(ScopesPage scopes) {
        this.scopes = scopes;
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
}
