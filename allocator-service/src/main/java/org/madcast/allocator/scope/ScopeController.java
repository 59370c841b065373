package org.madcast.allocator.scope;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Scopes: what there is, how full it is, and an operator's changes to it. */
@RestController
@RequestMapping(path = "/v1/scopes", produces = MediaType.APPLICATION_JSON_VALUE)
class ScopeController {

    private final ScopeCatalog scopes;
    private final ScopeEditor editor;
    private final Filling.Counter counter;

    ScopeController(ScopeCatalog scopes, ScopeEditor editor, Filling.Counter counter) {
        this.scopes = scopes;
        this.editor = editor;
        this.counter = counter;
    }

    @Operation(summary = "List the scopes and how full they are")
    @GetMapping
    ScopeBodies.Scopes list() {
        Map<String, Filling> fillings = fillings();
        return new ScopeBodies.Scopes(scopes.all().stream().map(it -> view(it, fillings)).toList());
    }

    @Operation(summary = "Get a scope")
    @Refuses(ProblemType.NO_SUCH_SCOPE)
    @GetMapping("/{name}")
    ScopeBodies.View get(@PathVariable @Pattern(regexp = ScopeBodies.NAME) String name) {
        return scopes.find(name)
                .map(it -> view(it, fillings()))
                .orElseThrow(() -> ScopeBodies.noSuchScope(name));
    }

    /** Makes a scope of this name. */
    @Operation(summary = "Make a scope")
    @Refuses(ProblemType.SCOPE_EXISTS)
    @PostMapping("/{name}")
    @ResponseStatus(HttpStatus.CREATED)
    ScopeBodies.View create(
            @PathVariable @Pattern(regexp = ScopeBodies.NAME) String name,
            @Valid @RequestBody ScopeBodies.Properties body) {
        return editor.create(body.toScope(name))
                .map(it -> view(it, fillings()))
                .orElseThrow(() ->
                        new Problem(ProblemType.SCOPE_EXISTS, "PUT changes it.")
                                .with("scope", name));
    }

    /** Gives a scope these properties; closing and opening it is one of them. */
    @Operation(summary = "Replace the properties of a scope; close or open it")
    @Refuses(ProblemType.NO_SUCH_SCOPE)
    @PutMapping("/{name}")
    ScopeBodies.View replace(
            @PathVariable @Pattern(regexp = ScopeBodies.NAME) String name,
            @Valid @RequestBody ScopeBodies.Properties body) {
        return editor.replace(body.toScope(name))
                .map(it -> view(it, fillings()))
                .orElseThrow(() -> ScopeBodies.noSuchScope(name));
    }

    /** Removes a scope that is not in use, and its leases that ended. */
    @Operation(summary = "Remove a scope of which no group is in use")
    @Refuses({ProblemType.NO_SUCH_SCOPE, ProblemType.SCOPE_IN_USE, ProblemType.SCOPE_NEEDED})
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable @Pattern(regexp = ScopeBodies.NAME) String name) {
        switch (editor.remove(name)) {
            case REMOVED -> {}
            case NO_SUCH_SCOPE -> throw ScopeBodies.noSuchScope(name);
            case IN_USE ->
                    throw new Problem(
                                    ProblemType.SCOPE_IN_USE,
                                    "Close it, and remove it when they are free.")
                            .with("scope", name);
            case NEEDED ->
                    throw new Problem(ProblemType.SCOPE_NEEDED, "Close it instead.")
                            .with("scope", name);
        }
    }

    private Map<String, Filling> fillings() {
        return counter.filling().stream()
                .collect(Collectors.toMap(Filling::scope, Function.identity()));
    }

    private static ScopeBodies.View view(Scope scope, Map<String, Filling> fillings) {
        return ScopeBodies.View.of(
                scope, fillings.getOrDefault(scope.name(), Filling.none(scope.name())));
    }
}
