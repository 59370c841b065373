package org.madcast.allocator.access.oidc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.access.Role;
import org.madcast.allocator.web.Limits;

/** What a provider's claims say of a person. Pure. */
final class Claims {

    private static final Pattern PLAIN = Pattern.compile(Limits.PLAIN_TEXT);

    private Claims() {}

    /** The person of these claims; with the role {@code none} when none of them gives another. */
    static Caller caller(Map<String, Object> claims, OidcProperties settings) {
        String subject = String.valueOf(claims.get("sub"));
        String name =
                at(claims, settings.nameClaim()) instanceof String text && isName(text)
                        ? text
                        : subject;
        return Caller.person(
                // Not to be taken for a token of the same name.
                "oidc:" + (isName(name) ? name : "?"),
                role(values(at(claims, settings.roleClaim())), settings.roles()),
                settings.issuer() + "\n" + subject);
    }

    private static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= Limits.NAME_LENGTH / 2
                && PLAIN.matcher(text).matches();
    }

    /** The highest one that a value gives. */
    private static Role role(Collection<?> values, Map<Role, List<String>> mapping) {
        return mapping.entrySet().stream()
                .filter(it -> it.getValue().stream().anyMatch(values::contains))
                .map(Map.Entry::getKey)
                .max(Role::compareTo)
                .orElse(Role.NONE);
    }

    private static Collection<?> values(@Nullable Object claim) {
        return switch (claim) {
            case null -> List.of();
            case Collection<?> several -> several;
            default -> List.of(claim);
        };
    }

    /** The claim of this name as it is written, else what the name's parts lead to. */
    private static @Nullable Object at(Map<?, ?> claims, String name) {
        if (claims.containsKey(name)) {
            return claims.get(name);
        }
        int dot = name.indexOf('.');
        return dot > 0 && claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
                ? at(inner, name.substring(dot + 1))
                : null;
    }
}
