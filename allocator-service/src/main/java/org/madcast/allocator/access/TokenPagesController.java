package org.madcast.allocator.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.FormGuard;
import org.madcast.allocator.web.page.PageController;
import org.madcast.allocator.web.page.Show;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The page on which operators make, replace and revoke tokens. Only operators reach it. */
@PageController
class TokenPagesController {

    static final String PATH = "/tokens";

    private static final Pattern NAME = Pattern.compile(Token.NAME);
    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,4}");
    private static final Duration OVERLAP = Duration.ofDays(1);
    private static final Set<String> ROLES = Set.of("viewer", "job", "operator");

    private final Tokens tokens;
    private final SqlTime time;
    private final FormGuard guard;

    TokenPagesController(Tokens tokens, SqlTime time, FormGuard guard) {
        this.tokens = tokens;
        this.time = time;
        this.guard = guard;
    }

    /** A line of the table. */
    public record Row(
            String name,
            String role,
            String made,
            String by,
            String ends,
            String limits,
            String used) {}

    /** What was typed, and what is wrong with it; null where nothing is. */
    public record Form(
            String name,
            String role,
            String days,
            String requests,
            String groups,
            @Nullable String nameError,
            @Nullable String roleError,
            @Nullable String limitsError) {

        static final Form EMPTY = new Form("", "job", "", "", "", null, null, null);

        boolean isRight() {
            return nameError == null && roleError == null && limitsError == null;
        }

        Form taken() {
            return new Form(
                    name,
                    role,
                    days,
                    requests,
                    groups,
                    "There is a token of this name. Revoke it first, or choose another name.",
                    null,
                    null);
        }
    }

    @GetMapping(PATH)
    String tokens(Model model) {
        return page(Form.EMPTY, model);
    }

    /** Shows the token once: it is not kept. */
    @PostMapping(PATH)
    String make(
            @RequestParam Map<String, String> typed,
            @RequestAttribute(Caller.ATTRIBUTE) Caller caller,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        Form form = read(typed);
        if (form.isRight()) {
            Optional<Tokens.Made> made =
                    tokens.make(form.name(), Role.of(form.role()), caller.name(), terms(form));
            if (made.isPresent()) {
                model.addAttribute("made", made.get());
                return page(Form.EMPTY, model);
            }
            form = form.taken();
        }
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return page(form, model);
    }

    private static Form read(Map<String, String> typed) {
        String name = typed.getOrDefault("name", "").strip();
        String role = typed.getOrDefault("role", "");
        String days = typed.getOrDefault("days", "").strip();
        String requests = typed.getOrDefault("requests", "").strip();
        String groups = typed.getOrDefault("groups", "").strip();
        return new Form(
                name,
                role,
                days,
                requests,
                groups,
                nameError(name),
                roleError(role),
                limitsError(days, requests, groups));
    }

    /** Shows a token's successor once. When there is no such token any more, that is no error. */
    @PostMapping(PATH + "/rotate")
    String rotate(
            @RequestParam(defaultValue = "") String name,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        tokens.rotate(name, OVERLAP, null).ifPresent(it -> model.addAttribute("made", it));
        return page(Form.EMPTY, model);
    }

    /** Revokes a token. When there is none of this name any more, that is no error. */
    @PostMapping(PATH + "/revoke")
    String revoke(
            @RequestParam(defaultValue = "") String name,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        tokens.revoke(name);
        return "redirect:" + PATH;
    }

    private String page(Form form, Model model) {
        Instant now = time.now();
        model.addAttribute("rows", tokens.all().stream().map(it -> row(it, now)).toList());
        model.addAttribute("form", form);
        return "tokens";
    }

    private static Row row(Token token, Instant now) {
        Instant usedAt = token.state().lastUsedAt();
        Instant ends = token.terms().expiresAt();
        Instant predecessor = token.state().predecessorUntil();
        String until =
                ends == null ? "never" : (token.hasEnded(now) ? "ended " : "") + Show.moment(ends);
        if (predecessor != null && predecessor.isAfter(now)) {
            until += "; its predecessor " + Show.moment(predecessor);
        }
        return new Row(
                token.name(),
                token.role().word(),
                Show.ago(token.madeAt(), now),
                token.madeBy(),
                until,
                limits(token.terms()),
                usedAt == null
                        ? "never"
                        : Show.ago(usedAt, now) + ", " + token.state().lastUsedFrom());
    }

    private static String limits(Token.Terms terms) {
        List<String> limits = new ArrayList<>();
        if (terms.requestsPerSecond() != null) {
            limits.add(terms.requestsPerSecond() + " requests/s");
        }
        if (terms.mostGroups() != null) {
            limits.add(terms.mostGroups() + " groups");
        }
        return limits.isEmpty() ? "none" : String.join(", ", limits);
    }

    private Token.Terms terms(Form form) {
        return new Token.Terms(
                form.days().isEmpty()
                        ? null
                        : time.now().plus(Duration.ofDays(Long.parseLong(form.days()))),
                number(form.requests()),
                number(form.groups()));
    }

    private static @Nullable Integer number(String typed) {
        return typed.isEmpty() ? null : Integer.valueOf(typed);
    }

    private static @Nullable String limitsError(String... typed) {
        for (String it : typed) {
            if (!it.isEmpty() && !LIMIT.matcher(it).matches()) {
                return "Write whole numbers from 1 to 99999, or nothing for no limit.";
            }
        }
        return null;
    }

    private static @Nullable String nameError(String name) {
        if (name.isEmpty()) {
            return "Name it, for example after the user or the cluster that gets it.";
        }
        return NAME.matcher(name).matches()
                ? null
                : "A name begins with a letter or a digit and has at most 63 lower-case letters,"
                        + " digits, dots, dashes and underscores.";
    }

    private static @Nullable String roleError(String role) {
        return ROLES.contains(role) ? null : "Choose what its holder may do.";
    }
}
