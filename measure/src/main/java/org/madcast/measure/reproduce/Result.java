package org.madcast.measure.reproduce;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;

/**
 * What a figure has found, as a table and as JSON. Immutable.
 *
 * @param name the figure's
 * @param points the numbers
 * @param series the lines of its chart
 */
record Result(String name, List<Point> points, List<Finding.Series> series) {

    static Result of(Figure figure, Finding finding) {
        return new Result(figure.name(), finding.points(), finding.series());
    }

    /** Published numbers beside those found here. */
    Table table() {
        Table table = new Table("what", "published", "here", "factor", "");
        for (Point point : points) {
            boolean known = !Double.isNaN(point.published());
            table.row(
                    point.what(),
                    known ? number(point.published(), point.unit()) : "-",
                    number(point.found(), point.unit()),
                    known
                            ? String.format(Locale.ROOT, "%.2f", point.found() / point.published())
                            : "-",
                    point.verdict());
        }
        return table;
    }

    /** Three digits that count, and the unit. */
    static String number(double value, String unit) {
        String digits =
                String.format(
                        Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
        return unit.isEmpty() ? digits : digits + " " + unit;
    }

    /** As it is kept. */
    String json() {
        JsonArray numbers = new JsonArray();
        for (Point point : points) {
            JsonObject json = new JsonObject();
            json.put("what", point.what());
            json.put("unit", point.unit());
            json.put("published", Double.isNaN(point.published()) ? null : point.published());
            json.put("found", rounded(point.found()));
            json.put("verdict", point.verdict());
            numbers.add(json);
        }
        JsonArray lines = new JsonArray();
        for (Finding.Series line : series) {
            JsonArray x = new JsonArray();
            JsonArray y = new JsonArray();
            for (Finding.Place place : line.places()) {
                x.add(rounded(place.x()));
                y.add(rounded(place.y()));
            }
            JsonObject json = new JsonObject();
            json.put("name", line.name());
            json.put("x", x);
            json.put("y", y);
            lines.add(json);
        }
        JsonObject result = new JsonObject();
        result.put("figure", name);
        result.put("points", numbers);
        result.put("lines", lines);
        return JsonWriter.indent("  ").string().object(result).done();
    }

    private static double rounded(double value) {
        return Math.rint(value * 1e4) / 1e4;
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is something else
     */
    static Result parse(String json) {
        JsonObject result;
        try {
            result = JsonParser.object().from(json);
        } catch (JsonParserException e) {
            throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
        }
        List<Point> points = new ArrayList<>();
        for (Object each : result.getArray("points", new JsonArray())) {
            JsonObject point = (JsonObject) each;
            points.add(
                    new Point(
                            point.getString("what", ""),
                            point.getString("unit", ""),
                            point.isNull("published") ? Double.NaN : point.getDouble("published"),
                            point.getDouble("found"),
                            point.getString("verdict", "")));
        }
        List<Finding.Series> series = new ArrayList<>();
        for (Object each : result.getArray("lines", new JsonArray())) {
            JsonObject line = (JsonObject) each;
            JsonArray x = line.getArray("x");
            JsonArray y = line.getArray("y");
            List<Finding.Place> places = new ArrayList<>();
            for (int i = 0; i < x.size(); i++) {
                places.add(new Finding.Place(x.getDouble(i), y.getDouble(i)));
            }
            series.add(new Finding.Series(line.getString("name", ""), places));
        }
        return new Result(result.getString("figure", ""), points, series);
    }
}
