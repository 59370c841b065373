package org.madcast.agent.profile;

import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Svg;
import org.madcast.agent.terminal.Units;

/**
 * What each rank has sent to which: a row for each sender, a column for each receiver, and one for
 * what was multicast; the darker, the more bytes, on a logarithmic scale. Of many ranks a cell
 * stands for several.
 */
final class MatrixPicture {

    private static final int MOST_CELLS = 128;
    private static final int SIDE = 640;
    private static final int LEFT = 70;
    private static final int TOP = 70;
    private static final int GAP = 10;
    private static final int MOST_LABELS = 32;

    private final int ranks;
    private final int ofACell;
    private final int cells;
    private final long[][] bytes;
    private final long[] multicast;

    MatrixPicture(List<RankProfile> profiles) {
        ranks = profiles.getFirst().size();
        ofACell = Math.ceilDiv(ranks, MOST_CELLS);
        cells = Math.ceilDiv(ranks, ofACell);
        bytes = new long[cells][cells];
        multicast = new long[cells];
        for (RankProfile each : profiles) {
            int row = each.rank() / ofACell;
            multicast[row] += each.multicastBytes();
            each.partners().forEach(it -> bytes[row][it.rank() / ofACell] += it.bytes());
        }
    }

    String svg() {
        double side = (double) SIDE / cells;
        Svg svg = new Svg(LEFT + SIDE + GAP + 110, TOP + SIDE + 40);
        svg.text(LEFT, 24, "start", "Bytes sent, from the rank of the row to that of the column");
        double most = most();
        int step = Math.ceilDiv(cells, MOST_LABELS);
        for (int row = 0; row < cells; row++) {
            double y = TOP + row * side;
            for (int column = 0; column < cells; column++) {
                String tip = name(row) + " to " + name(column);
                cell(svg, LEFT + column * side, y, side, bytes[row][column], most, tip);
            }
            double beside = LEFT + SIDE + GAP;
            cell(svg, beside, y, side, multicast[row], most, name(row) + " to all by multicast");
            if (row % step == 0) {
                svg.text(LEFT - 6, y + side / 2 + 4, "end", "" + row * ofACell);
                svg.text(LEFT + (row + 0.5) * side, TOP - 6, "middle", "" + row * ofACell);
            }
        }
        svg.text(LEFT + SIDE + GAP, TOP - 6, "start", "multicast");
        svg.text(LEFT, TOP + SIDE + 24, "start", "the darkest: " + Units.size((long) most));
        return svg.end();
    }

    private static void cell(
            Svg svg, double x, double y, double side, long bytes, double most, String tip) {
        if (bytes == 0) {
            svg.box(x, y, side - side / 20, side - side / 20, "#f4f4f4");
        } else {
            String color = color(Math.log1p((double) bytes) / Math.log1p(most));
            svg.box(
                    x,
                    y,
                    side - side / 20,
                    side - side / 20,
                    color,
                    tip + ": " + Units.size(bytes));
        }
    }

    /** From a light to a dark blue. */
    private static String color(double part) {
        return String.format(
                Locale.ROOT,
                "#%02x%02x%02x",
                Math.round(219 - 208 * part),
                Math.round(235 - 185 * part),
                Math.round(247 - 110 * part));
    }

    private String name(int cell) {
        int first = cell * ofACell;
        int last = Math.min(ranks, first + ofACell) - 1;
        return first == last ? "rank " + first : "ranks " + first + " to " + last;
    }

    private double most() {
        long most = 1;
        for (int row = 0; row < cells; row++) {
            most = Math.max(most, multicast[row]);
            for (long each : bytes[row]) {
                most = Math.max(most, each);
            }
        }
        return most;
    }
}
