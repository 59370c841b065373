package org.madcast.benchmarks.compare;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.madcast.agent.terminal.Units;
import org.madcast.benchmarks.compare.Comparison.Contender;

/**
 * A comparison as a picture: for each contender a line over the sizes, as high as the times of the
 * bare network's time that it takes, on a logarithmic scale. Ours are thick.
 */
final class ComparisonChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 520;
    private static final int LEFT = 70;
    private static final int RIGHT = 250;
    private static final int TOP = 60;
    private static final int BOTTOM = 60;
    private static final List<Double> MARKS =
            List.of(1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 20.0, 50.0);
    private static final List<String> COLORS =
            List.of(
                    "#0b5fa5", "#5aa9e6", "#c1272d", "#e88a8d", "#2e7d32", "#8bc34a", "#6a1b9a",
                    "#b39ddb", "#795548", "#bcaaa4");

    private final Comparison comparison;
    private final List<Integer> sizes;
    private final double highest;
    private final double lowest;
    private final Formatter svg = new Formatter(Locale.ROOT);

    ComparisonChart(Comparison comparison) {
        this.comparison = comparison;
        sizes = comparison.sizesBytes();
        double[] values =
                comparison.contenders().stream()
                        .flatMap(contender -> sizes.stream().map(contender::at))
                        .flatMap(Optional::stream)
                        .mapToDouble(comparison::timesFloor)
                        .sorted()
                        .toArray();
        lowest = Math.min(0.9, values[0] * 0.95);
        highest = values[values.length - 1] * 1.1;
    }

    /** The picture. */
    String svg() {
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">\n",
                WIDTH, HEIGHT);
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, HEIGHT);
        Result any = comparison.results().getFirst();
        text(
                LEFT,
                TOP - 30,
                "start",
                String.format(
                        Locale.ROOT,
                        "Broadcast to %d hosts, %s a link: last receiver's time / bare multicast's",
                        any.ranks(),
                        any.rate()));
        axes();
        List<Contender> contenders = comparison.contenders();
        for (int i = 0; i < contenders.size(); i++) {
            line(contenders.get(i), i);
        }
        svg.format("</svg>\n");
        return svg.toString();
    }

    private void axes() {
        for (double mark : MARKS) {
            if (mark >= lowest && mark <= highest) {
                double y = y(mark);
                svg.format(
                        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>\n",
                        LEFT, y, WIDTH - RIGHT, y, mark == 1 ? "black" : "#dddddd");
                text(LEFT - 8, y + 4, "end", String.format(Locale.ROOT, "%.3gx", mark));
            }
        }
        for (int i = 0; i < sizes.size(); i++) {
            text(x(i), HEIGHT - BOTTOM + 22, "middle", Units.size(sizes.get(i)));
        }
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "message");
    }

    private void line(Contender contender, int number) {
        String color = COLORS.get(number % COLORS.size());
        int width = contender.candidates().getFirst().isOurs() ? 4 : 2;
        List<String> points = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            int index = i;
            contender
                    .at(sizes.get(i))
                    .ifPresent(result ->
                            points.add(
                                    String.format(
                                            Locale.ROOT,
                                            "%.1f,%.1f",
                                            x(index),
                                            y(comparison.timesFloor(result)))));
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
        text(left + 36, y + 4, "start", contender.name());
    }

    private double x(int index) {
        double span = WIDTH - RIGHT - LEFT - 60.0;
        return LEFT + 30 + (sizes.size() == 1 ? span / 2 : span * index / (sizes.size() - 1));
    }

    private double y(double times) {
        double part = Math.log(times / lowest) / Math.log(highest / lowest);
        return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    }

    private void text(double x, double y, String anchor, String words) {
        svg.format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words);
    }
}
