package org.madcast.measure.reproduce;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.madcast.agent.terminal.Svg;

/** The lines of a figure as SVG, on logarithmic scales where the values allow it. */
final class Chart {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int RIGHT = 210;
    private static final int TOP = 50;
    private static final int BOTTOM = 55;
    private static final int MARKS = 5;
    private static final List<String> COLORS =
            List.of(
                    "#0b5fa5", "#c1272d", "#2e7d32", "#5aa9e6", "#e88a8d", "#8bc34a", "#6a1b9a",
                    "#795548");

    private final Figure figure;
    private final List<Finding.Series> lines;
    private final Scale across;
    private final Scale upwards;
    private final Svg svg = new Svg(WIDTH, HEIGHT);

    /** One of the two scales. */
    private record Scale(double least, double most, boolean logarithmic, double from, double to) {

        static Scale of(
                List<Finding.Series> lines,
                ToDoubleFunction<Finding.Place> value,
                double from,
                double to) {
            double[] values =
                    lines.stream()
                            .flatMap(it -> it.places().stream())
                            .mapToDouble(value)
                            .sorted()
                            .toArray();
            double least = values[0];
            double most = values[values.length - 1];
            boolean logarithmic = least > 0 && most / least > 5;
            return new Scale(
                    logarithmic ? least : Math.min(0, least),
                    most > least ? most : least + 1,
                    logarithmic,
                    from,
                    to);
        }

        double at(double value) {
            double part =
                    logarithmic
                            ? Math.log(value / least) / Math.log(most / least)
                            : (value - least) / (most - least);
            return from + part * (to - from);
        }

        double mark(int index) {
            double part = (double) index / (MARKS - 1);
            return logarithmic
                    ? least * Math.pow(most / least, part)
                    : least + part * (most - least);
        }
    }

    Chart(Figure figure, Result result) {
        this.figure = figure;
        lines = result.series();
        across = Scale.of(lines, Finding.Place::x, LEFT + 20.0, WIDTH - RIGHT - 20.0);
        upwards = Scale.of(lines, Finding.Place::y, HEIGHT - BOTTOM - 10.0, TOP + 10.0);
    }

    /** The picture. */
    String svg() {
        svg.text(LEFT, 24, "start", figure.name() + ": " + figure.title());
        svg.text(LEFT, HEIGHT - 12.0, "start", figure.axes());
        for (int i = 0; i < MARKS; i++) {
            double y = upwards.at(upwards.mark(i));
            svg.line(LEFT, y, WIDTH - RIGHT, y, "#dddddd", 1);
            svg.text(LEFT - 6.0, y + 4, "end", number(upwards.mark(i)));
            double x = across.at(across.mark(i));
            svg.text(x, HEIGHT - BOTTOM + 18.0, "middle", number(across.mark(i)));
        }
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i), i);
        }
        return svg.end();
    }

    private void line(Finding.Series line, int number) {
        String color = COLORS.get(number % COLORS.size());
        List<Svg.Point> points =
                line.places().stream()
                        .map(it -> new Svg.Point(across.at(it.x()), upwards.at(it.y())))
                        .toList();
        svg.polyline(points, color);
        points.forEach(it -> svg.dot(it, color));
        double y = TOP + 20.0 * number;
        svg.line(WIDTH - RIGHT + 15.0, y, WIDTH - RIGHT + 40.0, y, color, 2);
        svg.text(WIDTH - RIGHT + 46.0, y + 4, "start", line.name());
    }

    private static String number(double value) {
        return value >= 10 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
