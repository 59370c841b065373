package org.madcast.allocator.dashboard;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/**
 * Tells people what went wrong where the server refuses a request by itself, such as an address
 * that is wrongly encoded: no controller gets to see it.
 */
@Component
@Order(BarePages.INSIDE_OF_PROBLEMS)
class BarePages implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** What is inside reports first, and what is outside finds nothing left to do. */
    static final int INSIDE_OF_PROBLEMS = 20;

    private final ObjectProvider<ITemplateEngine> engine;

    BarePages(ObjectProvider<ITemplateEngine> engine) {
        this.engine = engine;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Report(engine)));
    }

    private static final class Report extends ErrorReportValve {

        private final ObjectProvider<ITemplateEngine> engine;

        Report(ObjectProvider<ITemplateEngine> engine) {
            this.engine = engine;
        }

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            int status = response.getStatus();
            if (status < 400
                    || response.getContentWritten() > 0
                    || !ErrorPages.wantsPage(request, request.getRequestURI())
                    || !response.setErrorReported()) {
                return;
            }
            Context texts =
                    new Context(
                            request.getLocale(), ErrorPages.texts(HttpStatusCode.valueOf(status)));
            texts.setVariable("path", request.getRequestURI());
            texts.setVariable("method", request.getMethod());
            PageHeaders.set(response);
            response.setContentType("text/html;charset=UTF-8");
            try (Writer writer = response.getReporter()) {
                engine.getObject().process("error", texts, writer);
            } catch (IOException gone) {
                // Nobody waits for it any more.
            }
        }
    }
}
