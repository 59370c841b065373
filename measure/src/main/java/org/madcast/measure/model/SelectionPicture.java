package org.madcast.measure.model;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Units;

/**
 * The selection map as SVG: ranks from left to right, sizes upwards, in each cell the colour of the
 * quickest algorithm and its time.
 */
final class SelectionPicture {

    private static final int CELL_WIDTH = 62;
    private static final int CELL_HEIGHT = 30;
    private static final int LEFT = 80;
    private static final int TOP = 50;
    private static final int LEGEND = 200;
    private static final int BOTTOM = 50;
    private static final List<String> COLORS =
            List.of(
                    "#5aa9e6", "#0b5fa5", "#8bc34a", "#e88a8d", "#ffb74d", "#b39ddb", "#bcaaa4",
                    "#80cbc4");

    private final ModelGrid grid;
    private final String network;
    private final Formatter svg = new Formatter(Locale.ROOT);

    SelectionPicture(ModelGrid grid, String network) {
        this.grid = grid;
        this.network = network;
    }

    /** The picture. */
    String svg() {
        int columns = grid.ranks().size();
        int rows = grid.sizesBytes().size();
        int width = LEFT + columns * CELL_WIDTH + LEGEND;
        int height = TOP + Math.max(rows, grid.source().algorithms().size()) * CELL_HEIGHT + BOTTOM;
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n",
                width, height);
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", width, height);
        text(LEFT, 20, "start", grid.what() + ": the quickest algorithm and its time in ms");
        text(LEFT, 38, "start", escaped(network));
        for (int row = 0; row < rows; row++) {
            long bytes = grid.sizesBytes().get(rows - 1 - row);
            text(LEFT - 8, TOP + row * CELL_HEIGHT + 19, "end", Units.size(bytes));
            for (int column = 0; column < columns; column++) {
                cell(column, row, grid.at(grid.ranks().get(column), bytes).getFirst());
            }
        }
        int below = TOP + rows * CELL_HEIGHT + 18;
        for (int column = 0; column < columns; column++) {
            int middle = LEFT + column * CELL_WIDTH + CELL_WIDTH / 2;
            text(middle, below, "middle", String.valueOf(grid.ranks().get(column)));
        }
        text(LEFT + columns * CELL_WIDTH / 2, below + 18, "middle", "ranks");
        legend(LEFT + columns * CELL_WIDTH + 20);
        svg.format("</svg>%n");
        return svg.toString();
    }

    private void cell(int column, int row, ModelGrid.Prediction best) {
        int x = LEFT + column * CELL_WIDTH;
        int y = TOP + row * CELL_HEIGHT;
        svg.format(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\""
                        + " stroke=\"white\"><title>%s</title></rect>%n",
                x, y, CELL_WIDTH, CELL_HEIGHT, color(best.algorithm()), best.algorithm());
        text(x + CELL_WIDTH / 2, y + 19, "middle", ModelGrid.ms(best.ns()));
    }

    private void legend(int x) {
        List<String> algorithms = grid.source().algorithms();
        for (int i = 0; i < algorithms.size(); i++) {
            int y = TOP + i * CELL_HEIGHT;
            svg.format(
                    "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"18\" fill=\"%s\"/>%n",
                    x, y + 6, color(algorithms.get(i)));
            text(x + 26, y + 19, "start", algorithms.get(i));
        }
    }

    private String color(String algorithm) {
        return COLORS.get(grid.source().algorithms().indexOf(algorithm) % COLORS.size());
    }

    private void text(int x, int y, String anchor, String words) {
        svg.format("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, words);
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;");
    }
}
