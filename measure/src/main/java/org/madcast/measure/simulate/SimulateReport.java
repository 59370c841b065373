package org.madcast.measure.simulate;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.madcast.measure.bench.ResultOutput;
import org.madcast.measure.bench.ResultTables;
import org.madcast.measure.bench.Row;
import org.madcast.simulator.JobSettings;

/** A simulation's result as the tables and the JSON of {@code madcast bench}. */
final class SimulateReport implements ResultOutput.Report {

    private final SimulateOptions options;
    private final List<Row> rows;

    SimulateReport(SimulateOptions options, List<Row> rows) {
        this.options = options;
        this.rows = rows;
    }

    @Override
    public void print(PrintWriter out) {
        JobSettings job = options.job();
        ResultTables tables = new ResultTables(rows);
        out.println();
        tables.times().forEach(out::println);
        out.println();
        tables.traffic().forEach(out::println);
        out.println();
        Measured measured = options.measured();
        if (measured != null) {
            measured.beside(rows).print(out);
            out.println();
        }
        out.println(
                String.format(
                        Locale.ROOT,
                        "simulated: %d ranks, %s a link, loss %s %%, seed %d",
                        job.ranks(),
                        options.rate(),
                        job.lossPercent(),
                        job.seed()));
        out.println(options.network() + ", window " + job.window());
        out.println("times in ms, ratio to the floor; medians over the repetitions");
    }

    /** With the members that the JSON of {@code madcast bench} has. */
    @Override
    public String json() {
        JsonObject result = new JsonObject();
        result.put("simulated", true);
        result.put("network", options.network());
        result.put("seed", options.job().seed());
        JsonArray array = new JsonArray();
        rows.forEach(row -> array.add(json(row)));
        result.put("rows", array);
        return JsonWriter.indent("  ").string().object(result).done();
    }

    private JsonObject json(Row row) {
        JsonObject json = new JsonObject();
        json.put("system", "madcast, simulated");
        json.put("algorithm", row.cell().algorithm());
        json.put("ranks", options.job().ranks());
        json.put("sizeBytes", row.cell().sizeBytes());
        json.put("rate", options.rate());
        json.put("lossPercent", options.job().lossPercent());
        json.put("launches", 1);
        json.put("repetitions", options.repetitions(row.cell().sizeBytes()));
        json.put("calls", 1);
        row.putTimes(json);
        return json;
    }
}
