package org.madcast.agent.terminal;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes an SVG picture: boxes, lines, points and words, lengths in pixels, texts escaped. */
public final class Svg {

    /** A place in the picture. */
    public record Point(double x, double y) {}

    private final Formatter out = new Formatter(Locale.ROOT);

    /** A white picture of this size. */
    public Svg(int width, int height) {
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n",
                width, height);
        box(0, 0, width, height, "white");
    }

    /** A filled box. */
    public Svg box(double x, double y, double width, double height, String color) {
        out.format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                x, y, width, height, color);
        return this;
    }

    /** A filled box that says something when it is pointed at. */
    public Svg box(double x, double y, double width, double height, String color, String tip) {
        out.format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                        + "<title>%s</title></rect>\n",
                x, y, width, height, color, escaped(tip));
        return this;
    }

    /** A line, so wide. */
    public Svg line(double x1, double y1, double x2, double y2, String color, int width) {
        out.format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                        + " stroke-width=\"%d\"/>\n",
                x1, y1, x2, y2, color, width);
        return this;
    }

    /** Lines from point to point. */
    public Svg polyline(List<Point> points, String color) {
        String places =
                points.stream()
                        .map(it -> String.format(Locale.ROOT, "%.1f,%.1f", it.x(), it.y()))
                        .collect(Collectors.joining(" "));
        out.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                places, color);
        return this;
    }

    /** A small filled circle. */
    public Svg dot(Point at, String color) {
        out.format(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at.x(), at.y(), color);
        return this;
    }

    /** Words; the anchor is start, middle or end. */
    public Svg text(double x, double y, String anchor, String words) {
        out.format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                x, y, anchor, escaped(words));
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The picture's text. */
    public String end() {
        return out + "</svg>\n";
    }
}
