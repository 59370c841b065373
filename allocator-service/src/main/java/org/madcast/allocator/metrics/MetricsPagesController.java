package org.madcast.allocator.metrics;

import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page of the metrics. */
@PageController
class MetricsPagesController {

    private final MetricsPage metrics;

    MetricsPagesController(MetricsPage metrics) {
        this.metrics = metrics;
    }

    @GetMapping("/metrics")
    String metrics(Model model) {
        model.addAttribute("charts", metrics.charts());
        return "metrics";
    }

    @GetMapping("/fragments/metrics")
    String metricsFragment(Model model) {
        return metrics(model) + " :: live";
    }
}
