package org.madcast.allocator.scope;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.FormGuard;
import org.madcast.allocator.web.page.PageController;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The forms by which an operator makes, changes and removes a scope. */
@PageController
class ScopePagesController {

    private static final String DONE = "redirect:/scopes";
    private static final String FORM = "scope-form";

    private final ScopeCatalog catalog;
    private final ScopeEditor editor;
    private final ScopeForm form;
    private final FormGuard guard;

    ScopePagesController(
            ScopeCatalog catalog, ScopeEditor editor, ScopeForm form, FormGuard guard) {
        this.catalog = catalog;
        this.editor = editor;
        this.form = form;
        this.guard = guard;
    }

    @GetMapping("/scopes/new")
    String blank(Model model) {
        return form("", true, ScopeForm.usual(), Map.of(), model);
    }

    @GetMapping("/scopes/{name}/edit")
    String edit(@PathVariable String name, Model model, HttpServletResponse response) {
        Optional<Scope> scope = catalog.find(name);
        return scope.isEmpty()
                ? ErrorPage.missing("scope", model, response)
                : form(name, false, ScopeForm.of(scope.get()), Map.of(), model);
    }

    /** Makes a scope. */
    @PostMapping("/scopes")
    String create(
            @RequestParam Map<String, String> typed,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        String name = typed.getOrDefault("name", "").strip();
        ScopeForm.Checked checked = form.check(name, typed);
        Scope scope = checked.scope();
        if (scope == null) {
            return wrong(name, true, typed, checked.errors(), model, response);
        }
        return editor.create(scope).isPresent()
                ? DONE
                : wrong(
                        name,
                        true,
                        typed,
                        Map.of("name", "There is a scope of this name."),
                        model,
                        response);
    }

    /** Gives a scope other properties. */
    @PostMapping("/scopes/{name}/edit")
    String replace(
            @PathVariable String name,
            @RequestParam Map<String, String> typed,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        ScopeForm.Checked checked = form.check(name, typed);
        Scope scope = checked.scope();
        if (scope == null) {
            return wrong(name, false, typed, checked.errors(), model, response);
        }
        return editor.replace(scope).isPresent()
                ? DONE
                : ErrorPage.missing("scope", model, response);
    }

    /** Removes a scope that is not in use. */
    @PostMapping("/scopes/{name}/remove")
    String remove(
            @PathVariable String name,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        return switch (editor.remove(name)) {
            case REMOVED -> DONE;
            case NO_SUCH_SCOPE -> ErrorPage.missing("scope", model, response);
            case IN_USE ->
                    notRemoved(
                            name,
                            "Groups of it are leased, or rest in quarantine. Close it, and remove it"
                                    + " when they are free.",
                            model,
                            response);
            case NEEDED ->
                    notRemoved(
                            name,
                            "Jobs that name no scope lease from it. Close it instead.",
                            model,
                            response);
        };
    }

    private String notRemoved(String name, String why, Model model, HttpServletResponse response) {
        Map<String, String> texts =
                catalog.find(name).map(ScopeForm::of).orElseGet(ScopeForm::usual);
        return wrong(name, false, texts, Map.of("remove", why), model, response);
    }

    private static String wrong(
            String name,
            boolean fresh,
            Map<String, String> typed,
            Map<String, String> errors,
            Model model,
            HttpServletResponse response) {
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return form(name, fresh, typed, errors, model);
    }

    private static String form(
            String name,
            boolean fresh,
            Map<String, String> texts,
            Map<String, String> errors,
            Model model) {
        model.addAttribute("title", fresh ? "New scope" : "Scope " + name);
        model.addAttribute("name", name);
        model.addAttribute("fresh", fresh);
        model.addAttribute("texts", texts);
        model.addAttribute("errors", errors);
        return FORM;
    }
}
