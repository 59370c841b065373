package org.madcast.allocator.error;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Answers requests that fail outside of the controllers, each in the way of who asks. */
@Component
public class ErrorAnswers {

    private final ObjectProvider<ErrorRenderer> renderers;

    ErrorAnswers(ObjectProvider<ErrorRenderer> renderers) {
        this.renderers = renderers;
    }

    /** Sends the answer, unless another one is on its way already. */
    public void answer(HttpServletRequest request, HttpServletResponse response, Failure failure)
            throws IOException {
        if (!response.isCommitted()) {
            byte[] body = render(request, response, failure).getBytes(StandardCharsets.UTF_8);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    /** The body of the answer; its status and headers are set. */
    String render(HttpServletRequest request, HttpServletResponse response, Failure failure) {
        RequestInfo asked = RequestInfo.of(request);
        failure.begin(response);
        return renderers.stream()
                .filter(it -> it.audience() == asked.audience())
                .findFirst()
                .orElseThrow()
                .render(asked, failure, response);
    }
}
