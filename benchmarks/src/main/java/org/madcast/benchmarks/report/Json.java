package org.madcast.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small reader of JSON, so that the pages can be made from the sources alone. An object is a map
 * without its members that are null, a number is a double.
 */
final class Json {

    private static final String SPACE = " \t\r\n";

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The object that the text holds. Throws IllegalArgumentException with the place otherwise. */
    static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Map<String, Object> object = json.object();
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.failure("the end");
        }
        return object;
    }

    /** The member as a list of objects; empty when it is absent. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Map<String, Object> object, String name) {
        return (List<Map<String, Object>>) object.getOrDefault(name, List.of());
    }

    /** The member as text; empty when it is absent. */
    static String string(Map<String, Object> object, String name) {
        return object.getOrDefault(name, "").toString();
    }

    /** The member as a number; NaN when it is absent. */
    static double number(Map<String, Object> object, String name) {
        return object.get(name) instanceof Double number ? number : Double.NaN;
    }

    private Map<String, Object> object() {
        expect('{');
        Map<String, Object> members = new LinkedHashMap<>();
        while (!next('}')) {
            if (!members.isEmpty()) {
                expect(',');
            }
            String name = string();
            expect(':');
            value().ifPresent(value -> members.put(name, value));
        }
        return members;
    }

    private List<Object> array() {
        expect('[');
        List<Object> elements = new ArrayList<>();
        while (!next(']')) {
            if (!elements.isEmpty()) {
                expect(',');
            }
            elements.add(value().orElseThrow(() -> failure("no null in an array")));
        }
        return elements;
    }

    private Optional<Object> value() {
        skipSpace();
        char first = at < text.length() ? text.charAt(at) : ' ';
        return switch (first) {
            case '{' -> Optional.of(object());
            case '[' -> Optional.of(array());
            case '"' -> Optional.of(string());
            default -> literal();
        };
    }

    private Optional<Object> literal() {
        int from = at;
        while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at).strip();
        try {
            return switch (word) {
                case "null" -> Optional.empty();
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.of(Double.parseDouble(word));
            };
        } catch (NumberFormatException e) {
            at = from;
            throw new IllegalArgumentException(failure("a value").getMessage(), e);
        }
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char next = text.charAt(at++);
            string.append(next == '\\' ? escaped() : next);
        }
        expect('"');
        return string.toString();
    }

    private char escaped() {
        char escaped = text.charAt(at++);
        return switch (escaped) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> escaped;
        };
    }

    private boolean next(char wanted) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!next(wanted)) {
            throw failure(String.valueOf(wanted));
        }
    }

    private void skipSpace() {
        while (at < text.length() && SPACE.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException failure(String expected) {
        long line = text.substring(0, Math.min(at, text.length())).lines().count();
        return new IllegalArgumentException("line " + line + ": expected " + expected);
    }
}
