package org.madcast.allocator.rest;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/**
 * Tells programs what went wrong where the server refuses a request by itself, such as an address
 * that is wrongly encoded: no controller gets to see it.
 */
@Component
@Order(BareProblems.INSIDE_OF_THE_SERVERS)
class BareProblems implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** What is inside reports first, and what is outside finds nothing left to do. */
    static final int INSIDE_OF_THE_SERVERS = 10;

    private final ObjectMapper json;

    BareProblems(ObjectMapper json) {
        this.json = json;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Report(json)));
    }

    private static final class Report extends ErrorReportValve {

        private final ObjectMapper json;

        Report(ObjectMapper json) {
            this.json = json;
        }

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            if (response.getStatus() < 400
                    || response.getContentWritten() > 0
                    || !response.setErrorReported()) {
                return;
            }
            Problem problem = ErrorProblems.of(response.getStatus());
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setCharacterEncoding("UTF-8");
            try (Writer writer = response.getReporter()) {
                writer.write(json.writeValueAsString(problem.toResponse().getBody()));
            } catch (IOException gone) {
                // Nobody waits for it any more.
            }
        }
    }
}
