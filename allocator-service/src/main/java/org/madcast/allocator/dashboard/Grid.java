package org.madcast.allocator.dashboard;

import java.util.Locale;

/**
 * A heat map as SVG: columns of time, rows of whatever, a shade for each cell. All cells of a shade
 * are one path, so a map of thousands of cells stays small. Colours come from the style sheet.
 */
final class Grid {

    /** Shades from 1, faint, to this. */
    static final int SHADES = 6;

    private static final int WIDTH = 900;

    private final int columns;
    private final int rows;
    private final int rowHeight;
    private final StringBuilder[] shades = new StringBuilder[SHADES + 1];

    Grid(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.rowHeight = rows <= 12 ? 18 : rows <= 40 ? 9 : 5;
        for (int i = 0; i <= SHADES; i++) {
            shades[i] = new StringBuilder();
        }
    }

    /** Paints a cell; shade 0 is a value that is there and fine. */
    void paint(int column, int row, int shade) {
        double left = (double) WIDTH * column / columns;
        double width = (double) WIDTH / columns;
        shades[shade].append(
                String.format(
                        Locale.ROOT,
                        "M%.1f %dh%.1fv%dh-%.1fz",
                        left,
                        row * rowHeight,
                        Math.max(width - 1, 0.8),
                        rowHeight - 1,
                        Math.max(width - 1, 0.8)));
    }

    /** The picture; the caption is for those who cannot see it, plain text of ours. */
    String svg(String kind, String caption) {
        StringBuilder svg = new StringBuilder();
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<svg class=\"grid %s\" role=\"img\" viewBox=\"0 0 %d %d\""
                                + " preserveAspectRatio=\"none\" style=\"height:%dpx\""
                                + " aria-label=\"%s\">",
                        kind,
                        WIDTH,
                        rows * rowHeight,
                        rows * rowHeight,
                        caption));
        for (int i = 0; i <= SHADES; i++) {
            if (!shades[i].isEmpty()) {
                svg.append("<path class=\"s").append(i).append("\" d=\"").append(shades[i]);
                svg.append("\"/>");
            }
        }
        return svg.append("</svg>").toString();
    }
}
