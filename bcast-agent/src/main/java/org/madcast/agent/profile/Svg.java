package org.madcast.agent.profile;

import java.util.Formatter;
import java.util.Locale;

/** Writes an SVG picture: boxes and words, lengths in pixels, texts escaped. */
final class Svg {

    private final Formatter out = new Formatter(Locale.ROOT);

    /** A white picture of this size. */
    Svg(int width, int height) {
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n",
                width, height);
        box(0, 0, width, height, "white");
    }

    /** A filled box. */
    Svg box(double x, double y, double width, double height, String color) {
        out.format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                x, y, width, height, color);
        return this;
    }

    /** A filled box that says something when it is pointed at. */
    Svg box(double x, double y, double width, double height, String color, String tip) {
        out.format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                        + "<title>%s</title></rect>\n",
                x, y, width, height, color, escaped(tip));
        return this;
    }

    /** Words; the anchor is start, middle or end. */
    Svg text(double x, double y, String anchor, String words) {
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
    String end() {
        return out + "</svg>\n";
    }
}
