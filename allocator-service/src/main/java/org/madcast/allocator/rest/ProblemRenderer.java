package org.madcast.allocator.rest;

import jakarta.servlet.http.HttpServletResponse;
import org.madcast.allocator.error.Audience;
import org.madcast.allocator.error.ErrorRenderer;
import org.madcast.allocator.error.Failure;
import org.madcast.allocator.error.RequestInfo;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/** Tells programs what went wrong outside of the controllers. */
@Component
class ProblemRenderer implements ErrorRenderer {

    private final ObjectMapper json;

    ProblemRenderer(ObjectMapper json) {
        this.json = json;
    }

    @Override
    public Audience audience() {
        return Audience.PROGRAMS;
    }

    @Override
    public String render(RequestInfo asked, Failure failure, HttpServletResponse response) {
        Problem problem = failure instanceof Problem told ? told : Problem.of(failure.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        return json.writeValueAsString(problem.body(asked));
    }
}
