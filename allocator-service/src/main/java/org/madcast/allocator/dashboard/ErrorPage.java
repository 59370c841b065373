package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.Map;
import org.madcast.allocator.error.Audience;
import org.madcast.allocator.error.ErrorRenderer;
import org.madcast.allocator.error.Failure;
import org.madcast.allocator.error.RequestInfo;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/** The page that tells people what went wrong; its texts are in the template. */
@Component
class ErrorPage implements ErrorRenderer {

    static final String VIEW = "error";

    private final ObjectProvider<ITemplateEngine> engine;

    ErrorPage(ObjectProvider<ITemplateEngine> engine) {
        this.engine = engine;
    }

    @Override
    public Audience audience() {
        return Audience.PEOPLE;
    }

    @Override
    public String render(RequestInfo asked, Failure failure, HttpServletResponse response) {
        PageHeaders.set(response);
        response.setContentType("text/html;charset=UTF-8");
        return engine.getObject().process(VIEW, new Context(Locale.ENGLISH, facts(asked, failure)));
    }

    /** What the template needs to know. */
    static Map<String, Object> facts(RequestInfo asked, Failure failure) {
        int status = failure.status().value();
        HttpStatus known = HttpStatus.resolve(status);
        return Map.of(
                "status",
                status,
                "reason",
                known == null ? "" : known.getReasonPhrase(),
                "title",
                title(status),
                "retry",
                failure.retryAfter() != null,
                "path",
                asked.path(),
                "method",
                asked.method());
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "This address is not understood";
            case 404 -> "There is no such page";
            case 405 -> "That cannot be done here";
            case 429 -> "Too many requests at once";
            case 503 -> "The database does not answer";
            default -> status >= 500 ? "The service failed" : "That was refused";
        };
    }
}
