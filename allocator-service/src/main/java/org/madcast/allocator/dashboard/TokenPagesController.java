package org.madcast.allocator.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.access.Role;
import org.madcast.allocator.access.Token;
import org.madcast.allocator.access.Tokens;
import org.madcast.allocator.store.SqlTime;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The page on which operators make and revoke tokens. Only operators reach it. */
@Controller
class TokenPagesController {

    static final String PATH = "/tokens";

    private static final Pattern NAME = Pattern.compile(Token.NAME);
    private static final Set<String> ROLES = Set.of("viewer", "job", "operator");

    private final Tokens tokens;
    private final SqlTime time;

    TokenPagesController(Tokens tokens, SqlTime time) {
        this.tokens = tokens;
        this.time = time;
    }

    /** A line of the table. */
    public record Row(String name, String role, String made, String by) {}

    /** What was typed, and what is wrong with it; null where nothing is. */
    public record Form(
            String name, String role, @Nullable String nameError, @Nullable String roleError) {

        static final Form EMPTY = new Form("", "job", null, null);

        boolean isRight() {
            return nameError == null && roleError == null;
        }
    }

    @GetMapping(PATH)
    String tokens(Model model) {
        return page(Form.EMPTY, model);
    }

    /** Shows the token once: it is not kept. */
    @PostMapping(PATH)
    String make(
            @RequestParam(defaultValue = "") String name,
            @RequestParam(defaultValue = "") String role,
            @RequestAttribute(Caller.ATTRIBUTE) Caller caller,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!FormGuard.isMeant(request)) {
            return FormGuard.refused(response);
        }
        String wanted = name.strip();
        Form form = new Form(wanted, role, nameError(wanted), roleError(role));
        if (form.isRight()) {
            Optional<Tokens.Made> made = tokens.make(wanted, Role.of(role), caller.name());
            if (made.isPresent()) {
                model.addAttribute("made", made.get());
                return page(Form.EMPTY, model);
            }
            form =
                    new Form(
                            wanted,
                            role,
                            "There is a token of this name. Revoke it first, or choose another name.",
                            null);
        }
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return page(form, model);
    }

    /** Revokes a token. When there is none of this name any more, that is no error. */
    @PostMapping(PATH + "/revoke")
    String revoke(
            @RequestParam(defaultValue = "") String name,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!FormGuard.isMeant(request)) {
            return FormGuard.refused(response);
        }
        tokens.revoke(name);
        return "redirect:" + PATH;
    }

    private String page(Form form, Model model) {
        List<Row> rows =
                tokens.all().stream()
                        .map(it ->
                                new Row(
                                        it.name(),
                                        it.role().word(),
                                        Show.ago(it.madeAt(), time.now()),
                                        it.madeBy()))
                        .toList();
        model.addAttribute("rows", rows);
        model.addAttribute("form", form);
        return "tokens";
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
