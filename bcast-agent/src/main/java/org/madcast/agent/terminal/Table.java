package org.madcast.agent.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table of text: numbers to the right, everything else to the left, two spaces between columns.
 */
public final class Table {

    /** A dash for none, or a number, perhaps with a unit or with how many it is of. */
    private static final Pattern NUMBER =
            Pattern.compile("-|-?\\d+(\\.\\d+)?( ?[A-Za-z%][A-Za-z%/]*| of \\d+)?");

    /** No column gets narrower than this to make room. */
    private static final int NARROWEST = 8;

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
            widths[column] = width(column);
            right[column] = !rows.isEmpty();
            for (List<String> row : rows) {
                right[column] &= NUMBER.matcher(row.get(column)).matches();
            }
        }
        return Stream.concat(Stream.of(head), rows.stream())
                .map(row -> line(row, widths, right))
                .toList();
    }

    /**
     * Prints it within this many characters a line where it can: what does not fit is cut off the
     * widest cells of these columns, which then end with two dots.
     */
    public void print(PrintWriter out, int columns, Set<String> mayBeCut) {
        narrowed(columns, mayBeCut).print(out);
    }

    /**
     * The same within this many characters a line, cut like {@link #print(PrintWriter, int, Set)}.
     */
    public Table narrowed(int columns, Set<String> mayBeCut) {
        int[] widths = new int[head.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(column);
        }
        int room = columns - 2 * (widths.length - 1);
        while (Arrays.stream(widths).sum() > room) {
            int widest = -1;
            for (int column = 0; column < widths.length; column++) {
                boolean wider = widest < 0 || widths[column] > widths[widest];
                if (wider && mayBeCut.contains(head.get(column))) {
                    widest = column;
                }
            }
            if (widest < 0 || widths[widest] <= NARROWEST) {
                break;
            }
            widths[widest]--;
        }
        Table narrow = new Table(head.toArray(String[]::new));
        for (List<String> row : rows) {
            Object[] cells = new Object[widths.length];
            for (int column = 0; column < widths.length; column++) {
                cells[column] = cut(row.get(column), widths[column]);
            }
            narrow.row(cells);
        }
        return narrow;
    }

    private int width(int column) {
        int width = head.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }

    private static String cut(String cell, int width) {
        return cell.length() <= width ? cell : cell.substring(0, width - 2) + "..";
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
