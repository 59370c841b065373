package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of jobs, and those of metrics and help. */
@Controller
class JobPagesController {

    private final JobsPage jobs;
    private final MetricsPage metrics;

    JobPagesController(JobsPage jobs, MetricsPage metrics) {
        this.jobs = jobs;
        this.metrics = metrics;
    }

    @GetMapping("/jobs")
    String jobs(@RequestParam(required = false) @Nullable String q, Model model) {
        model.addAttribute("view", jobs.list(q));
        return "jobs";
    }

    @GetMapping("/fragments/jobs")
    String jobsFragment(@RequestParam(required = false) @Nullable String q, Model model) {
        return jobs(q, model) + " :: live";
    }

    /** Its name may have any characters, so it is a parameter. */
    @GetMapping("/job")
    String job(@RequestParam String name, Model model, HttpServletResponse response) {
        Optional<JobsPage.View> view = jobs.view(name);
        if (view.isEmpty()) {
            return DashboardController.missing("job", model, response);
        }
        model.addAttribute("view", view.get());
        return "job";
    }

    @GetMapping("/fragments/job")
    String jobFragment(@RequestParam String name, Model model, HttpServletResponse response) {
        return job(name, model, response) + " :: live";
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

    @GetMapping("/help")
    String help() {
        return "help";
    }
}
