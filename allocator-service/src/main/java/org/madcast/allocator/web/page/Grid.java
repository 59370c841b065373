package org.madcast.allocator.web.page;

import java.util.List;
import java.util.Locale;

/**
 * A heat map as SVG: columns of time, rows of whatever, a shade for each cell. All cells of a shade
 * are one path, so a map of thousands of cells stays small. Colours come from the style sheet.
 */
public final class Grid {

    /** Shades from 1, faint, to this. */
    public static final int SHADES = 6;

    private static final int WIDTH = 900;

    private final int columns;
    private final int rows;
    private final int rowHeight;
    private final StringBuilder[] shades = new StringBuilder[SHADES + 1];

    /** An empty map. */
    public Grid(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.rowHeight = rows <= 12 ? 18 : rows <= 40 ? 9 : 5;
        for (int i = 0; i <= SHADES; i++) {
            shades[i] = new StringBuilder();
        }
    }

    /** Paints a cell; shade 0 is a value that is there and fine. */
    public void paint(int column, int row, int shade) {
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

    /**
     * What a cell means, for who points at it; plain text of ours.
     *
     * @param rows what each row is
     * @param shades what each shade means
     * @param from when the first column begins, in seconds since 1970
     * @param stepSeconds how long a column is
     * @param columns what each column is; empty where they are times
     */
    public record Scale(
            List<String> rows,
            List<String> shades,
            long from,
            long stepSeconds,
            List<String> columns) {

        /** Columns of time. */
        public Scale(List<String> rows, List<String> shades, long from, long stepSeconds) {
            this(rows, shades, from, stepSeconds, List.of());
        }

        /** Other columns. */
        public Scale(List<String> rows, List<String> shades, List<String> columns) {
            this(rows, shades, 0, 0, columns);
        }
    }

    /** The picture; the caption is for those who cannot see it, plain text of ours. */
    public String svg(String kind, String caption, Scale scale) {
        StringBuilder svg = new StringBuilder();
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<svg class=\"grid %s\" role=\"img\" viewBox=\"0 0 %d %d\""
                                + " preserveAspectRatio=\"none\" style=\"height:%dpx\""
                                + " data-rows=\"%s\" data-shades=\"%s\" data-columns=\"%d\" data-from=\"%d\""
                                + " data-step=\"%d\" data-names=\"%s\" aria-label=\"%s\">",
                        kind,
                        WIDTH,
                        rows * rowHeight,
                        rows * rowHeight,
                        String.join("|", scale.rows()),
                        String.join("|", scale.shades()),
                        columns,
                        scale.from(),
                        scale.stepSeconds(),
                        String.join("|", scale.columns()),
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
