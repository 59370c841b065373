package org.madcast.measure.simulate;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;
import org.madcast.client.Algorithm;
import org.madcast.measure.bench.Cell;
import org.madcast.measure.bench.MeasuredCall;
import org.madcast.measure.bench.Row;

/**
 * What {@code madcast bench} wrote, to be simulated and compared.
 *
 * @param ranks how many there were
 * @param rate of a link, or none
 * @param lossPercent what each host lost
 * @param processors how many all of them shared
 * @param lastUs the medians until the last receiver had the message, in the order of the file
 */
record Measured(
        int ranks, String rate, double lossPercent, int processors, Map<Cell, Double> lastUs) {

    /**
     * Reads a file.
     *
     * @throws CommandFailure when it cannot be read
     * @throws IllegalArgumentException when its rows are not of broadcasts, or of several networks
     */
    static Measured read(Path file) {
        try {
            return of(file.toString(), JsonParser.object().from(Files.readString(file)));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, file + " cannot be read: " + e, e);
        } catch (JsonParserException e) {
            throw new IllegalArgumentException(file + " is no JSON: " + e.getMessage(), e);
        }
    }

    private static Measured of(String name, JsonObject result) {
        JsonArray rows = result.getArray("rows", new JsonArray());
        JsonObject machine = result.getObject("machine", new JsonObject());
        if (rows.isEmpty() || machine.getInt("cores") < 1) {
            throw new IllegalArgumentException(
                    name + " has no rows or no machine.cores: it is not of madcast bench --json");
        }
        Map<Cell, Double> times = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            JsonObject row = rows.getObject(i);
            if (!network(row).equals(network(rows.getObject(0)))) {
                throw new IllegalArgumentException(
                        "%s: row %d is of another network than the first".formatted(name, i + 1));
            }
            if (!row.getString("mode", "isolated").equals("isolated")
                    || row.getDouble("skewUs") != 0
                    || row.getInt("root") != 0
                    || result.has("hosts")) {
                throw new IllegalArgumentException(
                        "%s: row %d is not of single calls, of root 0 and in a lab, without skew"
                                .formatted(name, i + 1));
            }
            String label = row.getString("algorithm", "none");
            if (MeasuredCall.of(label).isEmpty()) {
                label = Algorithm.of(label).label();
            }
            times.put(new Cell(label, row.getInt("sizeBytes")), row.getDouble("lastMedianUs"));
        }
        JsonObject first = rows.getObject(0);
        int ranks = first.getInt("ranks");
        return new Measured(
                ranks,
                first.getString("rate", "none"),
                first.getDouble("lossPercent"),
                machine.getInt("cores"),
                times);
    }

    private static List<Object> network(JsonObject row) {
        return List.of(
                row.getInt("ranks"), row.getString("rate", "none"), row.getDouble("lossPercent"));
    }

    /** Those of broadcasts, each once. */
    List<String> algorithms() {
        return labels().filter(label -> MeasuredCall.of(label).isEmpty()).toList();
    }

    /** Other calls, each once. */
    List<String> collectives() {
        return labels().filter(label -> MeasuredCall.of(label).isPresent()).toList();
    }

    private Stream<String> labels() {
        return lastUs.keySet().stream().map(Cell::algorithm).distinct();
    }

    /** Each once. */
    List<Integer> sizesBytes() {
        return lastUs.keySet().stream().map(Cell::sizeBytes).distinct().toList();
    }

    /** These rows beside what was measured. */
    Table beside(List<Row> rows) {
        Table table = new Table("size", "algorithm", "measured", "simulated", "difference");
        for (Row row : rows) {
            Double measuredUs = lastUs.get(row.cell());
            if (measuredUs != null) {
                table.row(
                        Units.size(row.cell().sizeBytes()),
                        row.cell().algorithm(),
                        number("%.3f", measuredUs / 1e3),
                        number("%.3f", row.lastMedianUs() / 1e3),
                        number("%.1f %%", 100 * (row.lastMedianUs() / measuredUs - 1)));
            }
        }
        return table;
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
