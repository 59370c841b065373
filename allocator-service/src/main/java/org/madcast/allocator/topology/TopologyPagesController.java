package org.madcast.allocator.topology;

import jakarta.servlet.http.HttpServletResponse;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The pages of topologies: which there are, and each as a picture. */
@PageController
class TopologyPagesController {

    private final TopologiesPage topologies;

    TopologyPagesController(TopologiesPage topologies) {
        this.topologies = topologies;
    }

    @GetMapping("/topologies")
    String topologies(Model model) {
        model.addAttribute("rows", topologies.all());
        return "topologies";
    }

    @GetMapping("/fragments/topologies")
    String topologiesFragment(Model model) {
        return topologies(model) + " :: live";
    }

    @GetMapping("/topologies/{name}")
    String topology(@PathVariable String name, Model model, HttpServletResponse response) {
        return ErrorPage.orMissing("topology", topologies.view(name), model, response);
    }
}
