package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/** The tables of a result, of which no line has more than 80 columns. */
public final class ResultTables {

    private static final int COLUMNS = 80;

    private final List<Row> rows;
    private final List<Column> naming = new ArrayList<>();

    /** A column, and what a row has in it. */
    private record Column(String head, Function<Row, Object> cell) {

        static Column ms(String head, Function<Row, Double> us) {
            return new Column(head, row -> milliseconds(us.apply(row)));
        }
    }

    /** With a line for each of these rows. */
    public ResultTables(List<Row> rows) {
        this.rows = List.copyOf(rows);
        naming.add(new Column("size", row -> Units.size(row.cell().sizeBytes())));
        naming.add(new Column("algorithm", row -> row.cell().algorithm()));
        addIfItDiffers("ranks", Row::ranks);
        addIfItDiffers("root", row -> row.cell().root());
    }

    private void addIfItDiffers(String head, Function<Row, Object> value) {
        if (rows.stream().map(value).distinct().count() > 1) {
            naming.add(new Column(head, value));
        }
    }

    /** Of the times, in milliseconds. */
    public List<String> times() {
        return table(
                Column.ms("last", Row::lastMedianUs),
                Column.ms("p95", Row::lastP95Us),
                Column.ms("max", Row::lastMaxUs),
                Column.ms("mean", Row::meanMedianUs),
                Column.ms("skew", Row::skewMedianUs),
                Column.ms("floor", Row::floorLastMedianUs),
                new Column(
                        "ratio",
                        row -> number("%.2f", row.lastMedianUs() / row.floorLastMedianUs())));
    }

    /** Of what was sent and repaired. */
    public List<String> traffic() {
        return table(
                new Column("root KiB", row -> number("%.1f", row.rootTxBytes() / 1024)),
                new Column("repairs", Row::repairs),
                Column.ms("p99 ms", Row::repairP99Us),
                new Column("corrupt", Row::corrupt));
    }

    /** Of what computations hid, in milliseconds; only for rows that have it. */
    public List<String> overlap() {
        return table(
                Column.ms("alone", row -> row.overlap().getFirst().aloneUs()),
                Column.ms("held up", row -> row.overlap().getFirst().heldUs()),
                Column.ms("in all", row -> row.overlap().getFirst().wholeUs()),
                new Column(
                        "hidden",
                        row -> number("%.0f %%", 100 * row.overlap().getFirst().hidden())));
    }

    /** A line for each rank of each row, in milliseconds. */
    public List<String> byRank() {
        List<String> heads = new ArrayList<>(naming.stream().map(Column::head).toList());
        heads.addAll(List.of("rank", "median", "p95", "max"));
        Table table = new Table(heads.toArray(String[]::new));
        for (Row row : rows) {
            for (int rank = 0; rank < row.byRank().size(); rank++) {
                Row.OfRank of = row.byRank().get(rank);
                List<Object> cells = new ArrayList<>();
                naming.forEach(column -> cells.add(column.cell().apply(row)));
                cells.add(rank);
                cells.add(milliseconds(of.medianUs()));
                cells.add(milliseconds(of.p95Us()));
                cells.add(milliseconds(of.maxUs()));
                table.row(cells.toArray());
            }
        }
        return lines(table);
    }

    private List<String> table(Column... further) {
        List<Column> columns = new ArrayList<>(naming);
        columns.addAll(List.of(further));
        Table table = new Table(columns.stream().map(Column::head).toArray(String[]::new));
        for (Row row : rows) {
            table.row(columns.stream().map(column -> column.cell().apply(row)).toArray());
        }
        return lines(table);
    }

    private static List<String> lines(Table table) {
        return table.narrowed(COLUMNS, Set.of("algorithm")).lines();
    }

    private static String milliseconds(double us) {
        double ms = us / 1e3;
        return number(ms < 10 ? "%.3f" : ms < 100 ? "%.2f" : ms < 1000 ? "%.1f" : "%.0f", ms);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
