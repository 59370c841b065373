package org.madcast.client.collective;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.client.CollectiveSelection;

/**
 * Which algorithm serves a broadcast that names none, and which the other collective operations: by
 * whether multicast works, how many ranks there are and how long the message is. The first row that
 * fits decides. Immutable.
 *
 * <p>The table that comes with the library says in its own comments how a row is written.
 */
public final class SelectionTable {

    private static final String ANY = "any";
    private static final String YES = "yes";
    private static final int COLUMNS = 5;
    private static final String COLUMN_NAMES = ": multicast, ranks, bytes, algorithm, why";
    private static final Map<String, Long> UNITS =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private final List<Row<AlgorithmSelection>> rows = new ArrayList<>();
    private final Map<CollectiveOperation, List<Row<CollectiveSelection>>> collectives =
            new EnumMap<>(CollectiveOperation.class);
    private final @Nullable SelectionTable otherwise;

    /** Numbers from {@code least} to {@code most}. */
    private record Range(long least, long most) {

        boolean has(long value) {
            return value >= least && value <= most;
        }
    }

    /** A line, and what it selects. */
    private record Row<S>(
            boolean withMulticast, boolean without, Range ranks, Range bytes, S selection) {

        boolean fits(boolean multicastWorks, int size, long messageBytes) {
            return (multicastWorks ? withMulticast : without)
                    && ranks.has(size)
                    && bytes.has(messageBytes);
        }
    }

    private SelectionTable(@Nullable SelectionTable otherwise) {
        this.otherwise = otherwise;
    }

    /**
     * A table from its text.
     *
     * @param name where it comes from, for messages
     * @param otherwise selects where no line fits, or null
     * @throws IllegalArgumentException naming the line that is wrong
     */
    public static SelectionTable parse(
            String name, String text, @Nullable SelectionTable otherwise) {
        SelectionTable table = new SelectionTable(otherwise);
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                try {
                    table.add(line.strip());
                } catch (IllegalArgumentException wrong) {
                    throw new IllegalArgumentException(
                            name + ", line " + number + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        return table;
    }

    private void add(String line) {
        String[] first = line.split("\\s+", 2);
        Optional<CollectiveOperation> operation = CollectiveOperation.of(first[0]);
        if (operation.isEmpty()) {
            rows.add(row(line, SelectionTable::broadcast));
        } else if (first.length < 2) {
            throw new IllegalArgumentException(
                    "five columns are needed after " + first[0] + COLUMN_NAMES);
        } else {
            collectives
                    .computeIfAbsent(operation.get(), _ -> new ArrayList<>())
                    .add(row(first[1], columns -> collective(operation.get(), columns)));
        }
    }

    private static <S> Row<S> row(String line, Function<String[], S> selection) {
        String[] columns = line.split("\\s+", COLUMNS);
        if (columns.length < COLUMNS) {
            throw new IllegalArgumentException("five columns are needed" + COLUMN_NAMES);
        }
        boolean any = columns[0].equals(ANY);
        boolean yes = columns[0].equals(YES);
        if (!any && !yes && !columns[0].equals("no")) {
            throw new IllegalArgumentException(
                    "multicast is yes, no or any, not '" + columns[0] + "'");
        }
        return new Row<>(
                any || yes, !yes, range(columns[1]), range(columns[2]), selection.apply(columns));
    }

    private static AlgorithmSelection broadcast(String[] columns) {
        Algorithm algorithm = Algorithm.of(columns[3].toLowerCase(Locale.ROOT));
        checkMulticast(algorithm.usesMulticast(), algorithm.label(), columns);
        return new AlgorithmSelection(algorithm, columns[4]);
    }

    private static CollectiveSelection collective(CollectiveOperation operation, String[] columns) {
        String label = columns[3].toLowerCase(Locale.ROOT);
        CollectiveAlgorithm algorithm = operation.algorithm(label);
        checkMulticast(algorithm == CollectiveAlgorithm.MULTICAST, label, columns);
        return new CollectiveSelection(algorithm, columns[4]);
    }

    private static void checkMulticast(boolean usesIt, String label, String[] columns) {
        if (usesIt && !columns[0].equals(YES)) {
            throw new IllegalArgumentException(
                    label + " needs multicast, so the multicast column must be yes");
        }
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

    /**
     * Of a user's lines for collective operations, which all ranks must have alike; 0 when there
     * are none. Of broadcasts the root's table decides alone.
     */
    public long digest() {
        StringBuilder lines = new StringBuilder();
        if (otherwise != null) {
            collectives.forEach((operation, of) ->
                    of.forEach(row ->
                            lines.append(operation)
                                    .append(row.withMulticast)
                                    .append(row.without)
                                    .append(row.ranks)
                                    .append(row.bytes)
                                    .append(row.selection.algorithm())));
        }
        long digest = 0;
        for (int i = 0; i < lines.length(); i++) {
            digest = (digest ^ lines.charAt(i)) * 0x100000001b3L;
        }
        return digest ^ digest >>> 29;
    }

    /** What the first row that fits says; a chain, which always works, when none does. */
    AlgorithmSelection select(boolean multicastWorks, int size, long messageBytes) {
        for (Row<AlgorithmSelection> row : rows) {
            if (row.fits(multicastWorks, size, messageBytes)) {
                return row.selection;
            }
        }
        return otherwise == null
                ? new AlgorithmSelection(Algorithm.CHAIN, "no row of the selection table fits")
                : otherwise.select(multicastWorks, size, messageBytes);
    }

    /**
     * What the first row for this operation says that fits, and whose algorithm can serve.
     *
     * @param multicast whether parts may go by multicast
     */
    public CollectiveSelection select(
            CollectiveOperation operation,
            boolean multicast,
            int size,
            long bytes,
            Predicate<CollectiveAlgorithm> canServe) {
        for (Row<CollectiveSelection> row : collectives.getOrDefault(operation, List.of())) {
            if (row.fits(multicast, size, bytes) && canServe.test(row.selection.algorithm())) {
                return row.selection;
            }
        }
        return otherwise == null
                ? new CollectiveSelection(
                        operation.algorithms().getFirst(), "no row of the selection table fits")
                : otherwise.select(operation, multicast, size, bytes, canServe);
    }
}
