package org.madcast.measure.bench;

import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/** The tables of a result, of which no line has more than 80 columns. */
public final class ResultTables {

    private final List<Row> rows;

    /** With a line for each of these rows. */
    public ResultTables(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    /** Of the times, in milliseconds. */
    public Table times() {
        Table table =
                new Table(
                        "size",
                        "algorithm",
                        "last",
                        "p95",
                        "max",
                        "mean",
                        "skew",
                        "floor",
                        "ratio");
        for (Row row : rows) {
            table.row(
                    Units.size(row.cell().sizeBytes()),
                    row.cell().algorithm(),
                    milliseconds(row.lastMedianUs()),
                    milliseconds(row.lastP95Us()),
                    milliseconds(row.lastMaxUs()),
                    milliseconds(row.meanMedianUs()),
                    milliseconds(row.skewMedianUs()),
                    milliseconds(row.floorLastMedianUs()),
                    number("%.2f", row.lastMedianUs() / row.floorLastMedianUs()));
        }
        return table;
    }

    /** Of what was sent and repaired. */
    public Table traffic() {
        Table table = new Table("size", "algorithm", "root KiB", "repairs", "p99 ms", "corrupt");
        for (Row row : rows) {
            table.row(
                    Units.size(row.cell().sizeBytes()),
                    row.cell().algorithm(),
                    number("%.1f", row.rootTxBytes() / 1024),
                    row.repairs(),
                    milliseconds(row.repairP99Us()),
                    row.corrupt());
        }
        return table;
    }

    private static String milliseconds(double us) {
        double ms = us / 1e3;
        return number(ms < 10 ? "%.3f" : ms < 100 ? "%.2f" : ms < 1000 ? "%.1f" : "%.0f", ms);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
