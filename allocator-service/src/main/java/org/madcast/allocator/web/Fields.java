package org.madcast.allocator.web;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a body's fields, for records that check themselves in their constructors. Each returns
 * the value, or refuses it with the name of the field, which {@link ProblemHandler} completes to
 * the path in the body.
 */
public final class Fields {

    private Fields() {}

    /** A field with a refused value. It has no stack trace: the path says where. */
    static final class InvalidField extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final String field;

        InvalidField(String field, String message) {
            super(message);
            this.field = field;
        }

        String field() {
            return field;
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The refusal of a field. */
    public static IllegalArgumentException invalid(String field, String message) {
        return new InvalidField(field, message);
    }

    /** Makes several checks; the refusal names every field that one of them refuses. */
    public static void all(Runnable... checks) {
        InvalidField first = null;
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (InvalidField refused) {
                if (first == null) {
                    first = refused;
                } else {
                    first.addSuppressed(refused);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** A value that must be there. */
    public static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw invalid(field, "must not be null");
        }
        return value;
    }

    /** A number from 0 to a limit. */
    public static long upTo(long most, String field, long value) {
        if (value < 0) {
            throw invalid(field, "must be greater than or equal to 0");
        }
        if (value > most) {
            throw invalid(field, "must be less than or equal to " + most);
        }
        return value;
    }

    /** Text that is not blank, without control characters. */
    public static String text(String field, @Nullable String value, int mostCharacters) {
        if (value == null || value.isBlank()) {
            throw invalid(field, "must not be blank");
        }
        return plain(field, value, mostCharacters);
    }

    /** Text without control characters. */
    public static String plain(String field, String value, int mostCharacters) {
        requireSize(field, value.length(), mostCharacters);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < ' ' || value.charAt(i) == 0x7f) {
                throw invalid(field, Limits.PLAIN);
            }
        }
        return value;
    }

    /** A list without nulls; empty if it is not there. */
    public static <T> List<T> list(String field, @Nullable List<T> values, int most) {
        if (values == null) {
            return List.of();
        }
        requireSize(field, values.size(), most);
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                throw invalid(field + "[" + i + "]", "must not be null");
            }
        }
        return values;
    }

    /** Counts by name; empty if they are not there. */
    public static Map<String, Long> counts(
            String field, @Nullable Map<String, Long> counts, int mostNames, long most) {
        if (counts == null) {
            return Map.of();
        }
        requireSize(field, counts.size(), mostNames);
        counts.forEach((name, value) -> {
            text(field, name, Limits.LABEL_KEY_LENGTH);
            String at = field + "[" + name + "]";
            upTo(most, at, required(at, value));
        });
        return counts;
    }

    private static void requireSize(String field, int size, int most) {
        if (size > most) {
            throw invalid(field, "size must be between 0 and " + most);
        }
    }
}
