package org.madcast.measure.bench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.madcast.agent.terminal.Machine;

/** A measurement as a table and as JSON. */
public final class BenchReport implements ResultOutput.Report {

    private final BenchOptions options;
    private final BenchResult result;
    private final ResultTables tables;

    /** What these options led to. */
    public BenchReport(BenchOptions options, BenchResult result) {
        this.options = options;
        this.result = result;
        this.tables = new ResultTables(result.rows());
    }

    /** Prints the tables: of the times in milliseconds, and of what was sent. */
    @Override
    public void print(PrintWriter out) {
        print(out, lines());
        if (options.method().perRank()) {
            print(out, tables.byRank());
        }
        print(out, tables.traffic());
        out.println();
        out.println(network());
        out.println(method());
        if (isOverlap()) {
            out.println(
                    options.method().idle()
                            ? "held up: by call and wait, while ranks sleep as if another processor"
                                    + " computed"
                            : "held up: by call and wait, while ranks compute");
        }
        result.clocks().lines().forEach(out::println);
        int incomplete = result.rows().stream().mapToInt(Row::floorIncomplete).sum();
        if (incomplete > 0) {
            out.println(
                    "the floor has no repair: repetitions in which it lost something do not count"
                            + "\n(floorIncomplete in the JSON)");
        }
    }

    private static void print(PrintWriter out, List<String> table) {
        out.println();
        table.forEach(out::println);
    }

    private String network() {
        String ranks =
                options.ranks().stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (!result.place().isEmpty()) {
            return "%s ranks on %s%s, seed %d"
                    .formatted(ranks, result.place(), skew(), options.seed());
        }
        return String.format(
                Locale.ROOT,
                "%s ranks, %s%s, loss %s %%%s, seed %d",
                ranks,
                options.rate().map(rate -> rate + " a link").orElse("no rate limit"),
                options.lab().superframes() ? ", superframes" : "",
                options.lossPercent(),
                skew(),
                options.seed());
    }

    private String method() {
        String calls =
                options.method().mode() == Mode.PIPELINED
                        ? ", " + options.amount().calls() + " calls"
                        : "";
        return String.format(
                Locale.ROOT,
                "times in ms%s%s; medians of %d repetitions, of %d launches",
                isOverlap() ? "" : ", ratio to the floor",
                calls,
                options.amount().repetitions(),
                options.amount().launches());
    }

    private String skew() {
        long skewNs = options.method().skewNs();
        return skewNs > 0 ? ", skew " + skewNs / 1e6 + " ms" : "";
    }

    private boolean isOverlap() {
        return !result.rows().isEmpty()
                && result.rows().stream().noneMatch(row -> row.overlap().isEmpty());
    }

    /** The table of the times, or of what was hidden. */
    List<String> lines() {
        return isOverlap() ? tables.overlap() : tables.times();
    }

    /** The contract's JSON, indented. */
    @Override
    public String json() {
        JsonObject json = new JsonObject();
        json.put("machine", Machine.describe());
        json.put("seed", options.seed());
        json.put("clock", result.clocks().json());
        if (!result.place().isEmpty()) {
            json.put("hosts", result.place());
        }
        JsonArray array = new JsonArray();
        result.rows().forEach(row -> array.add(row.json(options)));
        json.put("rows", array);
        return JsonWriter.indent("  ").string().object(json).done();
    }
}
