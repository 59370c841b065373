package org.madcast.allocator.web.page;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.madcast.allocator.web.ErrorAnswers;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.RequestInfo;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/** The page for people after a failure; its texts are in the template. */
@Component
public class ErrorPage implements ErrorAnswers.PageRenderer {

    static final String VIEW = "error";

    private final ObjectProvider<ITemplateEngine> engine;

    ErrorPage(ObjectProvider<ITemplateEngine> engine) {
        this.engine = engine;
    }

    @Override
    public String render(RequestInfo request, Problem problem, HttpServletResponse response) {
        PageHeaders.set(response);
        response.setContentType("text/html;charset=UTF-8");
        return engine.getObject()
                .process(VIEW, new Context(Locale.ENGLISH, facts(request, problem)));
    }

    /** What the template needs to know. */
    static Map<String, Object> facts(RequestInfo request, Problem problem) {
        int status = problem.status().value();
        HttpStatus known = HttpStatus.resolve(status);
        return Map.of(
                "status",
                status,
                "reason",
                known == null ? "" : known.getReasonPhrase(),
                "title",
                status == HttpStatus.SERVICE_UNAVAILABLE.value() ? problem.title() : title(status),
                "retry",
                problem.retryAfter() != null,
                "path",
                request.path(),
                "method",
                request.method());
    }

    /** The page of something that is not known, or no more. */
    public static String missing(String what, Model model, HttpServletResponse response) {
        response.setStatus(HttpStatus.NOT_FOUND.value());
        model.addAttribute("missing", what);
        return "missing";
    }

    /**
     * The page of this kind of thing, that the template of this name makes, or that of something
     * missing.
     */
    public static String orMissing(
            String what, Optional<?> view, Model model, HttpServletResponse response) {
        if (view.isEmpty()) {
            return missing(what, model, response);
        }
        model.addAttribute("view", view.get());
        return what;
    }

    /** The page for a form that is not meant; nothing was changed. */
    public static String refused(HttpServletResponse response) {
        response.setStatus(HttpStatus.FORBIDDEN.value());
        return "refused";
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "This address is not understood";
            case 404 -> "There is no such page";
            case 405 -> "That cannot be done here";
            case 429 -> "Too many requests at once";
            default -> status >= 500 ? "The service failed" : "That was refused";
        };
    }
}
