package org.madcast.measure.bench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Machine;

/** A measurement as a table and as JSON. */
public final class BenchReport implements ResultOutput.Report {

    private final BenchOptions options;
    private final List<Row> rows;
    private final ResultTables tables;

    /** What these options led to. */
    public BenchReport(BenchOptions options, List<Row> rows) {
        this.options = options;
        this.rows = rows;
        this.tables = new ResultTables(rows);
    }

    /** Prints the tables: of the times in milliseconds, and of what was sent. */
    @Override
    public void print(PrintWriter out) {
        out.println();
        lines().forEach(out::println);
        out.println();
        tables.traffic().print(out);
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
        return tables.times().lines();
    }

    /** The contract's JSON, indented. */
    @Override
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
