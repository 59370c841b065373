package org.madcast.benchmarks.compare;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/**
 * What the table needs of a row of a measurement.
 *
 * @param algorithm without its segment
 * @param variant as it was measured, with the segment
 * @param floorUs of the bare network in the same run, NaN when it was not measured
 */
record Result(
        String system,
        String algorithm,
        String variant,
        int ranks,
        String rate,
        int sizeBytes,
        int timed,
        double lastUs,
        double p95Us,
        double floorUs) {

    /** All rows of the files, in their order. */
    static List<Result> read(List<Path> files) throws IOException {
        List<Result> results = new ArrayList<>();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new CommandFailure(ExitCode.NO_INPUT, file + " cannot be read");
            }
            try {
                JsonObject json = JsonParser.object().from(Files.readString(file));
                JsonArray rows = json.getArray("rows", new JsonArray());
                rows.forEach(row -> results.add(of((JsonObject) row)));
            } catch (JsonParserException | ClassCastException e) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT, file + " is no result of a measurement: " + e, e);
            }
        }
        return results;
    }

    private static Result of(JsonObject row) {
        String system = row.getString("system", "madcast");
        String variant = row.getString("algorithm", "");
        return new Result(
                system,
                system.equals("openmpi") ? MpiWay.algorithmOf(variant) : variant,
                variant,
                row.getInt("ranks"),
                row.getString("rate", "none"),
                row.getInt("sizeBytes"),
                row.getInt("launches") * row.getInt("repetitions"),
                row.getDouble("lastMedianUs"),
                row.getDouble("lastP95Us"),
                row.getDouble("floorLastMedianUs", Double.NaN));
    }

    /** The bare network's result that was measured beside this one. */
    Result floor() {
        return new Result(
                system, "floor", "floor", ranks, rate, sizeBytes, timed, floorUs, floorUs, floorUs);
    }

    boolean isOurs() {
        return system.equals("madcast");
    }
}
