package org.madcast.allocator.scope;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Problem;
import org.springframework.stereotype.Component;

/**
 * A scope as an operator types it on a page: texts by the names of the fields in REST. The rules
 * are those of REST.
 */
@Component
class ScopeForm {

    private static final String ON = "on";
    private static final String FIRST_PORT = "ports.first";
    private static final String LAST_PORT = "ports.last";
    private static final String PORT_STEP = "ports.step";
    private static final String SEGMENT = "sharing.segment";
    private static final String BY_PORT = "sharing.addressesByPort";
    private static final String PER_JOB = "quota.groupsPerJob";
    private static final String PER_USER = "quota.groupsPerUser";

    private final Validator validator;

    ScopeForm(Validator validator) {
        this.validator = validator;
    }

    /**
     * What was typed.
     *
     * @param scope the scope, null when something is wrong
     * @param errors a sentence for each field that is wrong
     */
    public record Checked(@Nullable Scope scope, Map<String, String> errors) {}

    /** What a form for a new scope shows. */
    public static Map<String, String> usual() {
        Map<String, String> texts = new HashMap<>();
        texts.put(FIRST_PORT, String.valueOf(ScopeBodies.Ports.USUAL.first()));
        texts.put(LAST_PORT, String.valueOf(ScopeBodies.Ports.USUAL.last()));
        texts.put(PORT_STEP, String.valueOf(ScopeBodies.Ports.USUAL.step()));
        texts.put("ttl", "1");
        texts.put(SEGMENT, "default");
        texts.put("picker", "permutation");
        texts.put("quarantineSeconds", "60");
        texts.put("longestLeaseSeconds", "604800");
        return texts;
    }

    /** What a form for this scope shows. */
    public static Map<String, String> of(Scope scope) {
        ScopePolicy policy = scope.policy();
        Map<String, String> texts = new HashMap<>();
        texts.put("description", scope.description());
        texts.put("ranges", String.join("\n", scope.ranges()));
        texts.put("excluded", String.join("\n", policy.excluded()));
        texts.put(FIRST_PORT, String.valueOf(scope.ports().first()));
        texts.put(LAST_PORT, String.valueOf(scope.ports().last()));
        texts.put(PORT_STEP, String.valueOf(scope.ports().step()));
        texts.put("ttl", String.valueOf(scope.ttl()));
        texts.put(SEGMENT, scope.segment());
        texts.put(BY_PORT, scope.sharesAddresses() ? ON : "");
        texts.put("allowUnscoped", policy.allowUnscoped() ? ON : "");
        texts.put("picker", policy.picker().name().toLowerCase(Locale.ROOT));
        texts.put("quarantineSeconds", String.valueOf(scope.quarantine().toSeconds()));
        texts.put("longestLeaseSeconds", String.valueOf(scope.longestLease().toSeconds()));
        texts.put(PER_JOB, Objects.toString(policy.groupsPerJob(), ""));
        texts.put(PER_USER, Objects.toString(policy.groupsPerUser(), ""));
        texts.put("closed", policy.isOpen() ? "" : ON);
        return texts;
    }

    /** Checks what was typed, for a scope of this name. */
    public Checked check(String name, Map<String, String> typed) {
        Map<String, String> errors = new LinkedHashMap<>();
        if (!name.matches(ScopeBodies.NAME)) {
            errors.put(
                    "name",
                    "A name begins with a letter or a digit and has at most 63 lower-case letters,"
                            + " digits and dashes.");
        }
        ScopeBodies.Properties body = body(new Typed(typed, errors));
        for (ConstraintViolation<ScopeBodies.Properties> wrong : validator.validate(body)) {
            String path = wrong.getPropertyPath().toString();
            errors.putIfAbsent(path.replaceFirst("\\[.*", ""), sentence(wrong.getMessage()));
        }
        if (!errors.isEmpty()) {
            return new Checked(null, errors);
        }
        try {
            return new Checked(body.toScope(name), errors);
        } catch (Problem wrong) {
            String[] told = String.valueOf(wrong.getMessage()).split(" ", 2);
            errors.put(told[0], sentence(told[1]));
            return new Checked(null, errors);
        }
    }

    private static ScopeBodies.Properties body(Typed typed) {
        return new ScopeBodies.Properties(
                typed.text("description"),
                typed.list("ranges"),
                typed.list("excluded"),
                ports(typed),
                typed.number("ttl"),
                new ScopeBodies.Sharing(typed.textOrNull(SEGMENT), typed.isOn(BY_PORT)),
                typed.isOn("allowUnscoped"),
                typed.textOrNull("picker"),
                typed.number("quarantineSeconds"),
                typed.number("longestLeaseSeconds"),
                new ScopeBodies.Quota(typed.number(PER_JOB), typed.number(PER_USER)),
                typed.isOn("closed"));
    }

    /** Without a first and a last port they are the usual ones. */
    private static ScopeBodies.@Nullable Ports ports(Typed typed) {
        Integer first = typed.number(FIRST_PORT);
        Integer last = typed.number(LAST_PORT);
        if (first != null && last != null) {
            return new ScopeBodies.Ports(first, last, typed.number(PORT_STEP));
        }
        if (first != null || last != null) {
            typed.errors()
                    .putIfAbsent(first == null ? FIRST_PORT : LAST_PORT, "It must not be empty.");
        }
        return null;
    }

    /** "must be 1 at least" is "It must be 1 at least." */
    private static String sentence(String message) {
        String text =
                message.startsWith("must ")
                        ? "It " + message
                        : message.substring(0, 1).toUpperCase(Locale.ROOT) + message.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }

    /** Reads texts, and notes what is none of what it should be. */
    private record Typed(Map<String, String> texts, Map<String, String> errors) {

        String text(String field) {
            return texts.getOrDefault(field, "").strip();
        }

        @Nullable String textOrNull(String field) {
            String text = text(field);
            return text.isEmpty() ? null : text;
        }

        boolean isOn(String field) {
            return !text(field).isEmpty();
        }

        List<String> list(String field) {
            return Arrays.stream(text(field).split("[\\s,]+"))
                    .filter(it -> !it.isEmpty())
                    .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
        }

        @Nullable Integer number(String field) {
            String text = text(field);
            if (text.isEmpty()) {
                return null;
            }
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException none) {
                errors.put(field, "It must be a whole number.");
                return null;
            }
        }
    }
}
