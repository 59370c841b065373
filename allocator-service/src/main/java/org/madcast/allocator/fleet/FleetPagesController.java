package org.madcast.allocator.fleet;

import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of what agents tell: nodes, probes, pushes. */
@PageController
class FleetPagesController {

    private final NodesPage nodes;
    private final NodePage node;
    private final ProbePage probes;
    private final PushesPage pushes;

    FleetPagesController(NodesPage nodes, NodePage node, ProbePage probes, PushesPage pushes) {
        this.nodes = nodes;
        this.node = node;
        this.probes = probes;
        this.pushes = pushes;
    }

    @GetMapping("/nodes")
    String nodes(@RequestParam(required = false) @Nullable String q, Model model) {
        model.addAttribute("view", nodes.view(q));
        model.addAttribute("probes", probes.latest());
        return "nodes";
    }

    @GetMapping("/fragments/nodes")
    String nodesFragment(@RequestParam(required = false) @Nullable String q, Model model) {
        return nodes(q, model) + " :: live";
    }

    @GetMapping("/node")
    String node(@RequestParam String name, Model model, HttpServletResponse response) {
        return ErrorPage.orMissing("node", node.view(name), model, response);
    }

    @GetMapping("/fragments/node")
    String nodeFragment(@RequestParam String name, Model model, HttpServletResponse response) {
        return node(name, model, response) + " :: live";
    }

    @GetMapping("/probes/{id}")
    String probe(@PathVariable UUID id, Model model, HttpServletResponse response) {
        return ErrorPage.orMissing("probe", probes.view(id), model, response);
    }

    @GetMapping("/pushes")
    String pushes(Model model) {
        model.addAttribute("rows", pushes.latest());
        return "pushes";
    }

    @GetMapping("/fragments/pushes")
    String pushesFragment(Model model) {
        return pushes(model) + " :: live";
    }

    @GetMapping("/pushes/{id}")
    String push(@PathVariable UUID id, Model model, HttpServletResponse response) {
        return ErrorPage.orMissing("push", pushes.view(id), model, response);
    }

    @GetMapping("/fragments/pushes/{id}")
    String pushFragment(@PathVariable UUID id, Model model, HttpServletResponse response) {
        return push(id, model, response) + " :: live";
    }
}
