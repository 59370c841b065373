package org.madcast.measure.model;

import java.util.List;
import org.madcast.agent.terminal.Svg;
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
        Svg svg = new Svg(width, height);
        svg.text(LEFT, 20, "start", grid.what() + ": the quickest algorithm and its time in ms");
        svg.text(LEFT, 38, "start", network);
        for (int row = 0; row < rows; row++) {
            long bytes = grid.sizesBytes().get(rows - 1 - row);
            svg.text(LEFT - 8, TOP + row * CELL_HEIGHT + 19, "end", Units.size(bytes));
            for (int column = 0; column < columns; column++) {
                cell(svg, column, row, grid.at(grid.ranks().get(column), bytes).getFirst());
            }
        }
        int below = TOP + rows * CELL_HEIGHT + 18;
        for (int column = 0; column < columns; column++) {
            int middle = LEFT + column * CELL_WIDTH + CELL_WIDTH / 2;
            svg.text(middle, below, "middle", String.valueOf(grid.ranks().get(column)));
        }
        svg.text(LEFT + columns * CELL_WIDTH / 2, below + 18, "middle", "ranks");
        legend(svg, LEFT + columns * CELL_WIDTH + 20);
        return svg.end();
    }

    private void cell(Svg svg, int column, int row, ModelGrid.Prediction best) {
        int x = LEFT + column * CELL_WIDTH;
        int y = TOP + row * CELL_HEIGHT;
        String color = color(best.algorithm());
        svg.box(x, y, CELL_WIDTH - 1, CELL_HEIGHT - 1, color, best.algorithm());
        svg.text(x + CELL_WIDTH / 2, y + 19, "middle", ModelGrid.ms(best.ns()));
    }

    private void legend(Svg svg, int x) {
        List<String> algorithms = grid.source().algorithms();
        for (int i = 0; i < algorithms.size(); i++) {
            int y = TOP + i * CELL_HEIGHT;
            svg.box(x, y + 6, 18, 18, color(algorithms.get(i)));
            svg.text(x + 26, y + 19, "start", algorithms.get(i));
        }
    }

    private String color(String algorithm) {
        return COLORS.get(grid.source().algorithms().indexOf(algorithm) % COLORS.size());
    }
}
