package org.madcast.client;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the values of a setting are written as text and kept as a number: a number with a unit (a
 * bare 0 needs none), or one of some words. Immutable.
 *
 * @param noun what a value is, for messages, such as {@code a size}
 * @param units what each unit is worth, the smallest first; the unit "" allows a bare number
 * @param words words that stand for a number; the first word for a number is the one printed
 */
record BroadcastParametersKind(String noun, Map<String, Long> units, Map<String, Long> words) {

    static final BroadcastParametersKind COUNT =
            new BroadcastParametersKind("a number", table("", 1L), Map.of());

    static final BroadcastParametersKind SIZE =
            new BroadcastParametersKind(
                    "a size",
                    table("", 1L, "B", 1L, "bytes", 1L, "KiB", 1L << 10, "MiB", 1L << 20)
                            .with("GiB", 1L << 30)
                            .with("TiB", 1L << 40),
                    Map.of());

    static final BroadcastParametersKind DURATION =
            new BroadcastParametersKind(
                    "a duration",
                    table("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L)
                            .with("min", 60_000_000_000L),
                    Map.of());

    static final BroadcastParametersKind RATE =
            new BroadcastParametersKind(
                    "a rate",
                    table("", 1L, "bit/s", 1L, "kbit/s", 1_000L, "Mbit/s", 1_000_000L)
                            .with("Gbit/s", 1_000_000_000L),
                    table("unlimited", 0L));

    static final BroadcastParametersKind SWITCH =
            new BroadcastParametersKind(
                    "a switch",
                    Map.of(),
                    table("off", 0L, "on", 1L, "false", 0L, "true", 1L)
                            .with("no", 0L)
                            .with("yes", 1L)
                            .with("0", 0L)
                            .with("1", 1L));

    private static final Pattern NUMBER_AND_UNIT =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?)\\s*([A-Za-zµ/]*)");

    /** What may be left out at the end of a unit: kbit is kbit/s, K is KiB, m is min. */
    private static final List<String> ENDINGS = List.of("", "/s", "iB", "in");

    /** One of these labels; the first is number 0. */
    static BroadcastParametersKind oneOf(List<String> labels) {
        Table table = new Table();
        for (String label : labels) {
            table.put(label, (long) table.size());
        }
        return new BroadcastParametersKind("one of the choices", Map.of(), table);
    }

    /** This kind, with one more word. */
    BroadcastParametersKind withWord(String word, long value) {
        Table table = new Table();
        table.put(word, value);
        table.putAll(words);
        return new BroadcastParametersKind(noun, units, table);
    }

    /** The number that the text stands for, empty when it stands for none. */
    OptionalLong parse(String text) {
        String trimmed = text.trim();
        Long word = words.get(trimmed.toLowerCase(Locale.ROOT));
        if (word != null) {
            return OptionalLong.of(word);
        }
        Matcher matcher = NUMBER_AND_UNIT.matcher(trimmed);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        String unit = matcher.group(2).replace('µ', 'u');
        if (number.signum() == 0 && unit.isEmpty() && !units.isEmpty()) {
            return OptionalLong.of(0);
        }
        for (Map.Entry<String, Long> candidate : units.entrySet()) {
            if (ENDINGS.stream().anyMatch(it -> candidate.getKey().equalsIgnoreCase(unit + it))) {
                return whole(number.multiply(BigDecimal.valueOf(candidate.getValue())));
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong whole(BigDecimal value) {
        boolean exact =
                value.remainder(BigDecimal.ONE).signum() == 0
                        && value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return exact ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    /** The number as text that {@link #parse} reads, in the largest unit that leaves it whole. */
    String print(long value) {
        for (Map.Entry<String, Long> word : words.entrySet()) {
            if (word.getValue() == value) {
                return word.getKey();
            }
        }
        String unit = "";
        long worth = 1;
        for (Map.Entry<String, Long> candidate : units.entrySet()) {
            long candidateWorth = candidate.getValue();
            boolean larger = unit.isEmpty() || candidateWorth > worth;
            if (larger && value != 0 && value % candidateWorth == 0) {
                unit = candidate.getKey();
                worth = candidateWorth;
            }
        }
        return value / worth + unit;
    }

    /** What may be written, for messages: a range with units, or the words. */
    String allowed(long min, long max) {
        if (units.isEmpty()) {
            return String.join(", ", words.keySet());
        }
        List<String> parts = new ArrayList<>();
        words.forEach((word, value) -> {
            if (value < min || value > max) {
                parts.add(word + " or");
            }
        });
        parts.add(print(min) + " to " + print(max));
        List<String> named = units.keySet().stream().filter(unit -> !unit.isEmpty()).toList();
        if (!named.isEmpty()) {
            parts.add("(units: " + String.join(", ", named) + ")");
        }
        return String.join(" ", parts);
    }

    private static Table table(Object... namesAndValues) {
        Table table = new Table();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            table.put((String) namesAndValues[i], (Long) namesAndValues[i + 1]);
        }
        return table;
    }

    /** A map in the order of writing. */
    private static final class Table extends LinkedHashMap<String, Long> {
        private static final long serialVersionUID = 1L;

        Table with(String name, long value) {
            put(name, value);
            return this;
        }
    }
}
