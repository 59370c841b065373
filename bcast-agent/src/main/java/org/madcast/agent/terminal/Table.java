package org.madcast.agent.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table of text: numbers to the right, everything else to the left, two spaces between columns.
 */
public final class Table {

    /** A dash for none, or a number, perhaps with a unit or with how many it is of. */
    private static final Pattern NUMBER =
            Pattern.compile("-|-?\\d+(\\.\\d+)?( ?[A-Za-z%][A-Za-z%/]*| of \\d+)?");

    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these column titles. */
    public Table(String... head) {
        this.head = List.of(head);
    }

    /** Adds a row with one cell for each column. */
    public Table row(Object... cells) {
        if (cells.length != head.size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells for " + head.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    /** Prints title row and rows. */
    public void print(PrintWriter out) {
        lines().forEach(out::println);
    }

    /** Title row and rows. */
    public List<String> lines() {
        int[] widths = new int[head.size()];
        boolean[] right = new boolean[head.size()];
        for (int column = 0; column < head.size(); column++) {
            widths[column] = head.get(column).length();
            right[column] = !rows.isEmpty();
            for (List<String> row : rows) {
                String cell = row.get(column);
                widths[column] = Math.max(widths[column], cell.length());
                right[column] &= NUMBER.matcher(cell).matches();
            }
        }
        return Stream.concat(Stream.of(head), rows.stream())
                .map(row -> line(row, widths, right))
                .toList();
    }

    private static String line(List<String> cells, int[] widths, boolean[] right) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            line.append(right[column] ? padding + cell : cell + padding).append("  ");
        }
        return line.toString().stripTrailing();
    }
}
