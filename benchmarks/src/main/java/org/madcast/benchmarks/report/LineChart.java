package org.madcast.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** A line chart as SVG: named positions from left to right, a logarithmic scale upwards. */
final class LineChart {

    /** A line; it has no point where a value is absent. */
    record Line(String name, boolean thick, List<Optional<Double>> values) {}

    private static final int WIDTH = 900;
    private static final int HEIGHT = 520;
    private static final int LEFT = 70;
    private static final int RIGHT = 250;
    private static final int TOP = 60;
    private static final int BOTTOM = 60;
    private static final double[] STEPS = {1, 1.5, 2, 3, 5, 7};
    private static final List<String> COLORS =
            List.of(
                    "#0b5fa5", "#5aa9e6", "#c1272d", "#e88a8d", "#2e7d32", "#8bc34a", "#6a1b9a",
                    "#b39ddb", "#795548", "#bcaaa4");

    private final String title;
    private final List<String> positions;
    private final String unit;
    private final List<Line> lines;
    private final double highest;
    private final double lowest;
    private final Formatter svg = new Formatter(Locale.ROOT);

    /** A chart; the unit follows each mark of the scale. */
    LineChart(String title, List<String> positions, String unit, List<Line> lines) {
        this.title = title;
        this.positions = positions;
        this.unit = unit;
        this.lines = lines;
        List<Double> values =
                lines.stream()
                        .flatMap(line -> line.values().stream())
                        .flatMap(Optional::stream)
                        .toList();
        lowest = values.stream().mapToDouble(Double::doubleValue).min().orElse(1) * 0.9;
        highest = values.stream().mapToDouble(Double::doubleValue).max().orElse(1) * 1.1;
    }

    /** The picture. */
    String svg() {
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">\n",
                WIDTH, HEIGHT);
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, HEIGHT);
        text(LEFT, TOP - 30, "start", title);
        axes();
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i), i);
        }
        svg.format("</svg>\n");
        return svg.toString();
    }

    private void axes() {
        double[] marks =
                DoubleStream.iterate(1e-3, it -> it < 1e6, it -> it * 10)
                        .flatMap(decade -> DoubleStream.of(STEPS).map(step -> step * decade))
                        .filter(mark -> mark >= lowest && mark <= highest)
                        .toArray();
        boolean wide = highest / lowest > 100;
        for (double mark : marks) {
            double decade = Math.pow(10, Math.rint(Math.log10(mark)));
            if (!wide || Math.abs(mark / decade - 1) < 1e-6) {
                double y = y(mark);
                svg.format(
                        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
                        LEFT, y, WIDTH - RIGHT, y);
                text(LEFT - 8, y + 4, "end", plain(mark) + unit);
            }
        }
        for (int i = 0; i < positions.size(); i++) {
            text(x(i), HEIGHT - BOTTOM + 22, "middle", positions.get(i));
        }
    }

    private void line(Line line, int number) {
        String color = COLORS.get(number % COLORS.size());
        int width = line.thick() ? 4 : 2;
        List<String> points = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            double x = x(i);
            line.values()
                    .get(i)
                    .ifPresent(value ->
                            points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y(value))));
        }
        svg.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"/>\n",
                String.join(" ", points), color, width);
        for (String point : points) {
            String[] at = point.split(",", 2);
            svg.format(
                    "<circle cx=\"%s\" cy=\"%s\" r=\"%d\" fill=\"%s\"/>\n",
                    at[0], at[1], width, color);
        }
        double y = TOP + 20.0 * number;
        int left = WIDTH - RIGHT + 25;
        svg.format(
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\""
                        + " stroke-width=\"%d\"/>\n",
                left, y, left + 28, y, color, width);
        text(left + 36, y + 4, "start", line.name());
    }

    private double x(int index) {
        double span = WIDTH - RIGHT - LEFT - 60.0;
        return LEFT
                + 30
                + (positions.size() == 1 ? span / 2 : span * index / (positions.size() - 1));
    }

    private double y(double value) {
        double part = Math.log(value / lowest) / Math.log(highest / lowest);
        return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    }

    private void text(double x, double y, String anchor, String words) {
        svg.format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words);
    }

    /** With three digits, and never an exponent. */
    static String plain(double mark) {
        return BigDecimal.valueOf(mark)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
