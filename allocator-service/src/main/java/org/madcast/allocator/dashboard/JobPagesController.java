package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.PageController;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of jobs, and that of help. */
@PageController
class JobPagesController {

    private final JobsPage jobs;

    JobPagesController(JobsPage jobs) {
        this.jobs = jobs;
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
        return ErrorPage.orMissing("job", jobs.view(name), model, response);
    }

    @GetMapping("/fragments/job")
    String jobFragment(@RequestParam String name, Model model, HttpServletResponse response) {
        return job(name, model, response) + " :: live";
    }

    @GetMapping("/help")
    String help() {
        return "help";
    }
}
