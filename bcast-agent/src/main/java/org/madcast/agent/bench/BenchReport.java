package org.madcast.agent.bench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/** A measurement as a table and as JSON. */
public final class BenchReport {

    private final BenchOptions options;
    private final List<Row> rows;

    /** What these options led to. */
    public BenchReport(BenchOptions options, List<Row> rows) {
        this.options = options;
        this.rows = rows;
    }

    /** Prints the tables: of the times in milliseconds, and of what was sent. */
    public void print(PrintWriter out) {
        out.println();
        lines().forEach(out::println);
        out.println();
        traffic().print(out);
        out.println();
        out.println(
                String.format(
                        Locale.ROOT,
                        "%d ranks, %s%s, loss %s %%, seed %d",
                        options.hosts(),
                        options.rate().map(rate -> rate + " a link").orElse("no rate limit"),
                        options.lab().superframes() ? ", superframes" : "",
                        options.lossPercent(),
                        options.seed()));
        out.println(
                String.format(
                        Locale.ROOT,
                        "times in ms, ratio to the floor; medians over %d repetitions, then over %d"
                                + " launches",
                        options.repetitions(),
                        options.launches()));
        int incomplete = rows.stream().mapToInt(Row::floorIncomplete).sum();
        if (incomplete > 0) {
            out.println(
                    "the floor has no repair: repetitions in which it lost something do not count"
                            + "\n(floorIncomplete in the JSON)");
        }
    }

    /** The table of the times. */
    List<String> lines() {
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
        return table.lines();
    }

    private Table traffic() {
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

    /** The contract's JSON, indented. */
    public String json() {
        JsonObject result = new JsonObject();
        result.put("machine", Machine.describe());
        result.put("seed", options.seed());
        JsonArray array = new JsonArray();
        rows.forEach(row -> array.add(row.json(options)));
        result.put("rows", array);
        return JsonWriter.indent("  ").string().object(result).done();
    }
}
