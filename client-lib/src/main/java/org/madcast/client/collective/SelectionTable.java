package org.madcast.client.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;

/**
 * Which algorithm serves a broadcast that names none: by whether multicast works, how many ranks
 * there are and how long the message is. The first row that fits decides. Immutable.
 *
 * <p>The table that comes with the library says in its own comments how a row is written.
 */
public final class SelectionTable {

    private static final String ANY = "any";
    private static final int COLUMNS = 5;
    private static final Map<String, Long> UNITS =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private final List<Row> rows;

    /** Numbers from {@code least} to {@code most}. */
    private record Range(long least, long most) {

        boolean has(long value) {
            return value >= least && value <= most;
        }
    }

    private record Row(
            boolean withMulticast,
            boolean without,
            Range ranks,
            Range bytes,
            AlgorithmSelection selection) {

        boolean fits(boolean multicastWorks, int size, long messageBytes) {
            return (multicastWorks ? withMulticast : without)
                    && ranks.has(size)
                    && bytes.has(messageBytes);
        }
    }

    private SelectionTable(List<Row> rows) {
        this.rows = rows;
    }

    /**
     * A table from its text.
     *
     * @param name where it comes from, for messages
     * @throws IllegalArgumentException naming the line that is wrong
     */
    public static SelectionTable parse(String name, String text) {
        List<Row> rows = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                try {
                    rows.add(row(line.strip()));
                } catch (IllegalArgumentException wrong) {
                    throw new IllegalArgumentException(
                            name + ", line " + number + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        return new SelectionTable(List.copyOf(rows));
    }

    private static Row row(String line) {
        String[] columns = line.split("\\s+", COLUMNS);
        if (columns.length < COLUMNS) {
            throw new IllegalArgumentException(
                    "five columns are needed: multicast, ranks, bytes, algorithm, why");
        }
        boolean any = columns[0].equals(ANY);
        boolean yes = columns[0].equals("yes");
        if (!any && !yes && !columns[0].equals("no")) {
            throw new IllegalArgumentException(
                    "multicast is yes, no or any, not '" + columns[0] + "'");
        }
        Algorithm algorithm = Algorithm.of(columns[3].toLowerCase(Locale.ROOT));
        if (algorithm.usesMulticast() && !yes) {
            throw new IllegalArgumentException(
                    algorithm.label() + " needs multicast, so the first column must be yes");
        }
        return new Row(
                any || yes,
                !yes,
                range(columns[1]),
                range(columns[2]),
                new AlgorithmSelection(algorithm, columns[4]));
    }

    private static Range range(String text) {
        if (text.equals(ANY)) {
            return new Range(0, Long.MAX_VALUE);
        }
        int dash = text.indexOf('-');
        if (dash < 0) {
            return new Range(number(text), number(text));
        }
        String most = text.substring(dash + 1);
        Range range =
                new Range(
                        number(text.substring(0, dash)),
                        most.isEmpty() ? Long.MAX_VALUE : number(most));
        if (range.least > range.most) {
            throw new IllegalArgumentException("the range " + text + " is empty");
        }
        return range;
    }

    private static long number(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        Long worth = UNITS.get(text.substring(digits));
        if (digits == 0 || digits > 9 || worth == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither a number such as 16 or 64KiB nor a range of them");
        }
        return Long.parseLong(text.substring(0, digits)) * worth;
    }

    /** What the first row that fits says; a chain, which always works, when none does. */
    AlgorithmSelection select(boolean multicastWorks, int size, long messageBytes) {
        for (Row row : rows) {
            if (row.fits(multicastWorks, size, messageBytes)) {
                return row.selection;
            }
        }
        return new AlgorithmSelection(Algorithm.CHAIN, "no row of the selection table fits");
    }
}
