package org.madcast.allocator.error;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;

/**
 * Tells what went wrong where the server refuses a request by itself, such as an address that is
 * wrongly encoded: no controller gets to see it. What customizes without an order is inside of what
 * the framework has, reports first, and leaves it nothing to do.
 */
@Component
class BareErrors implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private final ErrorAnswers answers;

    BareErrors(ErrorAnswers answers) {
        this.answers = answers;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Report(answers)));
    }

    private static final class Report extends ErrorReportValve {

        private final ErrorAnswers answers;

        Report(ErrorAnswers answers) {
            this.answers = answers;
        }

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            int status = response.getStatus();
            if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
                return;
            }
            String body =
                    answers.render(request, response, Failure.of(HttpStatusCode.valueOf(status)));
            response.setCharacterEncoding("UTF-8");
            try (Writer writer = response.getReporter()) {
                writer.write(body);
            } catch (IOException gone) {
                // Nobody waits for it any more.
            }
        }
    }
}
