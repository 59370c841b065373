package org.madcast.allocator.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreFailures;
import org.madcast.allocator.store.StoreTrouble;
import org.madcast.allocator.store.StoreWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.ObjectMapper;

/**
 * Answers requests that fail outside of the controllers: a browser gets a page, every other client
 * a problem. From any thread.
 */
@Component
public class ErrorAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

    private final ObjectProvider<PageRenderer> pages;
    private final ObjectMapper json;
    private final StoreWatch database;

    ErrorAnswers(ObjectProvider<PageRenderer> pages, ObjectMapper json, StoreWatch database) {
        this.pages = pages;
        this.json = json;
        this.database = database;
    }

    /** Renders the page that a browser gets. Any thread calls. */
    public interface PageRenderer {

        /** The page, in UTF-8. Sets its own headers; the caller sets status and length. */
        String render(RequestInfo request, Problem problem, HttpServletResponse response);
    }

    /** Sends the answer, unless the response is committed. */
    public void answer(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        if (!response.isCommitted()) {
            byte[] body = render(request, response, problem).getBytes(StandardCharsets.UTF_8);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    /** The body of the answer; sets its status and headers. */
    private String render(
            HttpServletRequest request, HttpServletResponse response, Problem problem) {
        RequestInfo info = RequestInfo.of(request);
        problem.noteIn(request);
        problem.writeHead(response);
        if (info.wantsPage()) {
            return pages.getObject().render(info, problem, response);
        }
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        return json.writeValueAsString(problem.body(info));
    }

    /** The problem for an exception that no controller handles; logs it if the service failed. */
    public Problem problemOf(RequestInfo request, Exception failure) {
        if (StoreFailures.isUnstorable(failure)) {
            return new Problem(
                    ProblemType.INVALID_REQUEST, "A text has characters that cannot be stored.");
        }
        StoreTrouble trouble = database.judge(failure);
        if (trouble != null) {
            return Problem.of(trouble);
        }
        LOG.error("{} {} failed", request.method(), request.path(), failure);
        return Problem.of(HttpStatus.INTERNAL_SERVER_ERROR);
    }

    /** The problem when the database is in trouble; null for every other failure. */
    @Nullable Problem ofDatabase(Exception failure) {
        StoreTrouble trouble = database.judge(failure);
        return trouble == null ? null : Problem.of(trouble);
    }

    /** Where the server forwards a request that failed outside of the controllers. */
    @Controller
    static final class Dispatch implements ErrorController {

        private final ErrorAnswers answers;

        Dispatch(ErrorAnswers answers) {
            this.answers = answers;
        }

        @RequestMapping("${server.error.path:/error}")
        void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
            // A client that asks for this address itself finds nothing.
            int code = status instanceof Integer sent ? sent : HttpServletResponse.SC_NOT_FOUND;
            answers.answer(request, response, Problem.of(HttpStatusCode.valueOf(code)));
        }
    }

    /**
     * Answers what the server refuses before the framework sees it, such as an address with a wrong
     * encoding. A customizer without an order is inside of the framework's own and reports first.
     */
    @Component
    static final class ServerErrors
            implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

        private final ErrorAnswers answers;

        ServerErrors(ErrorAnswers answers) {
            this.answers = answers;
        }

        @Override
        public void customize(TomcatServletWebServerFactory factory) {
            factory.addContextCustomizers(
                    context -> context.getParent().getPipeline().addValve(new Report(answers)));
        }
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
                    answers.render(request, response, Problem.of(HttpStatusCode.valueOf(status)));
            response.setCharacterEncoding("UTF-8");
            try (Writer writer = response.getReporter()) {
                writer.write(body);
            } catch (IOException closed) {
                LOG.debug("The client closed the connection", closed);
            }
        }
    }
}
